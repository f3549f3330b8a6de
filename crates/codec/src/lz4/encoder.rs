//! LZ4's fast compression: the last place where four bytes stood, found by their hash, is the only one looked at.
//!
//! The choices are those of the C library (1.10), so that the same bytes come out as there: hash functions and sizes of
//! the table, how the search skips ahead where nothing matches, which places are entered.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// The shortest match, in bytes.
const MIN_MATCH: usize = 4;

/// Bytes at the end that are always literals, and bytes before the end in which no match starts.
const LAST_LITERALS: usize = 5;
const NO_MATCH_STARTS: usize = 12;

/// Offsets have 16 bits.
const MAX_DISTANCE: usize = 0xffff;

/// Below this length, in bytes, places fit in 16 bits.
const SHORT: usize = (64 << 10) + NO_MATCH_STARTS - 1;

/// Attempts after which the search takes longer steps, as a power of two.
const SKIP_TRIGGER: u32 = 6;

const SHORT_HASH_BITS: u32 = 13;
const LONG_HASH_BITS: u32 = 12;

/// An LZ4 encoder; it keeps its tables from one block to the next.
#[derive(Debug)]
pub struct Encoder {
    acceleration: usize,
    short: Box<[u16]>,
    long: Box<[u32]>,
}

impl Encoder {
    /// An encoder that skips the faster over what does not match the larger `acceleration` is: 1 is the slowest.
    pub fn new(acceleration: usize) -> Self {
        let (short, long) =
            (Box::new([0; 1 << SHORT_HASH_BITS]), Box::new([0; 1 << LONG_HASH_BITS]));
        Self { acceleration: acceleration.clamp(1, 65_537), short, long }
    }

    /// Encodes `source` as one block to the end of `target`.
    ///
    /// # Panics
    /// If `source` has 2 GiB or more: the format ends there.
    pub fn encode(&mut self, source: &[u8], target: &mut Vec<u8>) {
        assert!(source.len() < 1 << 31, "LZ4 blocks are shorter than 2 GiB");
        target.reserve(source.len() + source.len() / 255 + 16);
        if source.len() < SHORT {
            self.short.fill(0);
            encode(source, self.acceleration, &mut *self.short, target);
        } else {
            self.long.fill(0);
            encode(source, self.acceleration, &mut *self.long, target);
        }
    }
}

/// The last place of each hash.
trait Table {
    /// The hash of the bytes at `at`, of which there must be eight.
    fn hash(source: &[u8], at: usize) -> usize;

    /// Enters `at` as the last place of `hash`, and returns the one before.
    fn replace(&mut self, hash: usize, at: usize) -> usize;
}

impl Table for [u16] {
    #[inline]
    fn hash(source: &[u8], at: usize) -> usize {
        (read_4(source, at).wrapping_mul(2_654_435_761) >> (32 - SHORT_HASH_BITS)) as usize
    }

    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the places in a short source have 16 bits"
    )]
    fn replace(&mut self, hash: usize, at: usize) -> usize {
        core::mem::replace(&mut self[hash], at as u16).into()
    }
}

impl Table for [u32] {
    #[inline]
    fn hash(source: &[u8], at: usize) -> usize {
        let five_bytes = read_8(source, at) << 24;
        (five_bytes.wrapping_mul(889_523_592_379) >> (64 - LONG_HASH_BITS)) as usize
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a source is shorter than 2 GiB")]
    fn replace(&mut self, hash: usize, at: usize) -> usize {
        core::mem::replace(&mut self[hash], at as u32) as usize
    }
}

fn encode<T: Table + ?Sized>(
    source: &[u8],
    acceleration: usize,
    table: &mut T,
    target: &mut Vec<u8>,
) {
    let mut literals_from = 0;
    if let Some(last_start) = source.len().checked_sub(NO_MATCH_STARTS) {
        let mut search = Search { source, acceleration, table, last_start };
        let mut at = 1;
        if last_start > 0 {
            search.table.replace(T::hash(source, 0), 0);
        }
        while let Some((start, from)) = search.next_match(at) {
            let (start, from) = extend_back(source, start, from, literals_from);
            let mut literals = &source[literals_from..start];
            let (mut start, mut from) = (start, from);
            loop {
                let end_of_matches = source.len() - LAST_LITERALS;
                let len = equal_bytes(source, start, from, end_of_matches);
                write_sequence(literals, start - from, len, target);
                at = start + len;
                literals_from = at;
                match search.match_at(at) {
                    Some(next) => (start, from) = (at, next),
                    None => break,
                }
                literals = &[];
            }
            at += 1;
        }
    }
    let literals = &source[literals_from..];
    write_token(literals.len(), 0, target);
    target.extend_from_slice(literals);
}

struct Search<'a, T: ?Sized> {
    source: &'a [u8],
    acceleration: usize,
    table: &'a mut T,
    /// Where the last match may start.
    last_start: usize,
}

impl<T: Table + ?Sized> Search<'_, T> {
    /// Where the next match starts that is found from `at` on, and the earlier place of the same bytes.
    #[inline]
    fn next_match(&mut self, at: usize) -> Option<(usize, usize)> {
        let mut next = at;
        let (mut step, mut attempts) = (1, self.acceleration << SKIP_TRIGGER);
        // The C library looks one place further before it decides, and enters no place from which that is too far.
        while next <= self.last_start {
            let at = next;
            next += step;
            step = attempts >> SKIP_TRIGGER;
            attempts += 1;
            if next > self.last_start + 1 {
                break;
            }
            let from = self.table.replace(T::hash(self.source, at), at);
            if self.matches(from, at) {
                return Some((at, from));
            }
        }
        None
    }

    /// The earlier place of the bytes at `at`, right behind a match.
    #[inline]
    fn match_at(&mut self, at: usize) -> Option<usize> {
        if at > self.last_start {
            return None;
        }
        self.table.replace(T::hash(self.source, at - 2), at - 2);
        let from = self.table.replace(T::hash(self.source, at), at);
        self.matches(from, at).then_some(from)
    }

    #[inline]
    fn matches(&self, from: usize, at: usize) -> bool {
        at - from <= MAX_DISTANCE && read_4(self.source, from) == read_4(self.source, at)
    }
}

/// Lets a match begin earlier, as long as the bytes before it agree and are literals yet.
fn extend_back(source: &[u8], start: usize, from: usize, literals_from: usize) -> (usize, usize) {
    let literals = source[literals_from..start].iter().rev();
    let before = literals.zip(source[..from].iter().rev());
    let more = before.take_while(|(here, there)| here == there).count();
    (start - more, from - more)
}

/// How many bytes agree at `at` and `from`, none of them at `end` or after it. Four are known to.
#[inline]
fn equal_bytes(source: &[u8], at: usize, from: usize, end: usize) -> usize {
    let here = &source[at + MIN_MATCH..end];
    let there = &source[from + MIN_MATCH..][..here.len()];
    let (words, rest) = here.as_chunks::<8>();
    let (other_words, other_rest) = there.as_chunks::<8>();
    for (index, (word, other)) in words.iter().zip(other_words).enumerate() {
        let different = u64::from_le_bytes(*word) ^ u64::from_le_bytes(*other);
        if different != 0 {
            return MIN_MATCH + index * 8 + (different.trailing_zeros() / 8) as usize;
        }
    }
    let tail = rest.iter().zip(other_rest).take_while(|(a, b)| a == b).count();
    MIN_MATCH + words.len() * 8 + tail
}

#[inline]
fn write_sequence(literals: &[u8], distance: usize, len: usize, target: &mut Vec<u8>) {
    let more = len - MIN_MATCH;
    write_token(literals.len(), more, target);
    target.extend_from_slice(literals);
    target.extend_from_slice(&u16::try_from(distance).expect("matches are near").to_le_bytes());
    write_rest(more, target);
}

/// Writes the token, and what of the number of literals it does not hold.
#[inline]
fn write_token(literals: usize, more: usize, target: &mut Vec<u8>) {
    let half = |n: usize| u8::try_from(n.min(15)).expect("at most 15");
    target.push(half(literals) << 4 | half(more));
    write_rest(literals, target);
}

/// Writes what of a number one half of a token does not hold.
#[inline]
fn write_rest(number: usize, target: &mut Vec<u8>) {
    if let Some(rest) = number.checked_sub(15) {
        target.extend(core::iter::repeat_n(255, rest / 255));
        target.push((rest % 255).to_le_bytes()[0]);
    }
}

#[inline]
fn read_4(source: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(*source[at..].first_chunk().expect("no match starts near the end"))
}

#[inline]
fn read_8(source: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(*source[at..].first_chunk().expect("no match starts near the end"))
}

#[cfg(test)]
mod tests {
    use super::super::decode;
    use super::*;
    use proptest::prelude::*;
    use std::vec;

    fn encode(acceleration: usize, source: &[u8]) -> Vec<u8> {
        let mut block = Vec::new();
        Encoder::new(acceleration).encode(source, &mut block);
        block
    }

    #[test]
    fn what_is_too_short_is_literals() {
        assert_eq!(encode(1, b""), [0]);
        assert_eq!(encode(1, &[7; 12]), [&[0xc0][..], &[7; 12]].concat());
        // One literal, a match of 7 bytes one back, and the five bytes that must be literals.
        assert_eq!(encode(1, &[7; 13]), [0x13, 7, 1, 0, 0x50, 7, 7, 7, 7, 7]);
    }

    /// Noise in runs, with a repetition far away.
    fn sample(len: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let mut data: Vec<u8> = (0..len)
            .map(|i| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let noise = (state >> 24).to_le_bytes()[0];
                if i / 500 % 3 == 0 { noise } else { noise & 1 }
            })
            .collect();
        data.extend_from_within(..len / 3);
        data
    }

    #[test]
    fn short_and_long_sources() {
        let mut encoder = Encoder::new(9);
        for len in [13, 1000, 49_000, SHORT / 4 * 3, 70_000, 400_000] {
            let data = sample(len);
            let mut block = vec![1, 2, 3];
            encoder.encode(&data, &mut block);
            let mut back = vec![0; data.len()];
            assert_eq!(decode(&block[3..], &mut back), Ok(()));
            assert!(back == data, "{len}");
            assert!(len < 1000 || block.len() < data.len() * 4 / 5, "{len}");
        }
    }

    proptest! {
        #[test]
        fn decodes_to_what_was_encoded(
            words in prop::collection::vec(0_u8..6, 0..3000),
            period in 1_usize..70,
            acceleration in 1_usize..20,
        ) {
            let data: Vec<u8> =
                (0..words.len()).map(|i| if i / 300 % 2 == 0 { words[i] } else { words[i % period] }).collect();
            let block = encode(acceleration, &data);
            let (mut ours, mut theirs) = (vec![0; data.len()], vec![0; data.len()]);
            prop_assert_eq!(decode(&block, &mut ours), Ok(()));
            prop_assert_eq!(&ours, &data);
            prop_assert_eq!(lz4_flex::block::decompress_into(&block, &mut theirs).ok(), Some(data.len()));
            prop_assert_eq!(&theirs, &data);
        }
    }
}

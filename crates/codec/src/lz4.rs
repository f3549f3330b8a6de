//! LZ4 blocks (LZ4 and LZ4 HC write the same format), without the frame around them.
//!
//! A block is a list of sequences:
//!
//! | bytes | what |
//! | --- | --- |
//! | 1 | number of literals (high half), length of the match less 4 (low half) |
//! | 0 or more | if the number is 15: bytes to add to it, up to the first that is not 255 |
//! | … | the literals |
//! | 2 | how far back the match starts, little-endian; the last sequence ends before it |
//! | 0 or more | if the length is 15: bytes to add to it, likewise |

mod encoder;

pub use encoder::Encoder;

use crate::Error;

const CODEC: &str = "LZ4";

/// Bytes that are copied at once where a literal or a match is short: more than needed, to be overwritten.
const PIECE: usize = 16;

/// Decodes the block `source`, which must fill `target` exactly.
///
/// # Errors
/// [`Error::Damaged`] when the block is malformed or holds more than that, [`Error::Length`] when it holds less.
pub fn decode(source: &[u8], target: &mut [u8]) -> Result<(), Error> {
    decode_after(&[], source, target)
}

/// Decodes a block that was compressed as the continuation of `prefix`, as [`decode`] does.
///
/// # Errors
/// Those of [`decode`].
pub fn decode_after(prefix: &[u8], source: &[u8], target: &mut [u8]) -> Result<(), Error> {
    match decode_block(prefix, source, target) {
        Some(len) if len == target.len() => Ok(()),
        Some(len) => {
            let (found, expected) = (len as u64, target.len() as u64);
            Err(Error::Length { codec: CODEC, found, expected })
        }
        None => Err(Error::Damaged { codec: CODEC }),
    }
}

/// Decodes to the start of `target`, and returns how many bytes there are.
fn decode_block(prefix: &[u8], source: &[u8], target: &mut [u8]) -> Option<usize> {
    let mut input = source;
    let mut done = 0;
    loop {
        let (&token, rest) = input.split_first()?;
        input = rest;
        let literals = usize::from(token >> 4);
        if literals < 15 && input.len() >= PIECE && target.len() - done >= PIECE {
            *target[done..].first_chunk_mut::<PIECE>()? = *input.first_chunk()?;
            input = &input[literals..];
            done += literals;
        } else {
            let literals = extended(literals, &mut input)?;
            let (bytes, rest) = input.split_at_checked(literals)?;
            target[done..].get_mut(..literals)?.copy_from_slice(bytes);
            input = rest;
            done += literals;
            if input.is_empty() {
                return Some(done);
            }
        }
        let (distance, rest) = input.split_first_chunk()?;
        input = rest;
        let distance = usize::from(u16::from_le_bytes(*distance));
        let len = extended(usize::from(token & 15), &mut input)?.saturating_add(4);
        done = copy_match(prefix, target, done, distance, len)?;
    }
}

/// Adds the bytes that follow to a half of a token when it is 15.
#[inline]
fn extended(half: usize, input: &mut &[u8]) -> Option<usize> {
    let mut total = half;
    if half == 15 {
        loop {
            let (&more, rest) = input.split_first()?;
            *input = rest;
            total = total.saturating_add(usize::from(more));
            if more != 255 {
                break;
            }
        }
    }
    Some(total)
}

/// Appends `len` bytes from `distance` back to the `done` bytes of `target`, and returns how many there are then.
#[inline]
fn copy_match(
    prefix: &[u8],
    target: &mut [u8],
    done: usize,
    distance: usize,
    len: usize,
) -> Option<usize> {
    let Some(from) = done.checked_sub(distance) else {
        return copy_from_prefix(prefix, target, done, distance, len);
    };
    let room = target.len() - done;
    if len <= 2 * PIECE && distance >= PIECE && room >= 2 * PIECE {
        let window = &mut target[from..][..distance + 2 * PIECE];
        *window[distance..].first_chunk_mut()? = *window.first_chunk::<PIECE>()?;
        if len > PIECE {
            *window[distance + PIECE..].first_chunk_mut()? =
                *window[PIECE..].first_chunk::<PIECE>()?;
        }
    } else if distance == 0 || len > room {
        return None;
    } else {
        repeat(&mut target[from..done + len], distance);
    }
    Some(done + len)
}

/// A match that starts before `target`.
#[cold]
fn copy_from_prefix(
    prefix: &[u8],
    target: &mut [u8],
    done: usize,
    distance: usize,
    len: usize,
) -> Option<usize> {
    let before = distance - done;
    let start = prefix.len().checked_sub(before)?;
    let bytes = &prefix[start..][..before.min(len)];
    target[done..].get_mut(..bytes.len())?.copy_from_slice(bytes);
    match len - bytes.len() {
        0 => Some(done + len),
        rest => copy_match(&[], target, done + bytes.len(), distance, rest),
    }
}

/// Fills `window` with its first `distance` bytes over and over.
fn repeat(window: &mut [u8], distance: usize) {
    if distance == 1 {
        let value = window[0];
        window.fill(value);
        return;
    }
    // What has been filled is as good a source as what was there: it doubles in each round.
    let mut filled = distance;
    while filled < window.len() {
        let step = filled.min(window.len() - filled);
        window.copy_within(..step, filled);
        filled += step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn a_block_fills_the_target() {
        let mut target = [0; 10];
        // A literal `ab`, then a match of 4 + 4 bytes two back; the end of block must be literals, here none.
        assert_eq!(decode(&[0x24, b'a', b'b', 2, 0, 0x00], &mut target), Ok(()));
        assert_eq!(&target, b"ababababab");
    }

    #[test]
    fn a_match_reaches_into_the_prefix() {
        let mut target = [0; 5];
        assert_eq!(decode_after(b"0123456789", &[0x01, 6, 0, 0x00], &mut target), Ok(()));
        assert_eq!(&target, b"45678");
        let mut target = [0; 9];
        assert_eq!(decode_after(b"0123", &[0x05, 4, 0, 0x00], &mut target), Ok(()));
        assert_eq!(&target, b"012301230", "and goes on in the target");
        let damaged = Err(Error::Damaged { codec: CODEC });
        assert_eq!(decode_after(b"0123", &[0x05, 5, 0, 0x00], &mut target), damaged);
    }

    #[test]
    fn another_length_is_an_error() {
        let block = lz4_flex::block::compress(b"twelve bytes");
        let too_short = decode(&block, &mut [0; 13]);
        assert_eq!(too_short, Err(Error::Length { codec: CODEC, found: 12, expected: 13 }));
        assert_eq!(decode(&block, &mut [0; 11]), Err(Error::Damaged { codec: CODEC }));
    }

    proptest! {
        #[test]
        fn decodes_what_was_encoded(words in prop::collection::vec(0_u8..6, 0..2000), period in 1_usize..70) {
            let data: Vec<u8> =
                (0..words.len()).map(|i| if i / 300 % 2 == 0 { words[i] } else { words[i % period] }).collect();
            let mut found = vec![0; data.len()];
            prop_assert_eq!(decode(&lz4_flex::block::compress(&data), &mut found), Ok(()));
            prop_assert_eq!(&found, &data);
            let (prefix, rest) = data.split_at(data.len() / 2);
            let block = lz4_flex::block::compress_with_dict(rest, prefix);
            let mut found = vec![0; rest.len()];
            prop_assert_eq!(decode_after(prefix, &block, &mut found), Ok(()));
            prop_assert_eq!(&found, rest);
        }

        /// Any bytes give what the other decoder makes of them, or an error in both.
        #[test]
        fn agrees_with_lz4_flex(source in prop::collection::vec(any::<u8>(), 0..60), len in 0_usize..200) {
            let (mut ours, mut theirs) = (vec![0; len], vec![0; len]);
            let found = decode(&source, &mut ours);
            let other = lz4_flex::block::decompress_into(&source, &mut theirs);
            prop_assert_eq!(found.is_ok(), other.is_ok_and(|other| other == len));
            if found.is_ok() {
                prop_assert_eq!(ours, theirs);
            }
        }
    }
}

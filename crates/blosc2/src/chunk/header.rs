//! The header of a chunk: 16 bytes as Blosc1 wrote it, 32 as Blosc2 does.

#![warn(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use nom::Parser;
use nom::combinator::cond;
use nom::number::complete::u8 as byte;

use super::encode::{Plan, i32_bytes};
use crate::codec::Codec;
use crate::error::Problem;
use crate::filter::{Filter, SLOTS};
use crate::parse::{Failure, Parsed, bytes, field, le_size};

/// Versions of the chunk format that are read: Blosc1's, and that of every release of Blosc2.
const VERSIONS: &[u8] = &[BLOSC1, 5];
const BLOSC1: u8 = 2;

/// Both shuffle bits at once, which means nothing in Blosc1, mark the long header.
const EXTENDED: u8 = 0x05;
const SHUFFLE: u8 = 0x01;
const MEMCPYED: u8 = 0x02;
const BIT_SHUFFLE: u8 = 0x04;
const DELTA: u8 = 0x08;
const NOT_SPLIT: u8 = 0x10;

/// The header of a chunk.
///
/// | offset | bytes | field |
/// | --- | --- | --- |
/// | 0 | 1 | version |
/// | 1 | 1 | version of the codec's format, 1 |
/// | 2 | 1 | flags: see the constants; bits 5 to 7 hold the codec format |
/// | 3 | 1 | element size; 1 when the element has more than 255 bytes |
/// | 4 | 4 | decoded bytes |
/// | 8 | 4 | block size |
/// | 12 | 4 | stored bytes, with this header |
/// | 16 | 6 | filters (long header only, like all that follows) |
/// | 22 | 2 | codec and its meta byte, for codecs outside the format |
/// | 24 | 6 | meta bytes of the filters |
/// | 30 | 1 | more flags: bit 0 blocks of variable length |
/// | 31 | 1 | Blosc2 flags: bit 0 dictionary, bit 3 lazy, bits 4 to 6 special kind, bit 7 instrumented |
#[derive(Debug, Clone)]
pub(crate) struct Header {
    /// Bytes of one element as shuffles and splitting see it, never 0.
    pub(crate) element_size: usize,
    /// Decoded bytes.
    pub(crate) decoded_len: usize,
    /// Decoded bytes of all blocks but the last, never 0 and never more than `decoded_len` unless that is 0.
    pub(crate) block_size: usize,
    /// Stored bytes, with the header.
    pub(crate) stored_len: usize,
    /// Bytes of this header.
    pub(crate) len: usize,
    /// Filters to undo, in the order of undoing.
    pub(crate) filters: [Option<Filter>; SLOTS],
    /// The rule that bit shuffles follow.
    pub(crate) is_blosc1: bool,
    /// What stands after the header.
    pub(crate) body: Body,
}

/// What stands after the header of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    /// Nothing: all bytes are zero. Also for bytes that were never initialised.
    Zeros,
    /// Nothing: all elements are the same NaN.
    Nan,
    /// One value, which repeats.
    Value,
    /// The decoded bytes themselves, not filtered.
    Stored,
    /// Block offsets, perhaps a dictionary, and the streams of the blocks.
    Blocks {
        /// Compressor of the streams.
        codec: Codec,
        /// A whole block has one stream per byte of the element.
        split: bool,
        /// A dictionary follows the block offsets.
        dictionary: bool,
    },
}

impl Header {
    pub(crate) const NAME: &str = "Blosc2 chunk";

    /// Reads the header of a chunk that has `available` bytes at most and may decode to `max_decoded` bytes.
    pub(crate) fn parse(
        available: usize,
        max_decoded: usize,
    ) -> impl FnMut(&[u8]) -> Parsed<'_, Self> {
        move |i| {
            let (i, version) = field("version", version).parse(i)?;
            let (i, _) = field("codec format version", byte).parse(i)?;
            let (i, flags) = field("flags", byte).parse(i)?;
            let is_extended = flags & EXTENDED == EXTENDED;
            let (i, element_size) = field("element size", element_size).parse(i)?;
            let (i, decoded_len) = field("decoded bytes", decoded_len(max_decoded)).parse(i)?;
            let (i, block_size) = field("block size", le_size(0, MAX_SIZE)).parse(i)?;
            let len = if is_extended { 32 } else { 16 };
            let (i, stored_len) = field("stored bytes", le_size(len, available)).parse(i)?;
            let extension = Extension::parse(element_size);
            let (after, extension) = cond(is_extended, extension).parse(i)?;
            let extension = match extension {
                Some(extension) => extension,
                None => {
                    Extension::from_flags(flags, element_size).map_err(|p| Failure::at(i, p))?
                }
            };
            let body = extension.body(flags).map_err(|problem| Failure::at(i, problem))?;
            if block_size == 0 && decoded_len > 0 && matches!(body, Body::Blocks { .. }) {
                return Err(Failure::at(i, Problem::invalid("the blocks are empty")));
            }
            let header = Self {
                element_size,
                decoded_len,
                block_size: block_size.min(decoded_len).max(1),
                stored_len,
                len,
                filters: extension.filters,
                is_blosc1: version == BLOSC1,
                body,
            };
            Ok((after, header))
        }
    }

    /// Number of blocks, the last one perhaps short.
    pub(crate) fn block_count(&self) -> usize {
        self.decoded_len.div_ceil(self.block_size)
    }
}

/// The fields of the long header, or what stands for them in the short one.
struct Extension {
    filters: [Option<Filter>; SLOTS],
    special: u8,
    dictionary: bool,
}

impl Extension {
    fn parse(element_size: usize) -> impl FnMut(&[u8]) -> Parsed<'_, Self> {
        move |start| {
            let (i, ids) = field("filters", bytes::<SLOTS>).parse(start)?;
            let (i, _) = field("codec and its meta byte", bytes::<2>).parse(i)?;
            let (i, metas) = field("filter meta bytes", bytes::<SLOTS>).parse(i)?;
            let (i, _) = field("more flags", flags(1, "a block of variable length")).parse(i)?;
            let (i, blosc2) = field("Blosc2 flags", flags(0x88, "a lazy chunk")).parse(i)?;
            let filters =
                undo_order(ids, metas, element_size).map_err(|p| Failure::at(start, p))?;
            Ok((i, Self { filters, special: blosc2 >> 4 & 7, dictionary: blosc2 & 1 != 0 }))
        }
    }

    fn from_flags(flags: u8, element_size: usize) -> Result<Self, Problem> {
        let shuffle = match flags & (SHUFFLE | BIT_SHUFFLE) {
            SHUFFLE => 1,
            BIT_SHUFFLE => 2,
            _ => 0,
        };
        let delta = if flags & DELTA == 0 { 0 } else { 3 };
        let filters = undo_order([0, 0, 0, 0, delta, shuffle], [0; SLOTS], element_size)?;
        Ok(Self { filters, special: 0, dictionary: false })
    }

    fn body(&self, flags: u8) -> Result<Body, Problem> {
        Ok(match self.special {
            0 if flags & MEMCPYED != 0 => Body::Stored,
            0 => Body::Blocks {
                codec: Codec::from_format(flags >> 5)?,
                split: flags & NOT_SPLIT == 0,
                dictionary: self.dictionary,
            },
            1 | 4 => Body::Zeros,
            2 => Body::Nan,
            3 => Body::Value,
            _ => return Err(Problem::invalid("a special kind that the format does not have")),
        })
    }
}

/// Bytes of the long header.
pub(super) const LONG_LEN: usize = 32;

/// The header of a chunk of `stored_len` bytes, which `is_stored` or consists of blocks.
pub(super) fn encode(plan: &Plan<'_>, is_stored: bool, stored_len: usize) -> [u8; LONG_LEN] {
    let settings = plan.settings;
    let stored = if is_stored { MEMCPYED } else { 0 };
    let split = if plan.splits() { 0 } else { NOT_SPLIT };
    // Where compression was not tried, the C library says nothing of how it would have been done.
    let how = if plan.compresses() { split | settings.compressor.format() << 5 } else { 0 };
    let flags = EXTENDED | stored | how;
    let element_size = settings.element_size.to_le_bytes()[0];
    let mut header = [0; LONG_LEN];
    let fields: [&[u8]; 6] = [
        &[5, 1, flags, element_size],
        &i32_bytes(plan.decoded_len),
        &i32_bytes(plan.block_size),
        &i32_bytes(stored_len),
        // The last of the filters' slots, and the codec for those who do not look at the flags.
        &[0, 0, 0, 0, 0, settings.transform.id()],
        &[settings.compressor.code()],
    ];
    for (to, from) in header.iter_mut().zip(fields.into_iter().flatten()) {
        *to = *from;
    }
    header
}

/// The largest i32: no size in a chunk is larger.
const MAX_SIZE: usize = 0x7fff_ffff;

fn version(input: &[u8]) -> Parsed<'_, u8> {
    let (rest, found) = byte(input)?;
    if VERSIONS.contains(&found) {
        Ok((rest, found))
    } else {
        Err(Failure::at(input, Problem::Version { found, known: VERSIONS }))
    }
}

fn element_size(input: &[u8]) -> Parsed<'_, usize> {
    let (rest, found) = byte(input)?;
    if found == 0 {
        return Err(Failure::at(input, Problem::Range { found: 0, min: 1, max: 255 }));
    }
    Ok((rest, found.into()))
}

fn decoded_len<'a>(max: usize) -> impl FnMut(&'a [u8]) -> Parsed<'a, usize> {
    move |input: &'a [u8]| {
        let (rest, found) = le_size(0, MAX_SIZE)(input)?;
        if found > max {
            let (found, max) = (found as u64, max as u64);
            let problem = Problem::Limit { what: "decoded bytes", found, max };
            return Err(Failure::at(input, problem));
        }
        Ok((rest, found))
    }
}

/// One byte of flags, of which none of `refused` may be set.
fn flags<'a>(refused: u8, what: &'static str) -> impl FnMut(&'a [u8]) -> Parsed<'a, u8> {
    move |input: &'a [u8]| {
        let (rest, found) = byte(input)?;
        if found & refused != 0 {
            return Err(Failure::at(input, Problem::unsupported(what)));
        }
        Ok((rest, found))
    }
}

/// The filters with something to undo, last applied first.
fn undo_order(
    ids: [u8; SLOTS],
    metas: [u8; SLOTS],
    element_size: usize,
) -> Result<[Option<Filter>; SLOTS], Problem> {
    let mut filters = [None; SLOTS];
    for ((filter, id), meta) in filters.iter_mut().zip(ids.iter().rev()).zip(metas.iter().rev()) {
        *filter = Filter::from_id(*id, *meta, element_size)?;
    }
    Ok(filters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse_at;
    use std::string::ToString;
    use std::vec::Vec;

    /// A zstd chunk of 4 MiB of 2-byte elements in two blocks, bit-shuffled.
    fn header() -> Vec<u8> {
        let mut bytes = std::vec![5, 1, 0x95, 2];
        for size in [4_i32 << 20, 2 << 20, 1000] {
            bytes.extend(size.to_le_bytes());
        }
        bytes.extend([0, 0, 0, 0, 0, 2, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    }

    fn parse(bytes: &[u8]) -> Result<Header, crate::FormatError> {
        parse_at(Header::NAME, 0x100, bytes, Header::parse(2000, 8 << 20))
    }

    #[test]
    fn reads_a_long_header() {
        let header = parse(&header()).unwrap();
        assert_eq!(header.filters[0], Some(Filter::BitShuffle));
        assert_eq!(header.block_count(), 2);
        let body = Body::Blocks { codec: Codec::Zstd, split: false, dictionary: false };
        assert_eq!(header.body, body);
    }

    #[test]
    fn reads_a_short_header() {
        let mut bytes = header();
        bytes.truncate(16);
        (bytes[0], bytes[2]) = (2, 0x01 | 0x08);
        let header = parse(&bytes).unwrap();
        let shuffle = Some(Filter::Shuffle { element_size: 2 });
        assert_eq!(header.filters, [shuffle, Some(Filter::Delta), None, None, None, None]);
        assert_eq!(header.len, 16);
    }

    #[test]
    fn errors_name_the_field_and_its_place() {
        let text = |place: usize, value: u8| {
            let mut bytes = header();
            bytes[place] = value;
            parse(&bytes).unwrap_err().to_string()
        };
        let known = "Blosc2 chunk at byte 0x100: field";
        assert_eq!(
            text(0, 6),
            std::format!(
                "{known} `version` at byte 0x100: version 6 is not supported (known: [2, 5])"
            )
        );
        assert_eq!(
            text(7, 1),
            std::format!(
                "{known} `decoded bytes` at byte 0x104: decoded bytes: 20971520 is over the limit of 8388608"
            )
        );
        assert_eq!(
            text(14, 1),
            std::format!(
                "{known} `stored bytes` at byte 0x10c: 66536 is not in the range from 32 to 2000"
            )
        );
        assert_eq!(
            text(31, 8),
            std::format!("{known} `Blosc2 flags` at byte 0x11f: a lazy chunk is not supported")
        );
        assert_eq!(
            parse(&header()[..30]).unwrap_err().to_string(),
            std::format!("{known} `more flags` at byte 0x11e: the structure ends early")
        );
    }
}

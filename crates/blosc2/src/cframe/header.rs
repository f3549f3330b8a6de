//! The header of a frame: a msgpack array of 14 values, of which the last is the metalayers.

#![warn(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use alloc::vec::Vec;
use core::ops::Range;

use nom::Parser;
use nom::number::complete::u8 as byte;

use crate::chunk::encode::Plan;
use crate::encode::{write_int32, write_int64, write_uint64};
use crate::error::Problem;
use crate::parse::{Failure, Parsed, field, int32, int64, marker, markers, skipped, uint64};

/// Bytes of the header without metalayers, and of the smallest section for them.
pub(super) const FIXED_LEN: usize = 87;
const NO_METALAYERS_LEN: usize = 10;

/// Bytes of the smallest index chunk: its header.
const MIN_INDEX_LEN: usize = 32;

/// Where the chunk size stands.
pub(super) const CHUNK_SIZE_OFFSET: usize = 57;

/// The newest frame format that is read. Version 3 adds only what is refused by its own flags.
const MAX_VERSION: u8 = 3;

const VARIABLE_CHUNKS: u8 = 0x40;
const VARIABLE_BLOCKS: u8 = 0x80;

/// The header of a frame. Integers are big-endian, each after its msgpack type byte.
///
/// | offset | bytes | field |
/// | --- | --- | --- |
/// | 0 | 1 + 9 | array of 14, the string `b2frame\0` |
/// | 10 | 5 | header length, metalayers included |
/// | 15 | 9 | frame length, trailer included |
/// | 24 | 1 + 1 | flags: bits 0 to 3 version, 6 chunks and 7 blocks of variable length |
/// | 26 | 1 | frame type, 0 |
/// | 27 | 2 | codec and level; split mode: as asked for, each chunk says what it has |
/// | 29 | 9 | decoded bytes |
/// | 38 | 9 | bytes of the chunks section |
/// | 47 | 5 | element size |
/// | 52 | 5 | block size, likewise |
/// | 57 | 5 | chunk size; 0 if it varies |
/// | 62 | 3 + 3 | threads of the writer |
/// | 68 | 1 | has metalayers of variable length |
/// | 69 | 18 | filters and codec, likewise |
/// | 87 | | metalayers |
#[derive(Debug, Clone)]
pub(super) struct FrameHeader {
    /// Bytes of the header, metalayers included.
    pub(super) len: usize,
    /// Bytes of the frame.
    pub(super) frame_len: usize,
    /// Bytes that the chunks decode to.
    pub(super) decoded_len: usize,
    /// Bytes of the chunks section, which follows the header.
    pub(super) chunks_len: usize,
    /// Bytes of one element, never 0.
    pub(super) element_size: usize,
    /// Decoded bytes of every chunk but the last, never 0.
    pub(super) chunk_size: usize,
}

impl FrameHeader {
    pub(super) const NAME: &str = "Blosc2 frame header";

    /// Reads the header of a frame that has `available` bytes at most and may decode to `max_decoded` bytes.
    pub(super) fn parse(
        available: usize,
        max_decoded: usize,
    ) -> impl FnMut(&[u8]) -> Parsed<'_, Self> {
        move |i| {
            let (i, ()) = field("magic", markers(b"\x9e\xa8b2frame\0")).parse(i)?;
            let min_len = FIXED_LEN.saturating_add(NO_METALAYERS_LEN);
            let (i, len) = field("header length", int32(min_len, available)).parse(i)?;
            let min_len = len.saturating_add(MIN_INDEX_LEN);
            let (i, frame_len) = field("frame length", uint64(min_len, available)).parse(i)?;
            let (i, ()) = field("flags", marker(0xa4)).parse(i)?;
            let (i, ()) = field("flags", general_flags).parse(i)?;
            let (i, ()) = field("frame type", frame_type).parse(i)?;
            let (i, ()) = field("codec and split mode", skipped(2)).parse(i)?;
            let (i, decoded_len) = field("decoded bytes", decoded_len(max_decoded)).parse(i)?;
            let max_chunks = frame_len.saturating_sub(min_len);
            let (i, chunks_len) = field("bytes of the chunks", int64(0, max_chunks)).parse(i)?;
            let (i, element_size) = field("element size", int32(1, MAX_SIZE)).parse(i)?;
            let (i, _) = field("block size", int32(0, MAX_SIZE)).parse(i)?;
            let (i, chunk_size) = field("chunk size", int32(1, MAX_SIZE)).parse(i)?;
            let (i, ()) = field("threads", skipped(6)).parse(i)?;
            let (i, ()) = field("variable-length metalayers", skipped(1)).parse(i)?;
            let (i, ()) = field("filters", skipped(18)).parse(i)?;
            Ok((i, Self { len, frame_len, decoded_len, chunks_len, element_size, chunk_size }))
        }
    }

    /// Number of chunks, the last one perhaps short.
    pub(super) fn chunk_count(&self) -> usize {
        self.decoded_len.div_ceil(self.chunk_size)
    }

    /// The decoded bytes that chunk `index` holds.
    pub(super) fn chunk_range(&self, index: usize) -> Range<usize> {
        let start = index.saturating_mul(self.chunk_size).min(self.decoded_len);
        start..start.saturating_add(self.chunk_size).min(self.decoded_len)
    }
}

/// The header of a frame that is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewHeader<'a> {
    /// Its one chunk.
    pub(super) plan: Plan<'a>,
    /// Bytes of the chunk, 0 when the index says what it is.
    pub(super) chunks_len: usize,
    /// Bytes of the header with its metalayers.
    pub(super) len: usize,
    /// Bytes of the frame.
    pub(super) frame_len: usize,
}

impl NewHeader<'_> {
    /// Writes all that stands before the metalayers.
    pub(super) fn encode(&self) -> Vec<u8> {
        let Plan { settings, decoded_len, block_size } = self.plan;
        let code = settings.compressor.code();
        let mut header = Vec::with_capacity(FIXED_LEN);
        header.extend_from_slice(b"\x9e\xa8b2frame\0");
        write_int32(self.len, &mut header);
        write_uint64(self.frame_len, &mut header);
        // Version 2 with offsets of 64 bits; contiguous; level and codec; split as old readers know it.
        header.extend([0xa4, 0x12, 0, settings.level << 4 | code, 3]);
        write_int64(decoded_len, &mut header);
        write_int64(self.chunks_len, &mut header);
        write_int32(settings.element_size, &mut header);
        write_int32(block_size, &mut header);
        write_int32(decoded_len, &mut header);
        // Threads of writer and reader; no metalayers of variable length.
        header.extend([0xd1, 0, 0, 0xd1, 0, 1, 0xc2]);
        header.extend([0xd8, 6, 0, 0, 0, 0, 0, settings.transform.id(), code]);
        header.extend([0; 9]);
        header
    }
}

/// The largest i32.
const MAX_SIZE: usize = 0x7fff_ffff;

fn general_flags(input: &[u8]) -> Parsed<'_, ()> {
    let (rest, flags) = byte(input)?;
    let version = flags & 0x0f;
    let problem = if version > MAX_VERSION {
        Problem::Version { found: version, known: &[0, 1, 2, MAX_VERSION] }
    } else if flags & VARIABLE_CHUNKS != 0 {
        Problem::unsupported("a frame with chunks of variable length")
    } else if flags & VARIABLE_BLOCKS != 0 {
        Problem::unsupported("a frame with blocks of variable length")
    } else {
        return Ok((rest, ()));
    };
    Err(Failure::at(input, problem))
}

fn frame_type(input: &[u8]) -> Parsed<'_, ()> {
    match byte(input)? {
        (rest, 0) => Ok((rest, ())),
        _ => Err(Failure::at(input, Problem::unsupported("a frame that is not contiguous"))),
    }
}

fn decoded_len<'a>(max: usize) -> impl FnMut(&'a [u8]) -> Parsed<'a, usize> {
    move |input: &'a [u8]| {
        let (rest, found) = int64(0, usize::MAX)(input)?;
        if found > max {
            let (found, max) = (found as u64, max as u64);
            let problem = Problem::Limit { what: "decoded bytes", found, max };
            return Err(Failure::at(input, problem));
        }
        Ok((rest, found))
    }
}

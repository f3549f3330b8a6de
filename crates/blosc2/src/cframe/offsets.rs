//! Where the chunks of a frame are: an i64 for each, in a chunk of its own.

#![warn(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use alloc::vec;
use alloc::vec::Vec;

use super::header::FrameHeader;
use crate::chunk::{Chunk, nan};
use crate::error::{Error, FormatError, Problem};
use crate::scratch::Scratch;

/// Bytes of an offset.
const OFFSET_BYTES: usize = 8;

/// The most chunks of one frame that are read: their offsets take 512 KiB then. Frames in HDF5 files have one.
const MAX_CHUNKS: usize = 1 << 16;

/// Bytes of a chunk's header.
const CHUNK_HEADER_LEN: usize = 16;

/// Where a chunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// At this offset of the chunks section.
    Stored(usize),
    /// Nowhere: all its bytes are zero, or were never initialised.
    Zeros,
    /// Nowhere: all its elements are the same NaN.
    Nan,
}

/// Decodes the index of a frame: the chunk at the start of `index`, which is `start` bytes into the frame.
///
/// An offset counts from the end of the header. A negative one says with its top byte what the chunk is instead.
pub(super) fn read_offsets(
    header: &FrameHeader,
    start: usize,
    index: &[u8],
) -> Result<Vec<Place>, Error> {
    let at_start = |problem| FormatError {
        structure: "Blosc2 frame index",
        field: None,
        start,
        offset: start,
        problem,
    };
    let count = header.chunk_count();
    if count > MAX_CHUNKS {
        let (found, max) = (count as u64, MAX_CHUNKS as u64);
        return Err(at_start(Problem::Limit { what: "chunks of a frame", found, max }).into());
    }
    if count == 0 {
        return Ok(Vec::new());
    }
    let len = count.saturating_mul(OFFSET_BYTES);
    let chunk = Chunk::parse_at(start, index, len)?;
    if chunk.decoded_len() != len {
        return Err(at_start(Problem::invalid("not one offset for each chunk")).into());
    }
    let mut bytes = vec![0; len];
    chunk.decode(&mut Scratch::new(), &mut bytes)?;
    let (offsets, _) = bytes.as_chunks::<OFFSET_BYTES>();
    let places = offsets.iter().map(|offset| place(i64::from_le_bytes(*offset), header));
    Ok(places.collect::<Result<_, _>>().map_err(at_start)?)
}

/// The index of a frame of one chunk: the first, or one that is all zeros. A chunk that stores one offset.
pub(super) fn encode(is_zero: bool) -> [u8; ENCODED_LEN] {
    let mut index = [0; ENCODED_LEN];
    let top = if is_zero { ZEROS } else { 0 };
    let fields: [&[u8]; 6] = [
        &[5, 1, 7, 8],
        &[8, 0, 0, 0, 8, 0, 0, 0],
        &[ENCODED_LEN.to_le_bytes()[0], 0, 0, 0],
        &[0, 0, 0, 0, 0, 1],
        &[0; 10],
        &[0, 0, 0, 0, 0, 0, 0, top],
    ];
    for (to, from) in index.iter_mut().zip(fields.into_iter().flatten()) {
        *to = *from;
    }
    index
}

/// Bytes of what [`encode`] gives.
pub(super) const ENCODED_LEN: usize = 40;

/// The top byte of the offset of a chunk that is all zeros.
const ZEROS: u8 = 0x81;

fn place(offset: i64, header: &FrameHeader) -> Result<Place, Problem> {
    if offset < 0 {
        let [.., top] = offset.to_le_bytes();
        return match top & 0x7f {
            1 | 4 => Ok(Place::Zeros),
            2 => match header.chunk_size.checked_rem(nan(header.element_size).len()) {
                Some(0) => Ok(Place::Nan),
                _ => Err(Problem::invalid("NaN for elements that have none")),
            },
            _ => Err(Problem::invalid("a special chunk of no known kind")),
        };
    }
    let max = header.chunks_len.saturating_sub(CHUNK_HEADER_LEN);
    match usize::try_from(offset) {
        Ok(found) if found <= max && header.chunks_len >= CHUNK_HEADER_LEN => {
            Ok(Place::Stored(found))
        }
        _ => {
            let max = i64::try_from(max).unwrap_or(i64::MAX);
            Err(Problem::Range { found: offset, min: 0, max })
        }
    }
}

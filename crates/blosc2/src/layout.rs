//! The `b2nd` metalayer: how an n-d array lies in the chunks and blocks of a frame.
//!
//! The array is a grid of chunks, a chunk a grid of blocks, both row-major, as are the elements of a block. Each chunk is
//! padded to whole blocks; chunks at the far edges of the array are padded to whole chunks.

#![warn(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use alloc::vec::Vec;

use nom::Parser;
use nom::multi::count;
use nom::number::complete::u8 as byte;

use crate::encode::{write_array, write_int32, write_int64};
use crate::error::{Error, Problem};
use crate::parse::{Failure, Parsed, field, int32, int64, marker};
use crate::region::Steps;

/// The largest rank of an array.
pub(crate) const MAX_RANK: usize = 16;

/// Shapes of an array, of its chunks and of their blocks, in elements, slowest axis first.
///
/// | bytes | field |
/// | --- | --- |
/// | 1 + 1 | array of 7 (5 in `caterva`), version 0 |
/// | 1 | rank |
/// | 1 + 9 n | shape |
/// | 1 + 5 n | chunk shape |
/// | 1 + 5 n | block shape |
/// | … | format and text of the element type, which reading does not need |
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    shape: Vec<usize>,
    chunk_shape: Vec<usize>,
    block_shape: Vec<usize>,
    /// Number of chunks.
    chunk_count: usize,
    /// Elements of a chunk, padded to whole blocks.
    padded_chunk_elements: usize,
    /// Elements of a block.
    block_elements: usize,
}

impl Layout {
    pub(crate) const NAME: &str = "b2nd metalayer";

    pub(crate) fn parse(start: &[u8]) -> Parsed<'_, Self> {
        let (i, ()) = field("array", array).parse(start)?;
        let (i, ()) = field("version", marker(0)).parse(i)?;
        let (i, rank) = field("rank", rank).parse(i)?;
        let axes = marker(array_of(rank));
        let (i, shape) = field("shape", (axes, count(int64(1, MAX_DIM), rank))).parse(i)?;
        let axes = marker(array_of(rank));
        let (i, chunk_shape) =
            field("chunk shape", (axes, count(int32(1, MAX_DIM), rank))).parse(i)?;
        let axes = marker(array_of(rank));
        let (i, block_shape) =
            field("block shape", (axes, count(int32(1, MAX_DIM), rank))).parse(i)?;
        let layout = Self::new(shape.1, chunk_shape.1, block_shape.1)
            .ok_or(Failure::at(start, Problem::invalid("the array has too many elements")))?;
        Ok((i, layout))
    }

    /// A layout of these shapes, no axis of which is 0; `None` when there are more elements than can be counted.
    fn new(shape: Vec<usize>, chunk_shape: Vec<usize>, block_shape: Vec<usize>) -> Option<Self> {
        let chunks = shape.iter().zip(&chunk_shape).map(|(n, chunk)| Some(n.div_ceil(*chunk)));
        let padded =
            chunk_shape.iter().zip(&block_shape).map(|(n, b)| n.checked_next_multiple_of(*b));
        let chunk_count = product(chunks)?;
        let padded_chunk_elements = product(padded)?;
        let block_elements = product(block_shape.iter().copied().map(Some))?;
        Some(Self {
            shape,
            chunk_shape,
            block_shape,
            chunk_count,
            padded_chunk_elements,
            block_elements,
        })
    }

    /// The layout of an array that is one chunk; `None` as for [`Layout::new`].
    pub(crate) fn of_chunk(shape: &[usize], block_shape: Vec<usize>) -> Option<Self> {
        Self::new(shape.to_vec(), shape.to_vec(), block_shape)
    }

    /// Writes the metalayer for elements of `element_size` bytes, whose type is told by nothing but that.
    pub(crate) fn encode(&self, element_size: usize) -> Vec<u8> {
        let mut content = Vec::new();
        content.extend([0x97, 0, self.shape.len().to_le_bytes()[0]]);
        write_array(&self.shape, write_int64, &mut content);
        write_array(&self.chunk_shape, write_int32, &mut content);
        write_array(&self.block_shape, write_int32, &mut content);
        let name = alloc::format!("|V{element_size}");
        content.extend([0, 0xdb, 0, 0, 0, name.len().to_le_bytes()[0]]);
        content.extend_from_slice(name.as_bytes());
        content
    }

    /// Extent of the array.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Extent of a chunk, without padding.
    pub fn chunk_shape(&self) -> &[usize] {
        &self.chunk_shape
    }

    /// Extent of a block.
    pub fn block_shape(&self) -> &[usize] {
        &self.block_shape
    }

    /// The blocks that a box touches, chunk by chunk: what there is to do to decode it.
    ///
    /// The box has `shape` elements from `start` on. The steps are independent of each other.
    ///
    /// # Errors
    /// [`Error::Request`] when the box leaves the array.
    pub fn steps(&self, start: &[usize], shape: &[usize]) -> Result<Steps<'_>, Error> {
        Steps::new(self, start, shape)
    }

    pub(crate) fn chunk_count(&self) -> usize {
        self.chunk_count
    }

    pub(crate) fn padded_chunk_elements(&self) -> usize {
        self.padded_chunk_elements
    }

    pub(crate) fn block_elements(&self) -> usize {
        self.block_elements
    }
}

fn product(mut factors: impl Iterator<Item = Option<usize>>) -> Option<usize> {
    factors.try_fold(1_usize, |product, factor| product.checked_mul(factor?))
}

/// The largest i32: no axis of a chunk or block is longer, and none of an array that fits in one.
const MAX_DIM: usize = 0x7fff_ffff;

fn array(input: &[u8]) -> Parsed<'_, ()> {
    match byte(input)? {
        (rest, 0x95..=0x97) => Ok((rest, ())),
        (_, found) => Err(Failure::at(input, Problem::Marker { found, expected: 0x97 })),
    }
}

fn rank(input: &[u8]) -> Parsed<'_, usize> {
    let (rest, found) = byte(input)?;
    let rank = usize::from(found);
    if !(1..=MAX_RANK).contains(&rank) {
        return Err(Failure::at(input, Problem::Range { found: found.into(), min: 1, max: 16 }));
    }
    Ok((rest, rank))
}

/// The msgpack type byte for an array of `rank` values. Quirk: the C library goes on counting for 16, which msgpack
/// calls a string.
pub(crate) fn array_of(rank: usize) -> u8 {
    0x90_u8.saturating_add(u8::try_from(rank).unwrap_or(u8::MAX))
}

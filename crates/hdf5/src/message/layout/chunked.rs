//! Chunks in a data layout message: their extent, and the index that finds them.

use alloc::vec::Vec;

use nom::Parser;
use nom::number::complete::le_u8;

use super::chunk_index::{ChunkIndex, SINGLE_CHUNK_FILTERED};
use crate::encode::Encoder;
use crate::error::Problem;
use crate::limits::MAX_RANK;
use crate::parse::{
    Address, Failure, Parsed, Sizes, address, checked, count, field, flags, uint, width_of,
};

/// Chunks, and the index that finds them.
///
/// | bytes | field | versions |
/// | --- | --- | --- |
/// | 1 | flags | 4, 5 |
/// | 1 | dimensionality: rank + 1 | 3 to 5 |
/// | offset | B-tree address | 3 |
/// | 1 | dimension size width | 4, 5 |
/// | 4 or width, × dimensionality | dimension sizes; the last is the element size | 3 to 5 |
/// | 1 | chunk index type | 4, 5 |
/// | | the index's own fields | 4, 5 |
/// | offset | index address | 4, 5 |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkedLayout {
    /// Version of the message: it decides how wide a chunk's stored size is in an index.
    pub(crate) version: u8,
    /// Extent of a chunk in elements, each at least 1, slowest axis first.
    pub(crate) chunk_dims: Vec<u64>,
    /// Bytes of one element.
    pub(crate) element_size: u64,
    /// Chunks that cross the extent's edge are stored without filters.
    pub(crate) partial_chunks_unfiltered: bool,
    /// How chunks are found.
    pub(crate) index: ChunkIndex,
    /// Where the index, or the only chunk, is; `None` before anything was written.
    pub(crate) address: Option<Address>,
}

const PARTIAL_CHUNKS_UNFILTERED: u8 = 0b01;

impl ChunkedLayout {
    pub(super) fn parse_3(sizes: Sizes, i: &[u8]) -> Parsed<'_, Self> {
        let (i, rank) = field("dimensionality", at_most_stored_rank).parse(i)?;
        let (i, address) = field("B-tree address", address(sizes)).parse(i)?;
        let (rest, dims) = field("dimension sizes", count(dim(4), rank)).parse(i)?;
        let (chunk_dims, element_size) = split_dims(i, dims)?;
        Ok((
            rest,
            Self {
                version: 3,
                chunk_dims,
                element_size,
                partial_chunks_unfiltered: false,
                index: ChunkIndex::BTree1,
                address,
            },
        ))
    }

    /// Versions 4 and 5.
    pub(super) fn parse_4(sizes: Sizes, version: u8, i: &[u8]) -> Parsed<'_, Self> {
        let known = PARTIAL_CHUNKS_UNFILTERED | SINGLE_CHUNK_FILTERED;
        let (i, flags) = field("flags", flags(known)).parse(i)?;
        let (i, rank) = field("dimensionality", at_most_stored_rank).parse(i)?;
        let (i, width) = field("dimension size width", dim_width).parse(i)?;
        let (rest, dims) = field("dimension sizes", count(dim(width), rank)).parse(i)?;
        let (chunk_dims, element_size) = split_dims(i, dims)?;
        let (i, index) = ChunkIndex::parse(sizes, flags, rest)?;
        let (i, address) = field("index address", address(sizes)).parse(i)?;
        let partial_chunks_unfiltered = flags & PARTIAL_CHUNKS_UNFILTERED != 0;
        Ok((
            i,
            Self { version, chunk_dims, element_size, partial_chunks_unfiltered, index, address },
        ))
    }

    /// Writes version 4, without the fields before the flags.
    pub(super) fn encode(&self, out: &mut Encoder) {
        let dims = || self.chunk_dims.iter().copied().chain([self.element_size]);
        let width = width_of(dims().max().unwrap_or(0));
        let partial = if self.partial_chunks_unfiltered { PARTIAL_CHUNKS_UNFILTERED } else { 0 };
        out.u8(partial | self.index.flags());
        out.uint(dims().count() as u64, 1);
        out.u8(width);
        dims().for_each(|dim| out.uint(dim, width));
        self.index.encode(out);
        out.address(self.address);
    }
}

/// The stored dimensionality of chunks counts the element size as one more dimension.
pub(super) fn at_most_stored_rank(i: &[u8]) -> Parsed<'_, usize> {
    let max = MAX_RANK.saturating_add(1);
    crate::parse::at_most(max).map(usize::from).parse(i)
}

fn dim_width(i: &[u8]) -> Parsed<'_, u8> {
    checked(le_u8, |width| match width {
        1..=8 => Ok(()),
        _ => Err(Problem::invalid(alloc::format!("{width} bytes for a dimension, not 1 to 8"))),
    })(i)
}

pub(super) fn dim<'a>(width: u8) -> impl Fn(&'a [u8]) -> Parsed<'a, u64> + Clone {
    move |i| uint(width)(i)
}

/// Takes the element size off the dimensions, and refuses a chunk without extent.
pub(super) fn split_dims(
    dims_start: &[u8],
    mut dims: Vec<u64>,
) -> Result<(Vec<u64>, u64), nom::Err<Failure>> {
    let refuse = |problem| Err(Failure::named("dimension sizes", dims_start, problem));
    let element_size = match dims.pop() {
        Some(size) if !dims.is_empty() => size,
        _ => return refuse(Problem::invalid("chunks without an axis")),
    };
    if element_size == 0 || dims.contains(&0) {
        return refuse(Problem::invalid("a chunk of extent 0"));
    }
    Ok((dims, element_size))
}

//! Key of a chunk in a version 1 B-tree. Spec: HDF5 File Format 3.0, III.A.1.

use alloc::vec::Vec;

use nom::Parser;
use nom::number::complete::{le_u32, le_u64};

use crate::error::Problem;
use crate::parse::{Parsed, count, field};

/// What the tree says of a chunk; its address is the child beside the key.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | stored size |
/// | 4 | filter mask |
/// | 8 × rank | offsets: first element along each axis |
/// | 8 | 0: the offset within an element |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkKey {
    pub(crate) stored_bytes: u64,
    pub(crate) filter_mask: u32,
    /// First element along each axis.
    pub(crate) start: Vec<u64>,
}

impl ChunkKey {
    pub(crate) const NAME: &str = "B-tree key of a chunk";

    /// Reads a key for a dataset of this rank.
    pub(crate) fn parse<'a>(rank: usize) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> + Clone {
        move |i| {
            let (i, stored_bytes) = field("chunk size", le_u32.map(u64::from)).parse(i)?;
            let (i, filter_mask) = field("filter mask", le_u32).parse(i)?;
            let (i, start) = field("chunk offsets", count(le_u64, rank)).parse(i)?;
            let (i, _) = field("element offset", le_u64).parse(i)?;
            Ok((i, Self { stored_bytes, filter_mask, start }))
        }
    }

    /// The place in the grid of chunks; a [`Problem`] when the offsets are not those of a chunk.
    pub(crate) fn chunk_coord(&self, chunk_dims: &[u64]) -> Result<Vec<u64>, Problem> {
        let mut coord = Vec::with_capacity(chunk_dims.len());
        for (start, chunk) in self.start.iter().zip(chunk_dims) {
            if start.checked_rem(*chunk) != Some(0) {
                return Err(Problem::invalid("chunk offsets that are not those of a chunk"));
            }
            coord.push(start.checked_div(*chunk).unwrap_or(0));
        }
        Ok(coord)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Bytes;

    #[test]
    fn a_key_gives_the_place_in_the_grid() {
        let bytes = Bytes::new().u32(99).u32(2).u64(8).u64(15).u64(0).build();
        let (rest, key) = ChunkKey::parse(2)(&bytes).unwrap();
        assert!(rest.is_empty());
        assert_eq!((key.stored_bytes, key.filter_mask), (99, 2));
        assert_eq!(key.chunk_coord(&[4, 5]), Ok([2, 3].to_vec()));
        assert!(key.chunk_coord(&[4, 4]).is_err());
    }
}

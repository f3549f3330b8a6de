//! Chunk records of a version 2 B-tree, types 10 and 11. Spec: HDF5 File Format 3.0, VII.E.

use alloc::vec::Vec;

use nom::Parser;
use nom::number::complete::le_u64;

use super::{ChunkEntry, EntryFormat};
use crate::encode::Encoder;
use crate::parse::{Parsed, count, field};

/// Record of a chunk.
///
/// | bytes | field |
/// | --- | --- |
/// | offset | chunk address |
/// | size width | stored size, type 11 only |
/// | 4 | filter mask, type 11 only |
/// | 8 × rank | place in the grid of chunks |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkRecord {
    pub(crate) entry: Option<ChunkEntry>,
    pub(crate) chunk_coord: Vec<u64>,
}

impl ChunkRecord {
    pub(crate) const NAME: &str = "B-tree record of a chunk";

    /// Bytes of a record.
    pub(crate) fn len(format: EntryFormat, rank: usize) -> usize {
        format.width().saturating_add(rank.saturating_mul(8))
    }

    /// Reads a record for a dataset of this rank.
    pub(crate) fn parse<'a>(
        format: EntryFormat,
        rank: usize,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> + Clone {
        move |i| {
            let (i, entry) = format.parse()(i)?;
            let (i, chunk_coord) = field("chunk coordinates", count(le_u64, rank)).parse(i)?;
            Ok((i, Self { entry, chunk_coord }))
        }
    }

    /// Writes a record.
    pub(crate) fn encode(&self, format: EntryFormat, out: &mut Encoder) {
        format.encode(self.entry, out);
        for at in &self.chunk_coord {
            out.u64(*at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encoded;
    use crate::parse::{Address, Sizes};
    use alloc::vec::Vec;
    use proptest::prelude::*;
    use testkit::Bytes;

    proptest! {
        #[test]
        fn any_record_reads_back(
            filtered: bool,
            chunk_bytes in 1_u64..1 << 40,
            (address, mask) in (0..u64::MAX, any::<u32>()),
            share in 0_u64..=100,
            chunk_coord in proptest::collection::vec(any::<u64>(), 1..5),
        ) {
            let sizes = Sizes { offset: 8, length: 8 };
            let format = EntryFormat::new(sizes, 4, chunk_bytes, filtered);
            let stored_bytes =
                if filtered { (chunk_bytes / 100 * share).max(1) } else { chunk_bytes };
            let filter_mask = if filtered { mask } else { 0 };
            let entry = ChunkEntry { address: Address(address), stored_bytes, filter_mask };
            let record = ChunkRecord { entry: Some(entry), chunk_coord };
            let bytes: Vec<u8> = encoded(sizes, |out| record.encode(format, out));
            let rank = record.chunk_coord.len();
            prop_assert_eq!(bytes.len(), ChunkRecord::len(format, rank));
            let (rest, found) = ChunkRecord::parse(format, rank)(&bytes).unwrap();
            prop_assert!(rest.is_empty());
            prop_assert_eq!(found, record);
        }
    }

    #[test]
    fn records_with_and_without_filters() {
        let sizes = Sizes { offset: 8, length: 8 };
        let format = EntryFormat::new(sizes, 4, 600, true);
        let bytes = Bytes::new().u64(0x800).uint(70, 3).u32(1).u64(4).u64(5).build();
        assert_eq!(bytes.len(), ChunkRecord::len(format, 2));
        let (_, record) = ChunkRecord::parse(format, 2)(&bytes).unwrap();
        let entry = ChunkEntry { address: Address(0x800), stored_bytes: 70, filter_mask: 1 };
        assert_eq!(record, ChunkRecord { entry: Some(entry), chunk_coord: [4, 5].to_vec() });
        assert_eq!(encoded(sizes, |out| record.encode(format, out)), bytes);

        let format = EntryFormat::new(sizes, 4, 600, false);
        let bytes = Bytes::new().u64(0x800).u64(4).build();
        let (_, record) = ChunkRecord::parse(format, 1)(&bytes).unwrap();
        let entry = ChunkEntry { address: Address(0x800), stored_bytes: 600, filter_mask: 0 };
        assert_eq!(record, ChunkRecord { entry: Some(entry), chunk_coord: [4].to_vec() });
        assert_eq!(encoded(sizes, |out| record.encode(format, out)), bytes);
    }
}

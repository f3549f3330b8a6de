//! Writes the structures of a fractal heap, without filters and without a manager of free space.

use super::{BlockChild, BlockPlace, FractalHeap, HAS_CHECKSUMS, HeapId, HugeObject};
use crate::checksum::lookup3;
use crate::encode::Encoder;
use crate::parse::{Address, Sizes};

/// What the header counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct HeapStatistics {
    /// Bytes that blocks below the root have left, whether allocated or not.
    pub(crate) free_space: u64,
    /// Bytes of heap that the root block covers.
    pub(crate) managed_space: u64,
    /// Bytes of direct blocks.
    pub(crate) allocated: u64,
    /// Where a new block would be looked for, in bytes of heap.
    pub(crate) next_block: u64,
    pub(crate) managed_objects: u64,
    pub(crate) huge_bytes: u64,
    pub(crate) huge_objects: u64,
}

impl FractalHeap {
    /// An empty heap for links, with the parameters that libhdf5 uses.
    pub(crate) fn for_links() -> Self {
        Self::empty(7, 512, 32)
    }

    /// An empty heap for attributes, likewise.
    pub(crate) fn for_attributes() -> Self {
        Self::empty(8, 1024, 40)
    }

    fn empty(id_len: u16, start_block_len: u64, max_heap_bits: u16) -> Self {
        Self {
            id_len,
            checksummed: true,
            max_managed_len: 4096,
            huge_tree: None,
            width: 4,
            start_block_len,
            max_direct_block_len: 64 << 10,
            max_heap_bits,
            root: None,
            rows: 0,
            filters: None,
        }
    }

    /// Writes the header.
    pub(crate) fn encode(&self, statistics: &HeapStatistics, out: &mut Encoder) {
        const STARTING_ROWS: u16 = 1;
        out.bytes(b"FRHP");
        out.u8(0);
        out.u16(self.id_len);
        out.u16(0);
        out.u8(if self.checksummed { HAS_CHECKSUMS } else { 0 });
        out.u32(self.max_managed_len);
        // Keys of huge objects count from 1.
        out.length(if statistics.huge_objects == 0 {
            0
        } else {
            statistics.huge_objects.saturating_add(1)
        });
        out.address(self.huge_tree);
        out.length(statistics.free_space);
        out.address(None);
        out.length(statistics.managed_space);
        out.length(statistics.allocated);
        out.length(statistics.next_block);
        out.length(statistics.managed_objects);
        out.length(statistics.huge_bytes);
        out.length(statistics.huge_objects);
        out.length(0);
        out.length(0);
        out.uint(self.width, 2);
        out.length(self.start_block_len);
        out.length(self.max_direct_block_len);
        out.u16(self.max_heap_bits);
        out.u16(STARTING_ROWS);
        out.address(self.root);
        out.u16(self.rows);
        out.seal();
    }

    /// Writes an indirect block of the heap at `owner`, with all of its children.
    pub(crate) fn encode_indirect_block(
        &self,
        owner: Address,
        heap_offset: u64,
        children: &[BlockChild],
        out: &mut Encoder,
    ) {
        self.encode_block_head(*b"FHIB", owner, heap_offset, out);
        for child in children {
            out.address(child.address);
        }
        out.seal();
    }

    /// Writes a direct block of `len` bytes of the heap at `owner`, with its objects one after the other.
    pub(crate) fn encode_direct_block(
        &self,
        owner: Address,
        (heap_offset, len): (u64, usize),
        objects: &[u8],
        out: &mut Encoder,
    ) {
        let block = |checksum: u32| {
            let mut block = Encoder::new(out.sizes());
            self.encode_block_head(*b"FHDB", owner, heap_offset, &mut block);
            if self.checksummed {
                block.u32(checksum);
            }
            block.bytes(objects);
            block.zeros(len.saturating_sub(block.len()));
            block.finish()
        };
        out.bytes(&block(lookup3(&block(0))));
    }

    fn encode_block_head(
        &self,
        signature: [u8; 4],
        owner: Address,
        heap_offset: u64,
        out: &mut Encoder,
    ) {
        out.bytes(&signature);
        out.u8(0);
        out.address(Some(owner));
        out.uint(heap_offset, self.offset_width());
    }

    /// Bytes of a direct block before its objects.
    pub(crate) fn direct_block_head_len(&self, sizes: Sizes) -> u64 {
        let checksum = if self.checksummed { 4 } else { 0 };
        self.block_head_len(sizes).saturating_add(checksum)
    }

    /// The direct block that covers `offset`, as if the root had all of its rows.
    pub(crate) fn direct_block_at(&self, offset: u64) -> BlockPlace {
        let mut place = self.root_direct_block();
        let (mut rows, mut heap_offset) = (self.max_rows(), 0);
        while let Some(child) = self.child_at(rows, heap_offset, offset) {
            place = child;
            (rows, heap_offset) = (child.rows.unwrap_or(0), child.heap_offset);
        }
        place
    }

    /// The children of an indirect block of `rows` rows from `heap_offset` on, in their order.
    pub(crate) fn children_of(
        &self,
        rows: u16,
        heap_offset: u64,
    ) -> impl Iterator<Item = BlockPlace> {
        let (direct, indirect) = self.children(rows);
        let mut next = heap_offset;
        (0..direct.saturating_add(indirect)).map_while(move |_| {
            let place = self.child_at(rows, heap_offset, next)?;
            next = next.saturating_add(place.len);
            Some(place)
        })
    }

    /// The fewest rows of a root block that covers the heap up to `end`; 0 when a direct block does.
    pub(crate) fn rows_to(&self, end: u64) -> u16 {
        if end <= self.start_block_len {
            return 0;
        }
        (1..self.max_rows()).find(|rows| self.space(*rows) >= end).unwrap_or(self.max_rows())
    }

    /// Bytes of heap that the root block covers.
    pub(crate) fn root_space(&self) -> u64 {
        if self.rows == 0 { self.start_block_len } else { self.space(self.rows) }
    }

    /// Bytes that the direct blocks below the root have for objects, if all are allocated.
    pub(crate) fn root_room(&self, sizes: Sizes) -> u64 {
        let head_len = self.direct_block_head_len(sizes);
        match self.rows {
            0 => self.start_block_len.saturating_sub(head_len),
            rows => self.room(rows, head_len),
        }
    }

    fn space(&self, rows: u16) -> u64 {
        let row = |row| self.row_block_len(row).saturating_mul(self.width);
        (0..rows).map(row).fold(0, u64::saturating_add)
    }

    fn room(&self, rows: u16, head_len: u64) -> u64 {
        let child = |row: u16| {
            let len = self.row_block_len(row);
            if row < self.direct_rows() {
                len.saturating_sub(head_len)
            } else {
                self.room(self.rows_of(len), head_len)
            }
        };
        (0..rows).map(|row| child(row).saturating_mul(self.width)).fold(0, u64::saturating_add)
    }

    /// The largest object that is put in a block.
    pub(crate) fn max_managed_len(&self) -> usize {
        usize::try_from(self.max_managed_len).unwrap_or(usize::MAX)
    }
}

impl HeapId {
    /// Writes an ID of the heap, as long as its IDs are. Tiny objects are not written; huge ones are found by a key.
    pub(crate) fn encode(&self, heap: &FractalHeap, out: &mut Encoder) {
        let end = out.len().saturating_add(heap.id_len.into());
        match self {
            Self::Managed(place) => {
                out.u8(0);
                out.uint(place.start, heap.offset_width());
                out.uint(place.end.saturating_sub(place.start), heap.length_width());
            }
            Self::Huge(_) | Self::Tiny(_) => {}
            Self::HugeKey(key) => {
                out.u8(1 << 4);
                // At most 8.
                out.uint(*key, heap.id_len.saturating_sub(1).min(8) as u8);
            }
        }
        out.zeros(end.saturating_sub(out.len()));
    }
}

impl HugeObject {
    /// Writes a record of the huge objects' B-tree, type 1.
    pub(crate) fn encode_record(&self, key: u64, out: &mut Encoder) {
        out.address(Some(self.address));
        out.length(self.stored_len);
        out.length(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encoded;
    use crate::parse::parse_at;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    const SIZES: Sizes = Sizes { offset: 8, length: 8 };
    const OWNER: Address = Address(0x900);

    proptest! {
        #[test]
        fn reads_what_it_writes(
            links: bool,
            root in proptest::option::of(0..u64::MAX),
            huge_tree in proptest::option::of(0..u64::MAX),
            rows in 0_u16..20,
            heap_offset in 0_u64..1 << 32,
            addresses in proptest::collection::vec(proptest::option::of(0..u64::MAX), 64),
            objects in proptest::collection::vec(any::<u8>(), 0..400),
        ) {
            let empty = if links { FractalHeap::for_links() } else { FractalHeap::for_attributes() };
            let (root, huge_tree) = (root.map(Address), huge_tree.map(Address));
            let heap = FractalHeap { huge_tree, root, rows, ..empty };
            let bytes = encoded(SIZES, |out| heap.encode(&HeapStatistics::default(), out));
            prop_assert_eq!(bytes.len() as u64, FractalHeap::fixed_len(SIZES) + 4);
            let read = parse_at(FractalHeap::NAME, 0, &bytes, FractalHeap::parse(SIZES));
            prop_assert_eq!(read.as_ref(), Ok(&heap));

            let child = |address: &Option<u64>| BlockChild { address: address.map(Address), filtered: None };
            let rows = u16::try_from(addresses.len() / 4).unwrap();
            let children: Vec<_> = addresses.iter().map(child).collect();
            let bytes = encoded(SIZES, |out| heap.encode_indirect_block(OWNER, heap_offset, &children, out));
            prop_assert_eq!(bytes.len() as u64, heap.indirect_block_len(SIZES, rows));
            let parser = heap.indirect_block(SIZES, OWNER, heap_offset, rows);
            let read = parse_at(FractalHeap::INDIRECT_NAME, 0, &bytes, parser).unwrap();
            prop_assert_eq!(read.children, children);

            let bytes = encoded(SIZES, |out| heap.encode_direct_block(OWNER, (heap_offset, 512), &objects, out));
            prop_assert_eq!(bytes.len(), 512);
            let parser = heap.check_direct_block(SIZES, OWNER, heap_offset);
            prop_assert_eq!(parse_at(FractalHeap::DIRECT_NAME, 0, &bytes, parser), Ok(()));
            let head = usize::try_from(heap.direct_block_head_len(SIZES)).unwrap();
            prop_assert_eq!(&bytes[head..head + objects.len()], &objects);
        }

        #[test]
        fn reads_the_ids_it_writes(links: bool, start in 0_u64..1 << 32, len in 0_u64..1 << 16, key in 0_u64..1 << 48) {
            let heap = if links { FractalHeap::for_links() } else { FractalHeap::for_attributes() };
            for id in [HeapId::Managed(start..start + len), HeapId::HugeKey(key)] {
                let bytes = encoded(SIZES, |out| id.encode(&heap, out));
                prop_assert_eq!(bytes.len(), usize::from(heap.id_len));
                prop_assert_eq!(parse_at("ID", 0, &bytes, HeapId::parse(&heap, SIZES)), Ok(id));
            }
            let huge = HugeObject { address: Address(start), stored_len: len, filtered: None };
            let bytes = encoded(SIZES, |out| huge.encode_record(key, out));
            let read = parse_at("record", 0, &bytes, HugeObject::parse_record(SIZES, false));
            prop_assert_eq!(read, Ok((key, huge)));
        }
    }
}

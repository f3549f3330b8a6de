//! The objects of a fractal heap, placed in its blocks one after the other.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::super::SIZES;
use super::super::blob::Blob;
use super::{NODE_SIZE, tree};
use crate::btree::v2::record;
use crate::encode::encoded;
use crate::heap::fractal::{
    BlockChild, BlockPlace, FractalHeap, HeapId, HeapStatistics, HugeObject,
};
use crate::parse::{Address, byte_count};

/// The objects of a heap, by where they will be.
pub(super) struct Objects<'o> {
    heap: FractalHeap,
    ids: Vec<HeapId>,
    /// Direct blocks that are used, by the heap offset of their first byte: their length and their objects.
    blocks: BTreeMap<u64, (u64, Vec<u8>)>,
    huge: Vec<&'o [u8]>,
    statistics: HeapStatistics,
}

impl<'o> Objects<'o> {
    /// Fills direct blocks in the order of the heap. Blocks too short for the next object are skipped.
    pub(super) fn place(heap: FractalHeap, objects: &[&'o [u8]]) -> Self {
        let head_len = heap.direct_block_head_len(SIZES);
        let mut block = heap.root_direct_block();
        let mut used = head_len;
        let mut placed = Self {
            heap,
            ids: Vec::new(),
            blocks: BTreeMap::new(),
            huge: Vec::new(),
            statistics: HeapStatistics::default(),
        };
        for object in objects {
            if object.len() > placed.heap.max_managed_len() {
                placed.huge.push(object);
                placed.ids.push(HeapId::HugeKey(placed.huge.len() as u64));
                continue;
            }
            let len = object.len() as u64;
            while used.saturating_add(len) > block.len {
                block = placed.heap.direct_block_at(block.heap_offset.saturating_add(block.len));
                used = head_len;
            }
            let start = block.heap_offset.saturating_add(used);
            used = used.saturating_add(len);
            placed.ids.push(HeapId::Managed(start..start.saturating_add(len)));
            let (_, content) =
                placed.blocks.entry(block.heap_offset).or_insert((block.len, Vec::new()));
            content.extend_from_slice(object);
        }
        placed
    }

    /// Adds the heap to `blob`; its address, and the IDs of the objects.
    pub(super) fn add(mut self, blob: &mut Blob) -> (Address, Vec<HeapId>) {
        let at = blob.reserve(FractalHeap::fixed_len(SIZES).saturating_add(4));
        let last = self.blocks.last_key_value().map(|(start, (len, _))| (*start, *len));
        if let Some((start, len)) = last {
            self.heap.rows = self.heap.rows_to(start.saturating_add(len));
            self.heap.root = if self.heap.rows == 0 {
                self.direct_block(at, self.heap.root_direct_block(), blob)
            } else {
                Some(self.indirect_block(at, 0, self.heap.rows, blob))
            };
            self.count(start.saturating_add(len));
        }
        self.add_huge(blob);
        blob.fill(at, |out| self.heap.encode(&self.statistics, out));
        (at, self.ids)
    }

    fn count(&mut self, end: u64) {
        let Self { heap, statistics, blocks, ids, huge, .. } = self;
        let objects: u64 = blocks.values().map(|(_, content)| content.len() as u64).sum();
        statistics.managed_space = heap.root_space();
        statistics.allocated = blocks.values().map(|(len, _)| len).sum();
        statistics.next_block = if heap.rows == 0 { 0 } else { end };
        statistics.managed_objects = ids.len().saturating_sub(huge.len()) as u64;
        statistics.free_space = heap.root_room(SIZES).saturating_sub(objects);
    }

    /// Adds a direct block, if it is used.
    fn direct_block(&self, owner: Address, place: BlockPlace, blob: &mut Blob) -> Option<Address> {
        let (len, content) = self.blocks.get(&place.heap_offset)?;
        let place = (place.heap_offset, byte_count(*len));
        Some(blob.add(|out| self.heap.encode_direct_block(owner, place, content, out)))
    }

    /// Adds an indirect block of `rows` rows from `heap_offset` on, with everything below it.
    fn indirect_block(
        &self,
        owner: Address,
        heap_offset: u64,
        rows: u16,
        blob: &mut Blob,
    ) -> Address {
        let at = blob.reserve(self.heap.indirect_block_len(SIZES, rows));
        let mut children = Vec::new();
        for place in self.heap.children_of(rows, heap_offset) {
            let end = place.heap_offset.saturating_add(place.len);
            let is_used = self.blocks.range(place.heap_offset..end).next().is_some();
            let address = match place.rows {
                None => self.direct_block(owner, place, blob),
                Some(rows) => {
                    is_used.then(|| self.indirect_block(owner, place.heap_offset, rows, blob))
                }
            };
            children.push(BlockChild { address, filtered: None });
        }
        blob.fill(at, |out| self.heap.encode_indirect_block(owner, heap_offset, &children, out));
        at
    }

    /// Adds the objects that are too large for blocks, and the tree that finds them by their keys.
    fn add_huge(&mut self, blob: &mut Blob) {
        if self.huge.is_empty() {
            return;
        }
        let mut records = vec![];
        for (key, object) in (1..).zip(&self.huge) {
            let address = blob.add(|out| out.bytes(object));
            let stored_len = object.len() as u64;
            let place = HugeObject { address, stored_len, filtered: None };
            records.push(encoded(SIZES, |out| place.encode_record(key, out)));
            self.statistics.huge_bytes = self.statistics.huge_bytes.saturating_add(stored_len);
        }
        self.statistics.huge_objects = self.huge.len() as u64;
        self.heap.huge_tree = Some(tree::add(record::HUGE, NODE_SIZE, &records, blob));
    }
}

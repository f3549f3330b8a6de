//! Fetches objects from a fractal heap.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use core::ops::Range;

use bytes::Bytes;

use super::btree::TreeV2;
use super::storage::{Allowance, Block, Storage, required, whole};
use crate::btree::v2::record;
use crate::error::{Error, Problem};
use crate::filter::{Pipeline, Scratch};
use crate::heap::fractal::{
    BlockChild, BlockPlace, FractalHeap, HeapId, HugeObject, IndirectBlock,
};
use crate::limits::within;
use crate::parse::{Address, parse_at};

/// A heap, and the blocks of it that were needed so far.
pub(crate) struct FractalHeapReader<'s> {
    storage: &'s Storage,
    address: Address,
    heap: FractalHeap,
    /// By the heap offset of their first byte.
    direct: BTreeMap<u64, Arc<Block>>,
    indirect: BTreeMap<Address, Arc<IndirectBlock>>,
    allowance: Allowance,
}

impl<'s> FractalHeapReader<'s> {
    /// Reads the heap's header at `address`.
    pub(crate) fn open(storage: &'s Storage, address: Address) -> Result<Self, Error> {
        let sizes = storage.sizes();
        let start = storage.prefix(FractalHeap::NAME, address, FractalHeap::fixed_len(sizes))?;
        let len = start.parse(FractalHeap::NAME, |i| FractalHeap::len(sizes, i))?;
        let block = storage.block(FractalHeap::NAME, address, len)?;
        let heap = block.parse(FractalHeap::NAME, FractalHeap::parse(sizes))?;
        Ok(Self {
            storage,
            address,
            heap,
            direct: BTreeMap::new(),
            indirect: BTreeMap::new(),
            allowance: storage.allowance(),
        })
    }

    /// Bytes of a heap ID.
    pub(crate) fn id_len(&self) -> usize {
        self.heap.id_len.into()
    }

    /// The object that `id` stands for; `id_offset` is where the ID is in the file.
    pub(crate) fn object(&mut self, id: &[u8], id_offset: u64) -> Result<Block, Error> {
        let parser = HeapId::parse(&self.heap, self.storage.sizes());
        let object = match parse_at("fractal heap ID", id_offset, id, parser)? {
            HeapId::Managed(place) => self.managed(&place, id_offset)?,
            HeapId::Huge(huge) => self.huge(huge)?,
            HeapId::HugeKey(key) => {
                let huge = self.find_huge(key, id_offset)?;
                self.huge(huge)?
            }
            // An ID starts with one byte of its own.
            HeapId::Tiny(bytes) => {
                Block { offset: id_offset.saturating_add(1), bytes: bytes.into() }
            }
        };
        self.allowance.take(FractalHeap::OBJECT_NAME, id_offset, object.bytes.len())?;
        Ok(object)
    }

    fn managed(&mut self, place: &Range<u64>, id_offset: u64) -> Result<Block, Error> {
        let refuse = |problem: &'static str| {
            whole(FractalHeap::OBJECT_NAME, id_offset, Problem::invalid(problem))
        };
        let (block, covered) = self.block_at(place.start, id_offset)?;
        let start = place.start.saturating_sub(covered.start);
        let end = place.end.saturating_sub(covered.start);
        // What does not fit memory is not in the block either.
        let at = |offset| usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes =
            block.bytes.get(at(start)..at(end)).ok_or_else(|| refuse("it ends past its block"))?;
        let bytes = block.bytes.slice_ref(bytes);
        Ok(Block { offset: block.offset.saturating_add(start), bytes })
    }

    /// The direct block that covers the heap offset `offset`, and the heap offsets that it covers.
    fn block_at(&mut self, offset: u64, id_offset: u64) -> Result<(Arc<Block>, Range<u64>), Error> {
        let known = self.direct.range(..=offset).next_back();
        if let Some((start, block)) = known {
            let covered = *start..start.saturating_add(block.bytes.len() as u64);
            if covered.contains(&offset) {
                return Ok((Arc::clone(block), covered));
            }
        }
        let (place, child) = self.find_block(offset, id_offset)?;
        let block = Arc::new(self.direct_block(place, child)?);
        self.direct.insert(place.heap_offset, Arc::clone(&block));
        Ok((block, place.heap_offset..place.heap_offset.saturating_add(place.len)))
    }

    /// Descends from the root to the direct block that covers `offset`.
    fn find_block(
        &mut self,
        offset: u64,
        id_offset: u64,
    ) -> Result<(BlockPlace, BlockChild), Error> {
        let nowhere = || {
            let problem = alloc::format!("no block covers heap offset {offset:#x}");
            whole(FractalHeap::OBJECT_NAME, id_offset, Problem::invalid(problem))
        };
        let root = self.heap.root.ok_or_else(nowhere)?;
        if self.heap.rows == 0 {
            let place = self.heap.root_direct_block();
            let filtered = self.heap.filters.as_ref().map(|f| (f.root_len, f.root_mask));
            let child = BlockChild { address: Some(root), filtered };
            return if offset < place.len { Ok((place, child)) } else { Err(nowhere()) };
        }
        let (mut address, mut rows, mut heap_offset) = (root, self.heap.rows, 0);
        for _ in 0..=self.storage.limits().max_depth {
            let block = self.indirect_block(address, heap_offset, rows)?;
            let place = self.heap.child_at(rows, heap_offset, offset).ok_or_else(nowhere)?;
            let number = usize::try_from(place.child).unwrap_or(usize::MAX);
            let child = *block.children.get(number).ok_or_else(nowhere)?;
            let child_address = child.address.ok_or_else(nowhere)?;
            match place.rows {
                None => return Ok((place, child)),
                Some(below) => {
                    (address, rows, heap_offset) = (child_address, below, place.heap_offset);
                }
            }
        }
        let max = self.storage.limits().max_depth.into();
        let problem = Problem::Limit {
            what: "nesting of indirect blocks",
            found: u64::saturating_add(max, 1),
            limit: "max_depth",
            max,
        };
        Err(whole(FractalHeap::INDIRECT_NAME, self.storage.offset(address), problem))
    }

    fn indirect_block(
        &mut self,
        address: Address,
        heap_offset: u64,
        rows: u16,
    ) -> Result<Arc<IndirectBlock>, Error> {
        if let Some(block) = self.indirect.get(&address) {
            return Ok(Arc::clone(block));
        }
        let sizes = self.storage.sizes();
        let len = self.heap.indirect_block_len(sizes, rows);
        let block = self.storage.block(FractalHeap::INDIRECT_NAME, address, len)?;
        let parser = self.heap.indirect_block(sizes, self.address, heap_offset, rows);
        let parsed = Arc::new(block.parse(FractalHeap::INDIRECT_NAME, parser)?);
        self.indirect.insert(address, Arc::clone(&parsed));
        Ok(parsed)
    }

    fn direct_block(&self, place: BlockPlace, child: BlockChild) -> Result<Block, Error> {
        let name = FractalHeap::DIRECT_NAME;
        let address = required(name, self.storage.offset(self.address), child.address)?;
        let stored_len = child.filtered.map_or(place.len, |(len, _)| len);
        let mut block = self.storage.block(name, address, stored_len)?;
        if let Some((_, mask)) = child.filtered {
            block.bytes = self.decode(name, &block, mask, place.len)?;
        }
        let sizes = self.storage.sizes();
        block.parse(name, self.heap.check_direct_block(sizes, self.address, place.heap_offset))?;
        Ok(block)
    }

    fn huge(&self, huge: HugeObject) -> Result<Block, Error> {
        let name = FractalHeap::OBJECT_NAME;
        let mut block = self.storage.block(name, huge.address, huge.stored_len)?;
        if let Some((mask, len)) = huge.filtered {
            block.bytes = self.decode(name, &block, mask, len)?;
        }
        Ok(block)
    }

    fn find_huge(&self, key: u64, id_offset: u64) -> Result<HugeObject, Error> {
        let filtered = self.heap.filters.is_some();
        let kinds: &[u8] = if filtered { &[record::HUGE_FILTERED] } else { &[record::HUGE] };
        let name = FractalHeap::OBJECT_NAME;
        let tree = required(name, id_offset, self.heap.huge_tree)?;
        let tree = TreeV2::open(self.storage, tree, kinds)?;
        let parse = |record: super::btree::Stored<'_>| {
            let parser = HugeObject::parse_record(self.storage.sizes(), filtered);
            parse_at(HugeObject::RECORD_NAME, record.offset, record.bytes, parser)
        };
        let mut found = None;
        tree.search(
            |record| Ok(parse(record)?.0.cmp(&key)),
            |record| {
                found = Some(parse(record)?.1);
                Ok(())
            },
        )?;
        found.ok_or_else(|| {
            let problem = Problem::invalid(alloc::format!("there is no huge object {key}"));
            whole(name, id_offset, problem)
        })
    }

    /// Takes the heap's filters off a block or a huge object that decodes to `len` bytes.
    fn decode(
        &self,
        name: &'static str,
        block: &Block,
        mask: u32,
        len: u64,
    ) -> Result<Bytes, Error> {
        let refuse = |problem| whole(name, block.offset, problem);
        let max = self.storage.limits().max_block_bytes;
        within("bytes of one structure", len, "max_block_bytes", max).map_err(refuse)?;
        let pipeline = Pipeline {
            registry: self.storage.filters(),
            filters: self.heap.filters.as_ref().map_or(&[], |filters| &filters.pipeline.filters),
            chunk_dims: &[len],
            element_size: 1,
            // Fits memory: a limit of ours caps it.
            chunk_bytes: usize::try_from(len).unwrap_or(usize::MAX),
        };
        let mut scratch = Scratch::default();
        let decoded = pipeline
            .decode(mask, &block.bytes, &mut scratch)
            .map_err(|refusal| refuse(refusal.problem))?;
        Ok(Bytes::copy_from_slice(decoded))
    }
}

#[cfg(test)]
mod tests;

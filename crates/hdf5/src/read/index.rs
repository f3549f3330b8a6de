//! Walks chunk indexes: the entries of the chunks that a window needs, or of all of them.

mod extensible_array;
mod fixed_array;
mod tree;

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::storage::{Storage, whole};
use crate::chunk_index::extensible_array::{ExtensibleArray, IndexBlock, SuperBlock};
use crate::chunk_index::fixed_array::FixedArray;
use crate::chunk_index::{ChunkEntry, ChunkGrid, ChunkRegion, EntryFormat, PageBitmap, implicit};
use crate::error::{Error, Problem};
use crate::message::layout::{ChunkIndex, ChunkedLayout, Layout};
use crate::parse::Address;

/// A chunk's place in the grid, and in the file.
pub(super) type Located = (Vec<u64>, ChunkEntry);

/// Part of an array: `None` for chunks that were never written.
type Entries = Arc<Vec<Option<ChunkEntry>>>;

/// The chunk index of a dataset.
pub(super) struct Index<'d> {
    pub(super) storage: &'d Storage,
    /// The address of the dataset's header, under which parsed structures are kept.
    pub(super) dataset: Address,
    pub(super) layout: &'d ChunkedLayout,
    pub(super) grid: ChunkGrid,
    pub(super) format: EntryFormat,
    /// Bytes of a decoded chunk.
    pub(super) chunk_bytes: u64,
}

/// A structure of an index that was parsed before, by its dataset and its offset in the file.
pub(super) type IndexKey = (Address, u64);

/// What was parsed of an index, kept for the next read.
#[derive(Debug, Clone)]
pub(super) enum IndexPart {
    FixedArray(Arc<FixedArray>),
    ExtensibleArray(Arc<ExtensibleArray>),
    IndexBlock(Arc<IndexBlock>),
    SuperBlock(Arc<SuperBlock>),
    Bitmap(Arc<PageBitmap>),
    Entries(Entries),
    /// All chunks of a tree, in C order.
    Tree(Arc<Vec<Located>>),
}

/// Bytes that parsed indexes of one file may take, about.
pub(super) const INDEX_BYTES: usize = 32 << 20;

impl Index<'_> {
    /// The chunks of `region` that were written, in C order.
    pub(super) fn of_region(&self, region: &ChunkRegion) -> Result<Vec<Located>, Error> {
        let Some(address) = self.layout.address else { return Ok(Vec::new()) };
        let mut found = match &self.layout.index {
            ChunkIndex::SingleChunk { filtered } => {
                let only = self.only_chunk(address, *filtered);
                [only].into_iter().filter(|(coord, _)| region.contains(coord)).collect()
            }
            ChunkIndex::Implicit => self.implicit(address, region)?,
            ChunkIndex::FixedArray { .. } => self.of_fixed_array(address, region)?,
            ChunkIndex::ExtensibleArray(_) => self.of_extensible_array(address, region)?,
            ChunkIndex::BTree1 | ChunkIndex::BTree2 { .. } => {
                tree::of_region(&self.tree(address)?, region)
            }
        };
        found.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        Ok(found)
    }

    /// All chunks that were written and reach into the extent, in C order.
    pub(super) fn all(&self) -> Result<Vec<Located>, Error> {
        let Some(address) = self.layout.address else { return Ok(Vec::new()) };
        let mut found = match &self.layout.index {
            ChunkIndex::SingleChunk { filtered } => [self.only_chunk(address, *filtered)].into(),
            ChunkIndex::Implicit => self.implicit(address, &self.all_chunks()?)?,
            ChunkIndex::FixedArray { .. } => self.all_of_fixed_array(address)?,
            ChunkIndex::ExtensibleArray(_) => self.all_of_extensible_array(address)?,
            ChunkIndex::BTree1 | ChunkIndex::BTree2 { .. } => self.tree(address)?.to_vec(),
        };
        found.retain(|(coord, _)| self.grid.contains(coord));
        found.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        Ok(found)
    }

    fn only_chunk(&self, address: Address, filtered: Option<(u64, u32)>) -> Located {
        let (stored_bytes, filter_mask) = filtered.unwrap_or((self.chunk_bytes, 0));
        let coord = alloc::vec![0; self.grid.chunk_dims().len()];
        (coord, ChunkEntry { address, stored_bytes, filter_mask })
    }

    fn implicit(&self, start: Address, region: &ChunkRegion) -> Result<Vec<Located>, Error> {
        let numbering = self.grid.numbering().map_err(|problem| self.refuse(problem))?;
        let file_len = self.storage.source().len();
        let mut found = Vec::new();
        for coord in region.coords() {
            // Nothing else bounds their number: each must have its bytes.
            let entry = numbering
                .number(&coord)
                .and_then(|number| implicit::entry(start, self.chunk_bytes, number))
                .filter(|entry| self.storage.offset(entry.address) < file_len)
                .ok_or_else(|| self.refuse(Problem::invalid("chunks past the end of the file")))?;
            found.push((coord, entry));
        }
        Ok(found)
    }

    /// Every chunk of the extent, as long as they are not too many.
    fn all_chunks(&self) -> Result<ChunkRegion, Error> {
        let max = self.storage.limits().max_chunks;
        self.grid.region(max).map_err(|problem| self.refuse(problem))
    }

    /// An error about the index as the layout message describes it.
    fn refuse(&self, problem: Problem) -> Error {
        whole(Layout::NAME, self.storage.offset(self.dataset), problem)
    }

    /// What was parsed before at this address.
    fn kept(&self, address: Address) -> Option<IndexPart> {
        self.storage.chunk_indexes.with(|kept| kept.get((self.dataset, address.0)))
    }

    /// Keeps what was parsed at this address, about `entries` entries.
    fn keep(&self, address: Address, parsed: IndexPart, entries: usize) {
        let weight = entries.saturating_add(1).saturating_mul(size_of::<Option<ChunkEntry>>());
        let key = (self.dataset, address.0);
        self.storage.chunk_indexes.with(|kept| kept.insert(key, parsed, weight));
    }
}

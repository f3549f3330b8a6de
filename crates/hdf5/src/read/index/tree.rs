//! Reads B-trees of chunks, whole: their nodes say too little of what is below them to be worth more.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Index, IndexPart, Located};
use crate::btree::{v1, v2};
use crate::chunk_index::btree1::ChunkKey;
use crate::chunk_index::btree2::ChunkRecord;
use crate::chunk_index::{ChunkEntry, ChunkRegion};
use crate::error::{Error, Problem};
use crate::limits::within;
use crate::message::layout::ChunkIndex;
use crate::parse::{Address, parse_at};
use crate::read::btree::{Stored, TreeV2, walk_v1};
use crate::read::storage::whole;

/// The chunks of `region` among `all`, which are in C order.
pub(super) fn of_region(all: &[Located], region: &ChunkRegion) -> Vec<Located> {
    let few = region.count().is_some_and(|count| count < all.len() as u64 / 8);
    if !few {
        return all.iter().filter(|(coord, _)| region.contains(coord)).cloned().collect();
    }
    let mut found = Vec::new();
    for wanted in region.coords() {
        let place = all.binary_search_by(|(coord, _)| coord.cmp(&wanted)).ok();
        found.extend(place.and_then(|place| all.get(place)).cloned());
    }
    found
}

impl Index<'_> {
    /// All chunks of the tree at `address`, in C order.
    pub(super) fn tree(&self, address: Address) -> Result<Arc<Vec<Located>>, Error> {
        if let Some(IndexPart::Tree(chunks)) = self.kept(address) {
            return Ok(chunks);
        }
        let mut chunks = match self.layout.index {
            ChunkIndex::BTree1 => self.tree_v1(address)?,
            _ => self.tree_v2(address)?,
        };
        chunks.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        if chunks.windows(2).any(|pair| matches!(pair, [(a, _), (b, _)] if a == b)) {
            return Err(self.refuse(Problem::invalid("a chunk that the index holds twice")));
        }
        let chunks = Arc::new(chunks);
        // A place in the grid takes some bytes as well.
        self.keep(address, IndexPart::Tree(chunks.clone()), chunks.len().saturating_mul(3));
        Ok(chunks)
    }

    fn tree_v1(&self, root: Address) -> Result<Vec<Located>, Error> {
        let chunk_dims = self.grid.chunk_dims();
        let kind = v1::Kind::Chunk { rank: u8::try_from(chunk_dims.len()).unwrap_or(u8::MAX) };
        let mut chunks = Vec::new();
        let visit = |stored: Stored<'_>, address: Address| {
            let key = parse_at(
                ChunkKey::NAME,
                stored.offset,
                stored.bytes,
                ChunkKey::parse(chunk_dims.len()),
            )?;
            let refuse = |problem| whole(ChunkKey::NAME, stored.offset, problem);
            let coord = key.chunk_coord(chunk_dims).map_err(refuse)?;
            let ChunkKey { stored_bytes, filter_mask, .. } = key;
            if stored_bytes > 0 {
                chunks.push((coord, ChunkEntry { address, stored_bytes, filter_mask }));
            }
            self.check_count(chunks.len())
        };
        walk_v1(self.storage, root, kind, |_, _| Ok(true), visit)?;
        Ok(chunks)
    }

    fn tree_v2(&self, header: Address) -> Result<Vec<Located>, Error> {
        let rank = self.grid.chunk_dims().len();
        let kinds: &[u8] = if self.format.is_filtered() {
            &[v2::record::FILTERED_CHUNK]
        } else {
            &[v2::record::CHUNK]
        };
        let tree = TreeV2::open(self.storage, header, kinds)?;
        let expected = ChunkRecord::len(self.format, rank);
        if usize::from(tree.header.record_size) != expected {
            let found = tree.header.record_size;
            let problem = alloc::format!("records of {found} bytes, not {expected}");
            return Err(whole(
                v2::Header::NAME,
                self.storage.offset(header),
                Problem::invalid(problem),
            ));
        }
        let mut chunks = Vec::new();
        tree.walk(|stored| {
            let parser = ChunkRecord::parse(self.format, rank);
            let record = parse_at(ChunkRecord::NAME, stored.offset, stored.bytes, parser)?;
            chunks.extend(record.entry.map(|entry| (record.chunk_coord, entry)));
            self.check_count(chunks.len())
        })?;
        Ok(chunks)
    }

    fn check_count(&self, chunks: usize) -> Result<(), Error> {
        let max = self.storage.limits().max_chunks;
        within("chunks of a dataset", chunks as u64, "max_chunks", max)
            .map_err(|problem| self.refuse(problem))
    }
}

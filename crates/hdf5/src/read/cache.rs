//! Decoded chunks that several reads share, bounded in bytes.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::lock::Lock;
use crate::lru::Lru;

/// A bounded cache of decoded chunks; readers on all threads, of one file or several, share it.
///
/// A window that takes a whole chunk passes it by, so that a scan of a large dataset does not drive out what others
/// come back for.
#[derive(Debug)]
pub struct ChunkCache {
    capacity_bytes: usize,
    chunks: Lock<Lru<ChunkKey, Arc<Vec<u8>>>>,
}

/// What decides the bytes of a decoded chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ChunkKey {
    /// The open file.
    pub(super) file: u64,
    /// Offset of the dataset's header.
    pub(super) dataset: u64,
    /// Offset of the stored chunk.
    pub(super) chunk: u64,
    pub(super) filter_mask: u32,
}

impl ChunkCache {
    /// A cache that holds at most this many decoded bytes.
    pub fn new(capacity_bytes: usize) -> Self {
        Self { capacity_bytes, chunks: Lock::new(Lru::new(capacity_bytes)) }
    }

    /// The most decoded bytes it holds.
    pub fn capacity_bytes(&self) -> usize {
        self.capacity_bytes
    }

    pub(super) fn get(&self, key: ChunkKey) -> Option<Arc<Vec<u8>>> {
        self.chunks.with(|chunks| chunks.get(key))
    }

    /// Keeps a chunk, unless it is larger than all of the cache.
    pub(super) fn insert(&self, key: ChunkKey, chunk: Arc<Vec<u8>>) {
        let weight = chunk.len();
        if weight <= self.capacity_bytes {
            self.chunks.with(|chunks| chunks.insert(key, chunk, weight));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn holds_no_more_than_it_may() {
        let cache = ChunkCache::new(100);
        let key = |chunk| ChunkKey { file: 0, dataset: 0, chunk, filter_mask: 0 };
        cache.insert(key(1), Arc::new(vec![1; 60]));
        cache.insert(key(2), Arc::new(vec![2; 101]));
        assert!(cache.get(key(1)).is_some() && cache.get(key(2)).is_none());
        cache.insert(key(3), Arc::new(vec![3; 60]));
        assert!(cache.get(key(1)).is_none() && cache.get(key(3)).is_some());
    }
}

//! Decoded chunks that several reads share, bounded in bytes.

/// A bounded cache of decoded chunks; readers on all threads share it.
#[derive(Debug)]
pub struct ChunkCache {
    capacity_bytes: usize,
}

impl ChunkCache {
    /// A cache that holds at most this many decoded bytes.
    pub fn new(capacity_bytes: usize) -> Self {
        Self { capacity_bytes }
    }

    /// The most decoded bytes it holds.
    pub fn capacity_bytes(&self) -> usize {
        self.capacity_bytes
    }
}

//! Keeps blocks of another source, so that many small reads cost few large ones.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use bytes::Bytes;

use super::{ByteSource, SourceError, check_bounds};
use crate::lock::Lock;
use crate::lru::Lru;

/// A source that reads another one in aligned blocks and keeps those used last.
///
/// Neighbouring blocks that are missing are read in one piece. A read as large as the cache passes through, and every read of a
/// source in memory.
#[derive(Debug)]
pub struct BlockCache<S> {
    source: S,
    block_bytes: u64,
    capacity_bytes: usize,
    blocks: Lock<Lru<u64, Arc<Vec<u8>>>>,
}

impl<S: ByteSource> BlockCache<S> {
    /// Keeps at most `capacity_bytes` of `source`, in blocks of `block_bytes`, at least 1.
    pub fn new(source: S, block_bytes: usize, capacity_bytes: usize) -> Self {
        Self {
            source,
            block_bytes: block_bytes.max(1) as u64,
            capacity_bytes,
            blocks: Lock::new(Lru::new(capacity_bytes)),
        }
    }

    /// The source that is read.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The numbers of the blocks that hold `range`.
    fn blocks_of(&self, range: &Range<u64>) -> Range<u64> {
        if range.is_empty() {
            return 0..0;
        }
        // A block has at least one byte.
        let number = |offset: u64| offset.checked_div(self.block_bytes).unwrap_or(0);
        number(range.start)..number(range.end.saturating_sub(1)).saturating_add(1)
    }

    /// The bytes of the file that the blocks `numbers` hold.
    fn bytes_of(&self, numbers: &Range<u64>) -> Range<u64> {
        let end = numbers.end.saturating_mul(self.block_bytes).min(self.source.len());
        numbers.start.saturating_mul(self.block_bytes)..end
    }

    /// Reads the blocks `numbers`, neighbours of which none is kept, in one piece.
    fn fetch(&self, numbers: &Range<u64>) -> Result<(), SourceError> {
        let range = self.bytes_of(numbers);
        // A run is at most one read, which is smaller than the cache, and two partial blocks around it.
        let len = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; len];
        self.source.read_at(range.start, &mut bytes)?;
        let block_bytes = usize::try_from(self.block_bytes).unwrap_or(usize::MAX);
        if numbers.end.saturating_sub(numbers.start) == 1 {
            self.blocks.with(|blocks| blocks.insert(numbers.start, Arc::new(bytes), len));
            return Ok(());
        }
        self.blocks.with(|blocks| {
            for (number, block) in numbers.clone().zip(bytes.chunks(block_bytes)) {
                blocks.insert(number, Arc::new(block.to_vec()), block.len());
            }
        });
        Ok(())
    }

    /// The runs of blocks among `numbers` that are not kept.
    fn missing(&self, numbers: Range<u64>) -> Vec<Range<u64>> {
        let mut runs: Vec<Range<u64>> = Vec::new();
        self.blocks.with(|blocks| {
            for number in numbers.filter(|number| !blocks.contains(*number)) {
                match runs.last_mut() {
                    Some(run) if run.end == number => run.end = number.saturating_add(1),
                    _ => runs.push(number..number.saturating_add(1)),
                }
            }
        });
        runs
    }

    /// Copies what `range` has in common with the block `number`; `false` when that block is not kept.
    fn copy_block(&self, number: u64, range: &Range<u64>, buf: &mut [u8]) -> bool {
        let Some(block) = self.blocks.with(|blocks| blocks.get(number)) else { return false };
        let held = self.bytes_of(&(number..number.saturating_add(1)));
        let shared = held.start.max(range.start)..held.end.min(range.end);
        let within = |origin: u64| {
            // Both are inside a block or a buffer, which fit memory.
            let at = |offset: u64| usize::try_from(offset.saturating_sub(origin)).unwrap_or(0);
            at(shared.start)..at(shared.end)
        };
        match (buf.get_mut(within(range.start)), block.get(within(held.start))) {
            (Some(to), Some(from)) => {
                to.copy_from_slice(from);
                true
            }
            _ => false,
        }
    }
}

impl<S: ByteSource> ByteSource for BlockCache<S> {
    fn len(&self) -> u64 {
        self.source.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
        check_bounds(offset, buf.len(), self.len())?;
        if buf.len() >= self.capacity_bytes || self.source.is_in_memory() {
            return self.source.read_at(offset, buf);
        }
        let range = offset..offset.saturating_add(buf.len() as u64);
        let numbers = self.blocks_of(&range);
        if numbers.end.saturating_sub(numbers.start) == 1
            && self.copy_block(numbers.start, &range, buf)
        {
            return Ok(());
        }
        let missing = self.missing(numbers.clone());
        if missing.len() > 1 {
            let ranges: Vec<_> = missing.iter().map(|run| self.bytes_of(run)).collect();
            self.source.prefetch(&ranges)?;
        }
        for run in &missing {
            self.fetch(run)?;
        }
        for number in numbers {
            if !self.copy_block(number, &range, buf) {
                // Another thread's reads pushed the block out again.
                return self.source.read_at(offset, buf);
            }
        }
        Ok(())
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<(), SourceError> {
        if self.source.is_in_memory() {
            return Ok(());
        }
        let mut missing: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            let inside = range.start..range.end.min(self.len());
            missing.extend(self.missing(self.blocks_of(&inside)).iter().map(|r| self.bytes_of(r)));
        }
        missing.sort_unstable_by_key(|range| range.start);
        missing.dedup();
        if missing.is_empty() { Ok(()) } else { self.source.prefetch(&missing) }
    }

    fn share(&self, range: &Range<u64>) -> Option<Bytes> {
        self.source.share(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::{AtomicU64, Ordering};

    /// Ten bytes per digit; counts the reads, and has nothing above `resident`.
    struct Counted {
        bytes: Vec<u8>,
        reads: AtomicU64,
        resident: AtomicU64,
    }

    impl Counted {
        fn new(len: usize) -> Self {
            Self {
                bytes: (0..=u8::MAX).cycle().take(len).collect(),
                reads: AtomicU64::new(0),
                resident: AtomicU64::new(u64::MAX),
            }
        }
    }

    impl ByteSource for Counted {
        fn len(&self) -> u64 {
            self.bytes.len() as u64
        }

        fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
            let range = offset..offset + buf.len() as u64;
            self.prefetch(core::slice::from_ref(&range))?;
            self.reads.fetch_add(1, Ordering::Relaxed);
            self.bytes.read_at(offset, buf)
        }

        fn prefetch(&self, ranges: &[Range<u64>]) -> Result<(), SourceError> {
            let resident = self.resident.load(Ordering::Relaxed);
            let missing: Vec<_> = ranges.iter().filter(|r| r.end > resident).cloned().collect();
            if missing.is_empty() {
                Ok(())
            } else {
                Err(SourceError::NotResident { ranges: missing })
            }
        }
    }

    fn read<S: ByteSource>(source: &S, offset: u64, len: usize) -> Result<Vec<u8>, SourceError> {
        let mut buf = vec![0; len];
        source.read_at(offset, &mut buf)?;
        Ok(buf)
    }

    #[test]
    fn reads_a_block_once() {
        let cache = BlockCache::new(Counted::new(100), 16, 64);
        assert_eq!(read(&cache, 20, 4).unwrap(), [20, 21, 22, 23]);
        assert_eq!(read(&cache, 18, 3).unwrap(), [18, 19, 20]);
        assert_eq!(read(&cache, 30, 4).unwrap(), [30, 31, 32, 33]);
        assert_eq!(read(&cache, 97, 3).unwrap(), [97, 98, 99]);
        assert_eq!(cache.source().reads.load(Ordering::Relaxed), 3);
        assert!(read(&cache, 98, 3).is_err());
    }

    #[test]
    fn keeps_nothing_of_a_source_in_memory() {
        let cache = BlockCache::new((0..100).collect::<Vec<u8>>(), 16, 64);
        assert_eq!(read(&cache, 20, 4).unwrap(), [20, 21, 22, 23]);
        assert!(read(&cache, 98, 3).is_err());
        cache.prefetch(&[0..40, 60..200]).unwrap();
        assert!(!cache.blocks.with(|blocks| blocks.contains(1)));
    }

    #[test]
    fn reads_neighbours_together_and_forgets_the_oldest() {
        let cache = BlockCache::new(Counted::new(100), 10, 40);
        assert_eq!(read(&cache, 5, 30).unwrap().len(), 30);
        assert_eq!(cache.source().reads.load(Ordering::Relaxed), 1);
        read(&cache, 40, 1).unwrap();
        read(&cache, 0, 1).unwrap();
        assert_eq!(cache.source().reads.load(Ordering::Relaxed), 3);
        read(&cache, 0, 100).unwrap();
        assert_eq!(cache.source().reads.load(Ordering::Relaxed), 4);
    }

    #[test]
    fn names_all_missing_ranges_at_once_and_can_be_asked_again() {
        let cache = BlockCache::new(Counted::new(100), 10, 80);
        read(&cache, 12, 1).unwrap();
        cache.source().resident.store(0, Ordering::Relaxed);
        let missing =
            |ranges: &[Range<u64>]| Err(SourceError::NotResident { ranges: ranges.to_vec() });
        assert_eq!(read(&cache, 5, 20), missing(&[0..10, 20..30]));
        assert_eq!(
            cache.prefetch(&[95..200, 10..20, 0..3]),
            missing(&[0..10, 90..100]).map(|_: Vec<u8>| ())
        );
        cache.source().resident.store(100, Ordering::Relaxed);
        assert_eq!(read(&cache, 5, 20).unwrap(), (5..25).collect::<Vec<u8>>());
    }
}

//! Byte sources that behave like the outside world.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use hdf5::{ByteSource, SourceError};

/// Bytes of a block: what a host fetches at once.
pub const BLOCK_BYTES: u64 = 4096;

/// Holds nothing until it is fetched: every block answers "not resident" the first time it is asked for.
#[derive(Debug)]
pub struct Remote {
    bytes: Vec<u8>,
    resident: Mutex<BTreeSet<u64>>,
}

impl Remote {
    /// A file on the other side.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, resident: Mutex::default() }
    }

    /// What a host does with the ranges of an answer.
    pub fn fetch(&self, ranges: &[Range<u64>]) {
        let mut resident = self.resident.lock().expect("no test panics while holding it");
        resident.extend(ranges.iter().flat_map(blocks));
    }

    /// Number of blocks fetched so far.
    pub fn fetched(&self) -> usize {
        self.resident.lock().expect("no test panics while holding it").len()
    }

    fn missing(&self, wanted: impl Iterator<Item = u64>) -> Result<(), SourceError> {
        let resident = self.resident.lock().expect("no test panics while holding it");
        let end = self.bytes.len() as u64;
        let missing = wanted.filter(|block| !resident.contains(block));
        let ranges: Vec<Range<u64>> = missing
            .map(|block| block * BLOCK_BYTES..((block + 1) * BLOCK_BYTES).min(end))
            .collect();
        if ranges.is_empty() { Ok(()) } else { Err(SourceError::NotResident { ranges }) }
    }
}

impl ByteSource for Remote {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
        hdf5::check_bounds(offset, buf.len(), self.len())?;
        self.missing(blocks(&(offset..offset + buf.len() as u64)))?;
        self.bytes.read_at(offset, buf)
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<(), SourceError> {
        self.missing(ranges.iter().flat_map(blocks))
    }
}

fn blocks(range: &Range<u64>) -> impl Iterator<Item = u64> + use<> {
    range.start / BLOCK_BYTES..range.end.div_ceil(BLOCK_BYTES)
}

/// Counts what is asked of it.
#[derive(Debug)]
pub struct Counting<S> {
    inner: S,
    reads: AtomicU64,
    bytes: AtomicU64,
}

impl<S> Counting<S> {
    /// Counts what reaches `inner`.
    pub fn new(inner: S) -> Self {
        Self { inner, reads: AtomicU64::new(0), bytes: AtomicU64::new(0) }
    }

    /// Number of reads so far.
    pub fn reads(&self) -> u64 {
        self.reads.load(Ordering::Relaxed)
    }

    /// Number of bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl<S: ByteSource> ByteSource for Counting<S> {
    fn len(&self) -> u64 {
        self.inner.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(buf.len() as u64, Ordering::Relaxed);
        self.inner.read_at(offset, buf)
    }
}

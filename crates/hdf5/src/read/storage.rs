//! What everything read from one open file shares: its bytes, its superblock, its limits, and what was parsed before.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;

use super::OpenOptions;
use super::cache::ChunkCache;
use super::index::{INDEX_BYTES, IndexKey, IndexPart};
use super::object::Node;
use crate::error::{Error, FormatError, Problem};
use crate::filter::FilterRegistry;
use crate::heap::global::Collection;
use crate::limits::{Limits, within};
use crate::lock::Lock;
use crate::lru::Lru;
use crate::parse::{Address, Parsed, Sizes, parse_at};
use crate::source::{BlockCache, ByteSource, SourceError};
use crate::superblock::{NodeSizes, Superblock};

/// Metadata is read in blocks of this size: structures of one object lie close together, objects often do not.
const METADATA_BLOCK_BYTES: usize = 4 << 10;
/// Holds the metadata of most files whole; a collection of thousands of samples passes through it.
const METADATA_CACHE_BYTES: usize = 8 << 20;
/// Most structures are not longer.
const USUAL_BYTES: u64 = 512;
/// Object headers kept, by the bytes of their blocks.
const NODE_CACHE_BYTES: usize = 8 << 20;
/// What a small file may read beyond eight times its length.
const SMALL_FILE_ALLOWANCE: u64 = 1 << 20;

/// An open file, without its public face.
pub(crate) struct Storage {
    metadata: BlockCache<Arc<dyn ByteSource>>,
    /// Where addresses count from: the place of the superblock.
    base: u64,
    pub(super) superblock: Superblock,
    pub(super) options: OpenOptions,
    charged: Lock<Charged>,
    /// Tells this open file from all others that share a cache of chunks.
    pub(crate) id: u64,
    /// Parts of chunk indexes, by what they take in memory.
    pub(super) chunk_indexes: Lock<Lru<IndexKey, IndexPart>>,
    pub(super) nodes: Lock<Lru<Address, Arc<Node>>>,
    /// Tables of heap objects; as large as the collections that were read at most, which the limits bound.
    pub(super) collections: Lock<BTreeMap<Address, Arc<Collection>>>,
}

/// Bytes of metadata that were read, each structure counted once however often it is used.
#[derive(Default)]
struct Charged {
    total: u64,
    /// In the order in which they were met.
    structures: Vec<Met>,
    /// Places in `structures`, by offset.
    by_offset: BTreeMap<u64, usize>,
}

/// A structure that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Met {
    pub(super) name: &'static str,
    /// Where it starts, in bytes from the start of the file.
    pub(super) offset: u64,
    pub(super) len: u64,
}

/// What is left of the bytes that one call may copy: many pointers may lead to the same few bytes.
pub(crate) struct Allowance {
    used: u64,
    max: u64,
}

impl Allowance {
    /// Takes `len` bytes for something of the structure at `offset`.
    pub(crate) fn take(
        &mut self,
        structure: &'static str,
        offset: u64,
        len: usize,
    ) -> Result<(), Error> {
        self.used = self.used.saturating_add(len as u64);
        within("bytes that a call copies", self.used, "max_metadata_bytes", self.max)
            .map_err(|problem| whole(structure, offset, problem))
    }
}

/// The bytes of one structure.
pub(crate) struct Block {
    /// Where it starts, in bytes from the start of the file.
    pub(crate) offset: u64,
    pub(crate) bytes: Bytes,
}

impl Block {
    /// Runs the parser of the structure `name` over the block.
    pub(crate) fn parse<'a, T>(
        &'a self,
        name: &'static str,
        parser: impl Fn(&'a [u8]) -> Parsed<'a, T>,
    ) -> Result<T, FormatError> {
        parse_at(name, self.offset, &self.bytes, parser)
    }
}

impl Storage {
    /// Finds and reads the superblock of `source`.
    pub(super) fn open(source: Arc<dyn ByteSource>, options: OpenOptions) -> Result<Self, Error> {
        let metadata = BlockCache::new(source, METADATA_BLOCK_BYTES, METADATA_CACHE_BYTES);
        let base = find_signature(&metadata)?;
        let len = Superblock::MAX_LEN.min(metadata.len().saturating_sub(base));
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
        metadata.read_at(base, &mut bytes)?;
        let superblock = parse_at(Superblock::NAME, base, &bytes, Superblock::parse)?;
        Ok(Self {
            metadata,
            base,
            superblock,
            options,
            charged: Lock::default(),
            id: next_id(),
            chunk_indexes: Lock::new(Lru::new(INDEX_BYTES)),
            nodes: Lock::new(Lru::new(NODE_CACHE_BYTES)),
            collections: Lock::default(),
        })
    }

    pub(crate) fn sizes(&self) -> Sizes {
        self.superblock.sizes
    }

    pub(crate) fn node_sizes(&self) -> NodeSizes {
        self.superblock.node_sizes
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.options.limits
    }

    pub(crate) fn filters(&self) -> &FilterRegistry {
        &self.options.filters
    }

    /// The bytes of the file, past the cache of metadata.
    pub(crate) fn source(&self) -> &Arc<dyn ByteSource> {
        self.metadata.source()
    }

    /// Where the superblock is, in bytes from the start of the file.
    pub(super) fn base(&self) -> u64 {
        self.base
    }

    /// Where `address` is, in bytes from the start of the file; past every end when that does not fit 64 bits.
    pub(crate) fn offset(&self, address: Address) -> u64 {
        self.base.saturating_add(address.0)
    }

    /// The address of what is `offset` bytes from the start of the file.
    pub(super) fn address(&self, offset: u64) -> Address {
        Address(offset.saturating_sub(self.base))
    }

    /// The bytes of the file that the `len` bytes at `address` are, which must all be inside it.
    pub(crate) fn range(
        &self,
        structure: &'static str,
        address: Address,
        len: u64,
    ) -> Result<Range<u64>, Error> {
        let offset = self.offset(address);
        let file_len = self.metadata.len();
        let how = match offset.checked_add(len) {
            Some(end) if end <= file_len => return Ok(offset..end),
            _ if offset >= file_len => "it starts".into(),
            _ => alloc::format!("its {len} bytes end"),
        };
        let problem = alloc::format!("{how} past the end of the file, which has {file_len} bytes");
        Err(whole(structure, offset, Problem::invalid(problem)))
    }

    /// Reads the `len` bytes of the metadata structure at `address`.
    pub(crate) fn block(
        &self,
        structure: &'static str,
        address: Address,
        len: u64,
    ) -> Result<Block, Error> {
        self.check_len(structure, self.offset(address), len)?;
        let range = self.range(structure, address, len)?;
        self.read(structure, &range)
    }

    fn check_len(&self, structure: &'static str, offset: u64, len: u64) -> Result<(), Error> {
        let max = self.limits().max_block_bytes;
        within("bytes of one structure", len, "max_block_bytes", max)
            .map_err(|problem| whole(structure, offset, problem))
    }

    /// Reads the metadata structure at `address`, whose length `len_of` finds in its first bytes, of which it needs at most
    /// `needed`.
    pub(crate) fn measured(
        &self,
        structure: &'static str,
        address: Address,
        needed: u64,
        len_of: impl FnOnce(&Block) -> Result<u64, FormatError>,
    ) -> Result<Block, Error> {
        // What lies in the same block of the cache costs nothing more.
        let offset = self.offset(address);
        let in_block = offset.checked_rem(METADATA_BLOCK_BYTES as u64).unwrap_or(0);
        let near = (METADATA_BLOCK_BYTES as u64).saturating_sub(in_block).min(USUAL_BYTES);
        let left = self.metadata.len().saturating_sub(offset);
        let range = self.range(structure, address, near.max(needed).min(left).max(1))?;
        let start = Block { offset: range.start, bytes: self.bytes(&range)? };
        let len = len_of(&start)?;
        self.check_len(structure, offset, len)?;
        let read = usize::try_from(len).ok().and_then(|len| start.bytes.get(..len));
        let Some(read) = read else { return self.block(structure, address, len) };
        let bytes = match self.metadata.share(&(offset..offset.saturating_add(len))) {
            Some(shared) => shared,
            // Headers are kept by the thousand: without what was read beyond them.
            None => Bytes::copy_from_slice(read),
        };
        self.charge(structure, offset, len).map_err(|problem| whole(structure, offset, problem))?;
        Ok(Block { offset, bytes })
    }

    /// Reads the structure at `address` up to `max_len` bytes, or to the end of the file, whatever comes first.
    pub(crate) fn prefix(
        &self,
        structure: &'static str,
        address: Address,
        max_len: u64,
    ) -> Result<Block, Error> {
        let left = self.metadata.len().saturating_sub(self.offset(address));
        let range = self.range(structure, address, left.min(max_len).max(1))?;
        self.read(structure, &range)
    }

    /// Reads `len` bytes of a structure that was read as a whole before, and counted then.
    pub(crate) fn value(
        &self,
        structure: &'static str,
        address: Address,
        len: u64,
    ) -> Result<Vec<u8>, Error> {
        let range = self.range(structure, address, len)?;
        match self.metadata.share(&range) {
            Some(shared) => Ok(shared.to_vec()),
            None => Ok(self.copy(&range)?),
        }
    }

    /// The bytes of `range`, which is inside the file; shared where the source has them in memory.
    fn bytes(&self, range: &Range<u64>) -> Result<Bytes, SourceError> {
        match self.metadata.share(range) {
            Some(shared) => Ok(shared),
            None => self.copy(range).map(Bytes::from),
        }
    }

    fn copy(&self, range: &Range<u64>) -> Result<Vec<u8>, SourceError> {
        let len = range.end.saturating_sub(range.start);
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
        self.metadata.read_at(range.start, &mut bytes)?;
        Ok(bytes)
    }

    /// Announces that these structures will be read soon.
    pub(super) fn prefetch_blocks(
        &self,
        blocks: impl IntoIterator<Item = (Address, u64)>,
    ) -> Result<(), Error> {
        let ranges: Vec<_> = blocks
            .into_iter()
            .map(|(address, len)| {
                let offset = self.offset(address);
                offset..offset.saturating_add(len).min(self.metadata.len())
            })
            .filter(|range| !range.is_empty())
            .collect();
        Ok(self.metadata.prefetch(&ranges)?)
    }

    /// Where decoded chunks are kept.
    pub(super) fn chunk_cache(&self) -> Option<&ChunkCache> {
        self.options.chunk_cache.as_deref()
    }

    /// Announces that the `len` bytes at each of the addresses will be read soon.
    pub(crate) fn prefetch(
        &self,
        addresses: impl IntoIterator<Item = Address>,
        len: u64,
    ) -> Result<(), Error> {
        let ranges: Vec<_> = addresses
            .into_iter()
            .map(|address| {
                let offset = self.offset(address);
                offset..offset.saturating_add(len)
            })
            .filter(|range| range.start < self.metadata.len())
            .collect();
        Ok(self.metadata.prefetch(&ranges)?)
    }

    fn read(&self, structure: &'static str, range: &Range<u64>) -> Result<Block, Error> {
        let bytes = self.bytes(range)?;
        self.charge(structure, range.start, bytes.len() as u64)
            .map_err(|problem| whole(structure, range.start, problem))?;
        Ok(Block { offset: range.start, bytes })
    }

    /// What one call may copy out of structures of this file.
    pub(crate) fn allowance(&self) -> Allowance {
        Allowance { used: 0, max: self.max_metadata_bytes() }
    }

    /// The limit, or less for a file that cannot honestly need as much.
    fn max_metadata_bytes(&self) -> u64 {
        let by_length = self.metadata.len().saturating_mul(8).saturating_add(SMALL_FILE_ALLOWANCE);
        self.limits().max_metadata_bytes.min(by_length)
    }

    /// The structures that were read so far, in the order in which they were met.
    pub(super) fn met(&self) -> Vec<Met> {
        self.charged.with(|charged| charged.structures.clone())
    }

    /// How many structures were read so far.
    pub(super) fn met_count(&self) -> usize {
        self.charged.with(|charged| charged.structures.len())
    }

    /// Counts a structure that was read. Only after it was: a repeated call must not cost more than the first.
    fn charge(&self, name: &'static str, offset: u64, len: u64) -> Result<(), Problem> {
        let total = self.charged.with(|charged| charged.add(Met { name, offset, len }));
        within("bytes of metadata", total, "max_metadata_bytes", self.max_metadata_bytes())
    }
}

impl Charged {
    /// Adds a structure, or what is new of one that was met before; the sum of all.
    fn add(&mut self, met: Met) -> u64 {
        let next = self.structures.len();
        let place = *self.by_offset.entry(met.offset).or_insert(next);
        if let Some(known) = self.structures.get_mut(place) {
            self.total = self.total.saturating_add(met.len.saturating_sub(known.len));
            known.len = known.len.max(met.len);
        } else {
            self.total = self.total.saturating_add(met.len);
            self.structures.push(met);
        }
        self.total
    }
}

/// A number that no other open file has.
fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// An error about a whole structure.
pub(crate) fn whole(structure: &'static str, offset: u64, problem: Problem) -> Error {
    FormatError { structure: structure.into(), field: None, start: offset, offset, problem }.into()
}

/// The address of a structure that must be there, for the sake of the one at `offset`.
pub(crate) fn required(
    structure: &'static str,
    offset: u64,
    address: Option<Address>,
) -> Result<Address, Error> {
    address.ok_or_else(|| whole(structure, offset, Problem::invalid("it has no address")))
}

/// A user block may stand before the superblock: its length is 0, 512 or a doubling of that.
fn find_signature(source: &impl ByteSource) -> Result<u64, Error> {
    const FIRST_USER_BLOCK: u64 = 512;
    let len = Superblock::SIGNATURE.len() as u64;
    let mut offset = 0_u64;
    while offset.saturating_add(len) <= source.len() {
        let mut found = [0; Superblock::SIGNATURE.len()];
        source.read_at(offset, &mut found)?;
        if found == *Superblock::SIGNATURE {
            return Ok(offset);
        }
        offset = offset.saturating_mul(2).max(FIRST_USER_BLOCK);
    }
    let problem = "this is no HDF5 file: no signature at byte 0, 512, 1024 or a further doubling";
    Err(whole(Superblock::NAME, 0, Problem::invalid(problem)))
}

//! Every cap on what a file may ask of us, each with its reason.

use crate::error::Problem;

/// Largest rank of a dataspace that the format allows.
pub(crate) const MAX_RANK: u8 = 32;

/// Caps on untrusted input. A file that hits one is refused by that limit's name, never called malformed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one metadata block: a header block, a heap collection, a tree node (16 MiB).
    pub max_block_bytes: u64,
    /// Metadata bytes read over the life of one open file (1 GiB, and never more than 8 times the file's length plus 1 MiB):
    /// stops a small file whose structures point at one another.
    pub max_metadata_bytes: u64,
    /// Objects met by one walk (1,000,000).
    pub max_objects: u64,
    /// Links of one group (1,000,000).
    pub max_links: u64,
    /// Attributes of one object (65,535).
    pub max_attributes: u64,
    /// Continuation blocks of one object header (4,096).
    pub max_continuations: u64,
    /// Nesting of datatypes, B-tree levels, indirect blocks and soft links, each (16): bounds the stack.
    pub max_depth: u32,
    /// Groups inside one another that a copy and a listing of structures enter (256): bounds the stack, and paths.
    pub max_group_depth: u32,
    /// Types inside one datatype (4,096).
    pub max_datatype_nodes: u32,
    /// Chunks of one dataset that an index may hold (16,777,216).
    pub max_chunks: u64,
    /// Decoded bytes of one chunk (1 GiB).
    pub max_chunk_bytes: u64,
    /// Bytes of one element (16 MiB): one that is not stored reads as its fill value, so a file of 500 bytes may claim 4 GiB.
    pub max_element_bytes: u64,
    /// Bytes that one read call may return (4 GiB; 1 GiB on 32-bit machines): a shape of 2^60 is legal in a 500-byte file.
    pub max_read_bytes: u64,
    /// Variable-length bytes that one read call may return (256 MiB): many elements may point at one heap object.
    pub max_variable_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_block_bytes: 16 << 20,
            max_metadata_bytes: 1 << 30,
            max_objects: 1_000_000,
            max_links: 1_000_000,
            max_attributes: 65_535,
            max_continuations: 4_096,
            max_depth: 16,
            max_group_depth: 256,
            max_datatype_nodes: 4_096,
            max_chunks: 1 << 24,
            max_chunk_bytes: 1 << 30,
            max_element_bytes: 16 << 20,
            max_read_bytes: if usize::BITS > 32 { 4 << 30 } else { 1 << 30 },
            max_variable_bytes: 256 << 20,
        }
    }
}

/// Refuses `found` when it is over `max`, the value of the field `limit` of [`Limits`].
pub(crate) fn within(
    what: &'static str,
    found: u64,
    limit: &'static str,
    max: u64,
) -> Result<(), Problem> {
    if found > max { Err(Problem::Limit { what, found, limit, max }) } else { Ok(()) }
}

/// Refuses a group that is nested too deeply.
pub(crate) fn within_group_depth(depth: u32, limits: &Limits) -> Result<(), Problem> {
    within(
        "groups inside one another",
        depth.into(),
        "max_group_depth",
        limits.max_group_depth.into(),
    )
}

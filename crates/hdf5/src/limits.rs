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
    /// Decoded bytes of a chunk that is stored in less than a 256th of them (32 MiB): a chunk of a few KiB may inflate to 1 GiB.
    pub max_inflated_bytes: u64,
    /// Bytes of one element (16 MiB): one that is not stored reads as its fill value, so a file of 500 bytes may claim 4 GiB.
    pub max_element_bytes: u64,
    /// Bytes that one read call may return (4 GiB; 1 GiB on 32-bit machines): a shape of 2^60 is legal in a 500-byte file.
    pub max_read_bytes: u64,
    /// Variable-length bytes that one read call may return (256 MiB): many elements may point at one heap object.
    pub max_variable_bytes: u64,
    /// Decoded bytes of one dataset that callers go through in pieces although it is stored in less than a 2048th of them
    /// (2 GiB): a file of 500 bytes may claim 2^60. Reads do not heed it: those who read everything should.
    pub max_unstored_bytes: u64,
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
            max_inflated_bytes: 32 << 20,
            max_element_bytes: 16 << 20,
            max_read_bytes: if usize::BITS > 32 { 4 << 30 } else { 1 << 30 },
            max_variable_bytes: 256 << 20,
            max_unstored_bytes: 2 << 30,
        }
    }
}

impl Limits {
    /// Sets the limit of this name; for hosts that let people choose. Whether there is one.
    pub fn set(&mut self, name: &str, value: u64) -> bool {
        let short = u32::try_from(value).unwrap_or(u32::MAX);
        match name {
            "max_block_bytes" => self.max_block_bytes = value,
            "max_metadata_bytes" => self.max_metadata_bytes = value,
            "max_objects" => self.max_objects = value,
            "max_links" => self.max_links = value,
            "max_attributes" => self.max_attributes = value,
            "max_continuations" => self.max_continuations = value,
            "max_depth" => self.max_depth = short,
            "max_group_depth" => self.max_group_depth = short,
            "max_datatype_nodes" => self.max_datatype_nodes = short,
            "max_chunks" => self.max_chunks = value,
            "max_chunk_bytes" => self.max_chunk_bytes = value,
            "max_inflated_bytes" => self.max_inflated_bytes = value,
            "max_element_bytes" => self.max_element_bytes = value,
            "max_read_bytes" => self.max_read_bytes = value,
            "max_variable_bytes" => self.max_variable_bytes = value,
            "max_unstored_bytes" => self.max_unstored_bytes = value,
            _ => return false,
        }
        true
    }

    /// Every limit with its value.
    pub fn list(&self) -> [(&'static str, u64); 16] {
        [
            ("max_block_bytes", self.max_block_bytes),
            ("max_metadata_bytes", self.max_metadata_bytes),
            ("max_objects", self.max_objects),
            ("max_links", self.max_links),
            ("max_attributes", self.max_attributes),
            ("max_continuations", self.max_continuations),
            ("max_depth", self.max_depth.into()),
            ("max_group_depth", self.max_group_depth.into()),
            ("max_datatype_nodes", self.max_datatype_nodes.into()),
            ("max_chunks", self.max_chunks),
            ("max_chunk_bytes", self.max_chunk_bytes),
            ("max_inflated_bytes", self.max_inflated_bytes),
            ("max_element_bytes", self.max_element_bytes),
            ("max_read_bytes", self.max_read_bytes),
            ("max_variable_bytes", self.max_variable_bytes),
            ("max_unstored_bytes", self.max_unstored_bytes),
        ]
    }
}

/// Refuses a chunk that inflates out of all proportion.
pub(crate) fn within_inflation(stored: u64, decoded: u64, max: u64) -> Result<(), Problem> {
    /// Decoded bytes per stored byte that need no further reason.
    const PLAUSIBLE: u64 = 256;

    if decoded.checked_div(PLAUSIBLE).unwrap_or(0) <= stored {
        return Ok(());
    }
    within(
        "decoded bytes of a chunk of which next to nothing is stored",
        decoded,
        "max_inflated_bytes",
        max,
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_can_be_set_by_name() {
        let mut limits = Limits::default();
        for (name, value) in Limits::default().list() {
            assert!(limits.set(name, value.saturating_add(1)), "{name}");
        }
        let raised = Limits::default().list().map(|(name, value)| (name, value.saturating_add(1)));
        assert_eq!(limits.list(), raised);
        assert!(!limits.set("max_everything", 1));
    }

    #[test]
    fn a_chunk_may_inflate_in_proportion() {
        assert_eq!(within_inflation(1, 1000, 1000), Ok(()));
        assert!(within_inflation(1, 1001, 1000).is_err());
        assert_eq!(within_inflation(4, 1001, 1000), Ok(()));
    }
}

//! Writing a tree: plan, stream, then the metadata.

use alloc::vec::Vec;

use super::{NewGroup, Sink};
use crate::error::Error;
use crate::filter::FilterRegistry;

/// How to write.
#[derive(Debug, Clone, Default)]
pub struct WriteOptions {
    /// Bytes before the file proper, which are not HDF5's business; extended with zeros to 512 or a doubling of that.
    pub user_block: Vec<u8>,
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Length of the file, in bytes.
    pub len: u64,
    /// Bytes before the first chunk: with the user block, everything that opening the file reads.
    pub metadata_len: u64,
}

/// Writes the tree below `root` to `sink`, which must be empty.
///
/// Chunks are encoded by `registry`, on all threads with the feature `parallel`.
///
/// # Errors
/// [`Error::Request`], naming the object, when the tree cannot be stored: elements that are not as many as the extent has,
/// filters that the registry lacks, a name that is no name. What sources and the sink fail with.
/// The sink then holds no file.
pub fn write(
    root: NewGroup,
    registry: &FilterRegistry,
    sink: &mut dyn Sink,
    options: &WriteOptions,
) -> Result<Written, Error> {
    let _ = (root, registry, sink, options);
    Err(Error::Request { reason: "writing is not finished yet".into() })
}

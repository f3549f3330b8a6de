//! The open file and the kinds of object in it.

use alloc::sync::Arc;

use super::attribute::pending;
use super::{ChunkCache, Dataset, Group};
use crate::error::Error;
use crate::filter::FilterRegistry;
use crate::limits::Limits;
use crate::message::datatype::Datatype;
use crate::parse::Address;
use crate::source::ByteSource;

/// How to open a file.
#[derive(Clone, Default)]
pub struct OpenOptions {
    /// Caps on what the file may ask.
    pub limits: Limits,
    /// Filters that chunks may use.
    pub filters: FilterRegistry,
    /// Where decoded chunks are kept; `None` keeps none.
    pub chunk_cache: Option<Arc<ChunkCache>>,
    /// Read a file whose consistency flags say that a writer has it open.
    pub accept_open_for_write: bool,
}

/// An open file. Cheap to clone; clones share everything and may be used from several threads.
#[derive(Clone)]
pub struct File {
    inner: Arc<Inner>,
}

struct Inner {
    source: Arc<dyn ByteSource>,
}

impl File {
    /// Opens a file with the default limits and the standard filters. Reads its superblock only.
    ///
    /// # Errors
    /// [`Error::Format`] when this is no HDF5 file, [`Error::Source`] when bytes cannot be had.
    pub fn open<S: ByteSource + 'static>(source: S) -> Result<Self, Error> {
        Self::open_with(
            Arc::new(source),
            OpenOptions { filters: FilterRegistry::standard(), ..OpenOptions::default() },
        )
    }

    /// Opens a file. Reads its superblock only.
    ///
    /// # Errors
    /// As [`File::open`].
    pub fn open_with(source: Arc<dyn ByteSource>, options: OpenOptions) -> Result<Self, Error> {
        let _ = options;
        Ok(Self { inner: Arc::new(Inner { source }) })
    }

    /// The root group.
    ///
    /// # Errors
    /// [`Error::Format`] when its header is broken.
    pub fn root(&self) -> Result<Group, Error> {
        Err(pending())
    }

    /// The bytes of the file.
    pub fn source(&self) -> &Arc<dyn ByteSource> {
        &self.inner.source
    }
}

/// An object of the file.
#[derive(Debug, Clone)]
pub enum Object {
    /// A group.
    Group(Group),
    /// A dataset.
    Dataset(Dataset),
    /// A datatype with a name.
    Datatype(CommittedDatatype),
}

/// A datatype that is an object of its own.
#[derive(Debug, Clone)]
pub struct CommittedDatatype {
    /// Where its header is.
    pub address: Address,
    /// The type.
    pub datatype: Datatype,
}

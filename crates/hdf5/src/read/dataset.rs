//! Datasets: description, storage, and reading windows of them.

use alloc::sync::Arc;

use super::Attribute;
use super::description::Description;
use super::object::Handle;
use crate::error::Error;
use crate::limits::Limits;
use crate::message::dataspace::Dataspace;
use crate::message::datatype::Datatype;
use crate::message::filter_pipeline::FilterDescription;
use crate::message::layout::{Layout, StorageKind};
use crate::parse::Address;

/// A dataset. Cheap to clone; opening it reads its header, not its elements.
#[derive(Debug, Clone)]
pub struct Dataset {
    handle: Arc<Handle>,
    description: Arc<Description>,
}

impl Dataset {
    pub(super) fn new(handle: Handle, description: Arc<Description>) -> Self {
        Self { handle: Arc::new(handle), description }
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }

    pub(crate) fn description(&self) -> &Description {
        &self.description
    }

    /// The absolute path by which this dataset was reached.
    pub fn path(&self) -> &str {
        &self.handle.path
    }

    /// Where its header is: two datasets are the same object exactly when this is equal.
    pub fn address(&self) -> Address {
        self.handle.address
    }

    /// The limits that its file was opened with.
    pub fn limits(&self) -> &Limits {
        self.handle.storage.limits()
    }

    /// Size of each axis in elements, slowest first; empty for a scalar and for a null dataspace.
    pub fn shape(&self) -> &[u64] {
        self.description.dataspace.dims()
    }

    /// Rank and extent.
    pub fn dataspace(&self) -> &Dataspace {
        &self.description.dataspace
    }

    /// How one element is stored.
    pub fn datatype(&self) -> &Datatype {
        &self.description.datatype
    }

    /// How the elements are stored.
    pub fn storage(&self) -> StorageKind {
        self.description.storage
    }

    /// Extent of a chunk in elements; `None` unless chunked.
    pub fn chunk_dims(&self) -> Option<&[u64]> {
        match &self.description.layout {
            Layout::Chunked(chunks) => Some(&chunks.chunk_dims),
            _ => None,
        }
    }

    /// The filters of its chunks, in the order in which they were applied when writing.
    pub fn filters(&self) -> &[FilterDescription] {
        &self.description.pipeline.filters
    }

    /// All attributes, sorted by the bytes of their names.
    ///
    /// # Errors
    /// [`Error::Format`] when their storage is broken.
    pub fn attributes(&self) -> Result<Arc<[Attribute]>, Error> {
        self.handle.attributes()
    }

    /// The attribute of this name.
    ///
    /// # Errors
    /// As [`Dataset::attributes`].
    pub fn attribute(&self, name: &str) -> Result<Option<Attribute>, Error> {
        self.handle.attribute(name)
    }
}

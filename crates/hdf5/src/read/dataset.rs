//! Datasets: description, storage, and reading windows of them.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use super::description::Description;
use super::object::Handle;
use super::{Attribute, Window};
use crate::error::{Error, FormatError, Problem};
use crate::message::dataspace::Dataspace;
use crate::message::datatype::Datatype;
use crate::message::filter_pipeline::FilterDescription;
use crate::message::layout::{Layout, StorageKind};
use crate::parse::Address;
use crate::value::{Array, Element};

/// A dataset. Cheap to clone; opening it reads its header, not its elements.
#[derive(Debug, Clone)]
pub struct Dataset {
    handle: Arc<Handle>,
    description: Arc<Description>,
}

/// One chunk as it lies in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredChunk {
    /// Place in the chunk grid, in chunks, slowest axis first.
    pub chunk_coord: Vec<u64>,
    /// Its bytes, from the start of the file.
    pub range: Range<u64>,
    /// Bit `i` set: filter `i` of the pipeline was not applied.
    pub filter_mask: u32,
}

/// What reading a window takes: independent chunk steps that any thread may run.
#[derive(Debug, Clone)]
pub struct ReadPlan {
    ranges: Vec<Range<u64>>,
}

impl ReadPlan {
    /// The stored bytes that the steps read, in bytes from the start of the file, in file order.
    pub fn ranges(&self) -> &[Range<u64>] {
        &self.ranges
    }
}

impl Dataset {
    pub(super) fn new(handle: Handle, description: Description) -> Self {
        Self { handle: Arc::new(handle), description: Arc::new(description) }
    }

    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// The absolute path by which this dataset was reached.
    pub fn path(&self) -> &str {
        &self.handle.path
    }

    /// Where its header is: two datasets are the same object exactly when this is equal.
    pub fn address(&self) -> Address {
        self.handle.address
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

    /// Reads every element.
    ///
    /// # Errors
    /// [`Error::Format`] and [`Error::Chunk`] when something does not decode, [`Error::Source`] when bytes cannot be had.
    pub fn read(&self) -> Result<Array, Error> {
        self.read_window(&Window::all(self.shape()))
    }

    /// Reads the elements of `window`; elements of chunks that were never written read as the fill value.
    ///
    /// # Errors
    /// As [`Dataset::read`]; [`Error::Request`] for a window that is not inside the dataset.
    pub fn read_window(&self, window: &Window) -> Result<Array, Error> {
        let _ = window;
        Err(pending())
    }

    /// Reads the elements of `window` into `out`, in C order. The stored type must be `T`, in either byte order.
    ///
    /// # Errors
    /// As [`Dataset::read_window`]; [`Error::Request`] when the type or the length does not fit.
    pub fn read_into<T: Element>(&self, window: &Window, out: &mut [T]) -> Result<(), Error> {
        let _ = (window, out);
        Err(pending())
    }

    /// Reads the elements of `window` as bytes, little-endian whatever the stored order, in C order.
    ///
    /// # Errors
    /// As [`Dataset::read_window`]; [`Error::Request`] for variable-length types.
    pub fn read_bytes(&self, window: &Window, out: &mut [u8]) -> Result<(), Error> {
        let _ = (window, out);
        Err(pending())
    }

    /// Plans a read without running it.
    ///
    /// # Errors
    /// As [`Dataset::read_window`].
    pub fn plan(&self, window: &Window) -> Result<ReadPlan, Error> {
        let _ = window;
        Err(pending())
    }

    /// The chunks that were written, in the order of the chunk grid.
    ///
    /// # Errors
    /// [`Error::Format`] when the chunk index is broken, [`Error::Request`] unless chunked.
    pub fn stored_chunks(&self) -> Result<Vec<StoredChunk>, Error> {
        Err(pending())
    }
}

fn pending() -> Error {
    Error::Format(FormatError {
        structure: "reader".into(),
        field: None,
        start: 0,
        offset: 0,
        problem: Problem::unsupported("this part"),
    })
}

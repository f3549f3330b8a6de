//! New datasets.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::element_source::InMemory;
use super::{ElementSource, NewAttribute, ObjectId, StoredElements};
use crate::NumberType;
use crate::error::Error;
use crate::message::dataspace::Dataspace;
use crate::message::datatype::Datatype;
use crate::message::filter_pipeline::FilterDescription;
use crate::read::Dataset;

pub use crate::message::fill_value::{AllocationTime, FillTime};

/// A dataset to be written.
#[derive(Debug, Clone)]
pub struct NewDataset {
    /// Type of the elements.
    pub datatype: Datatype,
    /// The committed datatype that it shares, if that is written too.
    pub committed: Option<ObjectId>,
    /// Extent.
    pub dataspace: Dataspace,
    /// How the elements are stored.
    pub storage: NewStorage,
    /// How chunks are encoded, in the order of encoding; only for chunked storage.
    pub filters: Vec<FilterDescription>,
    /// What elements that were never written read as.
    pub fill: Fill,
    /// Attributes by name.
    pub attributes: BTreeMap<Vec<u8>, NewAttribute>,
    /// The elements.
    pub data: NewData,
    /// What further links call this object by; `None` when it has one name only.
    pub id: Option<ObjectId>,
    /// The object's comment: text that ends with a NUL.
    pub comment: Option<Vec<u8>>,
}

/// How the elements of a new dataset are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewStorage {
    /// Inside the object header: less than 64 KiB.
    Compact,
    /// In one piece.
    Contiguous,
    /// In chunks.
    Chunked {
        /// Extent of a chunk in elements, slowest axis first; none is 0.
        chunk_dims: Vec<u64>,
    },
}

/// The elements of a new dataset.
#[derive(Clone)]
pub enum NewData {
    /// In memory, with what is of variable length.
    Elements(StoredElements),
    /// Asked piece by piece; only for elements of fixed size.
    Source(Arc<dyn ElementSource>),
    /// None: storage stays unallocated, all elements read as the fill value.
    Nothing,
}

/// What elements that were never written read as, and advice to later writers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fill {
    /// One element as stored; `None` reads as zero bytes.
    pub value: Option<Vec<u8>>,
    /// Whether the value is declared undefined, which excludes one in `value`.
    pub undefined: bool,
    /// When a later writer fills storage with it.
    pub write_time: FillTime,
    /// When a later writer allocates storage.
    pub allocation: AllocationTime,
}

impl NewDataset {
    /// A dataset in one piece, of zero fill.
    pub fn new(datatype: Datatype, dataspace: Dataspace, data: NewData) -> Self {
        Self {
            datatype,
            committed: None,
            dataspace,
            storage: NewStorage::Contiguous,
            filters: Vec::new(),
            fill: Fill::contiguous(),
            attributes: BTreeMap::new(),
            data,
            id: None,
            comment: None,
        }
    }

    /// Elements of fixed size from a source, in one piece.
    pub fn from_source(datatype: Datatype, dims: &[u64], source: Arc<dyn ElementSource>) -> Self {
        Self::new(datatype, Dataspace::fixed(dims), NewData::Source(source))
    }

    /// Numbers in memory, as little-endian bytes in C order, in one piece.
    pub fn numbers(number: NumberType, dims: &[u64], bytes: Vec<u8>) -> Self {
        let datatype = Datatype::number_of(number);
        Self::fixed(datatype, Dataspace::fixed(dims), bytes)
    }

    /// Elements of fixed size in memory, as the datatype stores them, in C order, in one piece.
    pub fn fixed(datatype: Datatype, dataspace: Dataspace, bytes: Vec<u8>) -> Self {
        let source = InMemory::new(dataspace.dims(), datatype.size, bytes);
        Self::new(datatype, dataspace, NewData::Source(Arc::new(source)))
    }

    /// One text: UTF-8 of variable length, scalar.
    pub fn text(text: &str) -> Self {
        let elements = NewData::Elements(StoredElements::texts([text]));
        Self::new(Datatype::text(), Dataspace::scalar(), elements)
    }

    /// Texts: UTF-8 of variable length, 1-D.
    pub fn texts<T: AsRef<str>>(texts: &[T]) -> Self {
        let elements = StoredElements::texts(texts.iter().map(|text| text.as_ref().as_bytes()));
        let dataspace = Dataspace::fixed(&[texts.len() as u64]);
        Self::new(Datatype::text(), dataspace, NewData::Elements(elements))
    }

    /// A copy of a dataset of another file. Stored chunks are copied as bytes when they are written, not before.
    ///
    /// # Errors
    /// As [`super::NewGroup::copy_of`].
    pub fn copy_of(dataset: &Dataset) -> Result<Self, Error> {
        super::copy::dataset(dataset)
    }

    /// Stores it in chunks of `chunk_dims` elements, encoded by `filters`, with the fill that goes with chunks.
    ///
    /// A copy then decodes its stored chunks and encodes them anew, unless chunks and filters are what they were.
    #[must_use]
    pub fn chunked(mut self, chunk_dims: &[u64], filters: Vec<FilterDescription>) -> Self {
        self.storage = NewStorage::Chunked { chunk_dims: chunk_dims.to_vec() };
        self.filters = filters;
        self.fill =
            Fill { value: self.fill.value, undefined: self.fill.undefined, ..Fill::chunked() };
        self
    }

    /// Adds an attribute, or replaces the one of this name.
    #[must_use]
    pub fn attribute(mut self, name: &str, attribute: NewAttribute) -> Self {
        self.attributes.insert(name.into(), attribute);
        self
    }
}

impl Fill {
    /// What the reference writes for contiguous data: zero, allocated late, written if a value was set.
    pub fn contiguous() -> Self {
        let (write_time, allocation) = (FillTime::IfSet, AllocationTime::Late);
        Self { value: None, undefined: false, write_time, allocation }
    }

    /// What the reference writes for chunks: zero, allocated chunk by chunk, written on allocation.
    pub fn chunked() -> Self {
        let (write_time, allocation) = (FillTime::OnAllocation, AllocationTime::Incremental);
        Self { value: None, undefined: false, write_time, allocation }
    }
}

impl fmt::Debug for NewData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elements(elements) => f.debug_tuple("Elements").field(elements).finish(),
            Self::Source(_) => f.write_str("Source"),
            Self::Nothing => f.write_str("Nothing"),
        }
    }
}

//! The open file and the kinds of object in it.

use alloc::sync::Arc;

use super::header::ObjectHeader;
use super::object::Handle;
use super::storage::{Storage, required, whole};
use super::{Attribute, ChunkCache, Dataset, Group};
use crate::error::{Error, Problem};
use crate::filter::FilterRegistry;
use crate::limits::Limits;
use crate::message::datatype::Datatype;
use crate::message::kind;
use crate::object_header::Prefix;
use crate::parse::Address;
use crate::source::ByteSource;
use crate::superblock::{NodeSizes, Superblock};

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
    storage: Arc<Storage>,
}

impl File {
    /// Opens a file with the default limits and the standard filters. Reads its superblock, and the
    /// superblock's extension if there is one.
    ///
    /// # Errors
    /// [`Error::Format`] when this is no HDF5 file, or one in a state that cannot be read: cut off, open in a
    /// writer, in several parts, with its metadata in a cache image. [`Error::Source`] when bytes cannot be had.
    pub fn open<S: ByteSource + 'static>(source: S) -> Result<Self, Error> {
        Self::open_with(
            Arc::new(source),
            OpenOptions { filters: FilterRegistry::standard(), ..OpenOptions::default() },
        )
    }

    /// Opens a file as `options` say.
    ///
    /// # Errors
    /// As [`File::open`].
    pub fn open_with(source: Arc<dyn ByteSource>, options: OpenOptions) -> Result<Self, Error> {
        let mut storage = Storage::open(source, options)?;
        check_state(&storage)?;
        if let Some(extension) = storage.superblock.extension {
            storage.superblock.node_sizes = read_extension(&storage, extension)?;
        }
        Ok(Self { storage: Arc::new(storage) })
    }

    /// The root group.
    ///
    /// # Errors
    /// [`Error::Format`] when its header is broken.
    pub fn root(&self) -> Result<Group, Error> {
        let root = self.storage.superblock.root;
        let address = required("root group", self.storage.base(), root)?;
        let Object::Group(group) = open_object(&self.storage, &"/".into(), address)? else {
            let problem = Problem::invalid("the root is no group");
            return Err(whole(Superblock::NAME, self.storage.base(), problem).in_object("/"));
        };
        Ok(group)
    }

    /// The bytes of the file.
    pub fn source(&self) -> &Arc<dyn ByteSource> {
        self.storage.source()
    }

    /// Where an address of this file is, in bytes from its start.
    pub fn offset_of(&self, address: Address) -> u64 {
        self.storage.offset(address)
    }

    pub(super) fn storage(&self) -> &Arc<Storage> {
        &self.storage
    }
}

/// Opens the object at `address`; errors name `path`.
pub(super) fn open_object(
    storage: &Arc<Storage>,
    path: &Arc<str>,
    address: Address,
) -> Result<Object, Error> {
    Handle::open(storage, Arc::clone(path), address)
        .and_then(Handle::into_object)
        .map_err(|error| error.in_object(path))
}

/// Refuses files that are not whole, or not at rest.
fn check_state(storage: &Storage) -> Result<(), Error> {
    let refuse = |problem| Err(whole(Superblock::NAME, storage.base(), problem));
    let superblock = &storage.superblock;
    if superblock.open_for_write && !storage.options.accept_open_for_write {
        return refuse(Problem::unsupported("a file that a writer has open, or did not close,"));
    }
    if superblock.driver_information.is_some() {
        return refuse(Problem::unsupported("a file in several parts (driver information block)"));
    }
    let (len, end) = (storage.source().len(), superblock.end_of_file);
    // The end counts from the start of the file, with the user block. It moves along with the superblock when
    // something was put before a finished file.
    let end =
        end.map_or(0, |end| end.0.saturating_sub(superblock.base).saturating_add(storage.base()));
    if end > len {
        return refuse(Problem::invalid(alloc::format!(
            "the file is cut off: it has {len} bytes of {end}"
        )));
    }
    Ok(())
}

/// Reads what the superblock extension says about node sizes, and refuses what it says about other ways to store.
fn read_extension(storage: &Storage, address: Address) -> Result<NodeSizes, Error> {
    let header = ObjectHeader::read(storage, address)?;
    for (unreadable, what) in [
        (kind::CACHE_IMAGE, "a file with a metadata cache image"),
        (kind::DRIVER_INFORMATION, "a file in several parts (driver information message)"),
    ] {
        if header.has(unreadable) {
            return Err(whole(Prefix::NAME, header.offset(), Problem::unsupported(what)));
        }
    }
    let sizes =
        header.parse(storage, kind::BTREE_K, NodeSizes::MESSAGE_NAME, NodeSizes::parse_message)?;
    Ok(sizes.unwrap_or(storage.superblock.node_sizes))
}

impl core::fmt::Debug for File {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("File").field("superblock", &self.storage.superblock).finish_non_exhaustive()
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

impl Object {
    /// The absolute path by which this object was reached.
    pub fn path(&self) -> &str {
        &self.handle().path
    }

    /// Where its header is: two objects are the same exactly when this is equal.
    pub fn address(&self) -> Address {
        self.handle().address
    }

    /// All attributes, sorted by the bytes of their names.
    ///
    /// # Errors
    /// [`Error::Format`] when their storage is broken.
    pub fn attributes(&self) -> Result<Arc<[Attribute]>, Error> {
        self.handle().attributes()
    }

    pub(super) fn handle(&self) -> &Handle {
        match self {
            Self::Group(group) => group.handle(),
            Self::Dataset(dataset) => dataset.handle(),
            Self::Datatype(datatype) => &datatype.handle,
        }
    }
}

/// A datatype that is an object of its own.
#[derive(Debug, Clone)]
pub struct CommittedDatatype {
    /// Where its header is.
    pub address: Address,
    /// The type.
    pub datatype: Datatype,
    handle: Arc<Handle>,
}

impl CommittedDatatype {
    pub(super) fn new(handle: Handle, datatype: Datatype) -> Self {
        Self { address: handle.address, datatype, handle: Arc::new(handle) }
    }

    /// The absolute path by which this datatype was reached.
    pub fn path(&self) -> &str {
        &self.handle.path
    }

    /// All attributes, sorted by the bytes of their names.
    ///
    /// # Errors
    /// [`Error::Format`] when their storage is broken.
    pub fn attributes(&self) -> Result<Arc<[Attribute]>, Error> {
        self.handle.attributes()
    }
}

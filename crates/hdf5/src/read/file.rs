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

    pub(crate) fn handle(&self) -> &Handle {
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

#[cfg(test)]
mod tests {
    use super::super::test_file::{
        ROOT, Remote, attribute, collection, file, file_with, hard, header, link_info, open,
        text_at, text_of, text_type, typed_attribute,
    };
    use super::*;
    use crate::value::Elements;
    use alloc::vec;
    use alloc::vec::Vec;

    fn root_only() -> Vec<(usize, Vec<u8>)> {
        vec![(ROOT, header(vec![link_info()]))]
    }

    #[test]
    fn finds_a_superblock_behind_a_user_block() {
        let mut bytes = vec![0; 1024];
        bytes.extend(file(&root_only()));
        assert_eq!(open(bytes).unwrap().root().unwrap().path(), "/");
    }

    #[test]
    fn refuses_what_is_no_file_or_not_all_of_one() {
        assert_eq!(
            text_of(open(vec![7; 3000])),
            "superblock at byte 0x0: this is no HDF5 file: no signature at byte 0, 512, 1024 or a further doubling"
        );
        assert_eq!(
            text_of(open(file_with(0, 5000, &root_only()))),
            "superblock at byte 0x0: the file is cut off: it has 98 bytes of 5000"
        );
        let mut bytes = file(&root_only());
        bytes.truncate(40);
        assert_eq!(
            text_of(open(bytes)),
            "superblock at byte 0x0: field `root group object header address` at byte 0x24: the structure ends early"
        );
    }

    #[test]
    fn refuses_a_file_in_use_unless_told_otherwise() {
        let bytes = file_with(1, 0, &root_only());
        assert_eq!(
            text_of(open(bytes.clone())),
            "superblock at byte 0x0: a file that a writer has open, or did not close, is not supported"
        );
        let options = OpenOptions { accept_open_for_write: true, ..OpenOptions::default() };
        assert!(File::open_with(Arc::new(bytes), options).is_ok());
    }

    #[test]
    fn reads_the_same_from_a_source_that_has_nothing_yet() {
        let text = typed_attribute("text", text_type(), text_at(5, 0x4000, 1));
        let child = header(vec![link_info(), (kind::ATTRIBUTE, 0, text), attribute("n", 7)]);
        let bytes = file(&[
            (ROOT, header(vec![link_info(), hard("child", 0x2000)])),
            (0x2000, child),
            (0x4000, collection(&["hello"])),
        ]);
        let read = |file: &File| -> Result<Vec<Elements>, Error> {
            let child = file.root()?.get("child")?;
            let attributes = child.map(|object| object.attributes()).transpose()?;
            let values = attributes.iter().flat_map(|all| all.iter().map(Attribute::read));
            values.map(|value| value.map(|value| value.elements)).collect()
        };
        let local = read(&open(bytes.clone()).unwrap()).unwrap();
        assert_eq!(local, [Elements::U8(vec![7]), Elements::Strings(vec![b"hello".to_vec()])]);

        let remote = Arc::new(Remote::new(bytes));
        let source: Arc<dyn ByteSource> = Arc::clone(&remote) as _;
        let opened = remote.drive(|| File::open_with(Arc::clone(&source), OpenOptions::default()));
        let file = opened.0.unwrap();
        let (values, fetches) = remote.drive(|| read(&file));
        assert_eq!(values.unwrap(), local);
        // The root group came with the superblock; the child and its heap are far away.
        assert_eq!((opened.1, fetches), (1, 2));
    }
}

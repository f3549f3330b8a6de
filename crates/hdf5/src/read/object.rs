//! Objects: what kind one is, and what is remembered about it.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::description::Description;
use super::header::ObjectHeader;
use super::links::DenseLinks;
use super::storage::{Block, Storage, whole};
use super::{Attribute, CommittedDatatype, Dataset, Group, Object, attribute};
use crate::error::{Error, Problem};
use crate::lock::Lock;
use crate::message::datatype::Datatype;
use crate::message::kind;
use crate::message::link::Link;
use crate::object_header::Prefix;
use crate::parse::Address;

/// An object as the file has it, by whatever path it was reached. Shared by all its handles.
pub(crate) struct Node {
    pub(crate) header: ObjectHeader,
    /// Links of a group, sorted by name, once they were all read.
    pub(super) links: Lock<Option<Arc<Vec<Link>>>>,
    /// Whether links are looked up one by one; `None` before anybody asked.
    pub(super) dense: Lock<Option<DenseLinks>>,
    /// What the header of a dataset says, once it was asked.
    description: Lock<Option<Arc<Description>>>,
}

/// The kinds of object, as the messages of a header tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Group,
    Dataset,
    Datatype,
}

impl Node {
    fn new(header: ObjectHeader) -> Self {
        Self {
            header,
            links: Lock::default(),
            dense: Lock::default(),
            description: Lock::default(),
        }
    }

    /// The description of a dataset.
    fn description(&self, storage: &Storage) -> Result<Arc<Description>, Error> {
        if let Some(description) = self.description.with(|known| known.clone()) {
            return Ok(description);
        }
        let description = Arc::new(Description::read(storage, &self.header)?);
        self.description.with(|known| *known = Some(Arc::clone(&description)));
        Ok(description)
    }

    /// What kind of object this is.
    pub(super) fn kind(&self) -> Result<Kind, Error> {
        const GROUP: &[u16] = &[kind::SYMBOL_TABLE, kind::LINK_INFO, kind::LINK, kind::GROUP_INFO];
        let header = &self.header;
        if header.has(kind::LAYOUT) {
            Ok(Kind::Dataset)
        } else if GROUP.iter().any(|kind| header.has(*kind)) {
            Ok(Kind::Group)
        } else if header.has(kind::DATATYPE) {
            Ok(Kind::Datatype)
        } else {
            let problem = "an object that is no group, dataset or datatype";
            Err(whole(Prefix::NAME, header.offset(), Problem::unsupported(problem)))
        }
    }
}

impl Storage {
    /// The object whose header is at `address`; its header is read when it is not remembered.
    pub(crate) fn node(&self, address: Address) -> Result<Arc<Node>, Error> {
        if let Some(node) = self.nodes.with(|nodes| nodes.get(address)) {
            return Ok(node);
        }
        let header = ObjectHeader::read(self, address)?;
        let bytes: usize = header.blocks().iter().map(|block: &Block| block.bytes.len()).sum();
        let node = Arc::new(Node::new(header));
        self.nodes.with(|nodes| nodes.insert(address, Arc::clone(&node), bytes));
        Ok(node)
    }
}

/// One way to an object: the object, the path by which it was reached, and what was read through this handle.
pub(crate) struct Handle {
    pub(crate) storage: Arc<Storage>,
    pub(crate) path: Arc<str>,
    pub(crate) address: Address,
    pub(crate) node: Arc<Node>,
    /// Sorted by name, once they were all read.
    attributes: Lock<Option<Arc<[Attribute]>>>,
}

impl Handle {
    pub(super) fn open(
        storage: &Arc<Storage>,
        path: Arc<str>,
        address: Address,
    ) -> Result<Self, Error> {
        let node = storage.node(address)?;
        let attributes = Lock::default();
        Ok(Self { storage: Arc::clone(storage), path, address, node, attributes })
    }

    /// All attributes, sorted by the bytes of their names.
    pub(super) fn attributes(&self) -> Result<Arc<[Attribute]>, Error> {
        if let Some(attributes) = self.attributes.with(|known| known.clone()) {
            return Ok(attributes);
        }
        let read: Vec<_> =
            attribute::read_all(self).map_err(|error| error.in_object(&self.path))?;
        let attributes: Arc<[Attribute]> = read.into();
        self.attributes.with(|known| *known = Some(Arc::clone(&attributes)));
        Ok(attributes)
    }

    /// The attribute of this name.
    pub(super) fn attribute(&self, name: &str) -> Result<Option<Attribute>, Error> {
        if self.attributes.with(|known| known.is_none()) {
            let found = attribute::look_up(self, name.as_bytes());
            match found.map_err(|error| error.in_object(&self.path))? {
                attribute::LookUp::Found(attribute) => return Ok(attribute.map(|a| *a)),
                attribute::LookUp::ReadAll => {}
            }
        }
        let attributes = self.attributes()?;
        let place = attributes.binary_search_by(|known| known.stored_name().cmp(name.as_bytes()));
        Ok(place.ok().and_then(|place| attributes.get(place)).cloned())
    }

    /// Opens the object as what it is.
    pub(super) fn into_object(self) -> Result<Object, Error> {
        match self.node.kind()? {
            Kind::Group => Ok(Object::Group(Group::new(self))),
            Kind::Dataset => {
                let description = self.node.description(&self.storage)?;
                Ok(Object::Dataset(Dataset::new(self, description)))
            }
            Kind::Datatype => {
                let (sizes, limits) = (self.storage.sizes(), self.storage.limits());
                let header = &self.node.header;
                let datatype =
                    header.parse(&self.storage, kind::DATATYPE, Datatype::NAME, |i| {
                        Datatype::parse(sizes, limits)(i)
                    })?;
                let missing = || {
                    let problem = Problem::invalid("no datatype message");
                    whole(Prefix::NAME, header.offset(), problem)
                };
                let datatype = datatype.ok_or_else(missing)?;
                Ok(Object::Datatype(CommittedDatatype::new(self, datatype)))
            }
        }
    }
}

impl core::fmt::Debug for Handle {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} at {:#x}", self.path, self.address.0)
    }
}

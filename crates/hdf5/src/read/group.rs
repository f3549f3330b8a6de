//! Groups and their links.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::file::open_object;
use super::object::{Handle, Kind};
use super::storage::{required, whole};
use super::{Attribute, Object, links};
use crate::error::Error;
use crate::limits::within;
use crate::message::link::{Link, LinkTarget};
use crate::object_header::Prefix;
use crate::parse::Address;

/// A group. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Group {
    handle: Arc<Handle>,
}

/// How much of an object is announced before its length is known: the header of most.
const USUAL_HEADER_BYTES: u64 = 512;

impl Group {
    pub(super) fn new(handle: Handle) -> Self {
        Self { handle: Arc::new(handle) }
    }

    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// The absolute path by which this group was reached.
    pub fn path(&self) -> &str {
        &self.handle.path
    }

    /// Where its header is: two groups are the same object exactly when this is equal.
    pub fn address(&self) -> Address {
        self.handle.address
    }

    /// All links, sorted by the bytes of their names.
    ///
    /// # Errors
    /// [`Error::Format`] when the group's storage is broken or holds too many links.
    pub fn links(&self) -> Result<Arc<[Link]>, Error> {
        let Handle { storage, node, path, .. } = &*self.handle;
        links::read_all(storage, node).map_err(|error| error.in_object(path))
    }

    /// The link of this name, if there is one. In a group of many links only those that share the name's hash are read.
    ///
    /// # Errors
    /// As [`Group::links`].
    pub fn link(&self, name: &str) -> Result<Option<Link>, Error> {
        let Handle { storage, node, path, .. } = &*self.handle;
        links::find(storage, node, name.as_bytes()).map_err(|error| error.in_object(path))
    }

    /// The object at `path`, relative to this group or absolute; soft links are followed, `.` is this group, `..` is not special.
    /// `None` when a component does not exist, dangles, or leads out of the file.
    ///
    /// # Errors
    /// [`Error::Format`] when a structure on the way is broken, or more soft links follow one another than the limits allow.
    pub fn get(&self, path: &str) -> Result<Option<Object>, Error> {
        let reached = self.absolute(path);
        match self.resolve(path.as_bytes()).map_err(|error| error.in_object(&reached))? {
            Some(address) => open_object(&self.handle.storage, &reached.into(), address).map(Some),
            None => Ok(None),
        }
    }

    /// The object that `link`, one of this group's, leads to; `None` when it dangles or leads out of the file.
    /// Reaches objects that [`Group::get`] cannot name, since their name is no UTF-8.
    ///
    /// # Errors
    /// As [`Group::get`].
    pub fn open(&self, link: &Link) -> Result<Option<Object>, Error> {
        let reached = self.absolute(&link.name());
        let address = match &link.target {
            LinkTarget::Hard(address) => Some(*address),
            LinkTarget::Soft(target) => {
                self.resolve(target).map_err(|error| error.in_object(&reached))?
            }
            LinkTarget::External { .. } | LinkTarget::UserDefined { .. } => None,
        };
        let open = |address| open_object(&self.handle.storage, &reached.into(), address);
        address.map(open).transpose()
    }

    /// Announces that the objects behind all hard links of this group will be opened soon.
    ///
    /// A source that fetches from afar then fetches their headers together, not one after the other.
    ///
    /// # Errors
    /// As [`Group::links`]; [`Error::Source`] with everything that is not resident.
    pub fn prefetch_members(&self) -> Result<(), Error> {
        let links = self.links()?;
        let addresses = links.iter().filter_map(|link| match link.target {
            LinkTarget::Hard(address) => Some(address),
            _ => None,
        });
        self.handle.storage.prefetch(addresses, USUAL_HEADER_BYTES)
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
    /// As [`Group::attributes`].
    pub fn attribute(&self, name: &str) -> Result<Option<Attribute>, Error> {
        self.handle.attribute(name)
    }

    /// The path that `path` seen from here is, without empty components and `.`.
    fn absolute(&self, path: &str) -> String {
        let start = if path.starts_with('/') { "" } else { self.path() };
        let mut reached = String::new();
        for component in start.split('/').chain(path.split('/')) {
            if !component.is_empty() && component != "." {
                reached.push('/');
                reached.push_str(component);
            }
        }
        if reached.is_empty() { "/".into() } else { reached }
    }

    /// The address of the object at `path`.
    fn resolve(&self, path: &[u8]) -> Result<Option<Address>, Error> {
        let storage = &self.handle.storage;
        let mut here = if path.starts_with(b"/") { self.root()? } else { self.address() };
        let mut pending = components(path);
        let mut soft_links = 0_u64;
        while let Some(name) = pending.pop() {
            let node = storage.node(here)?;
            if node.kind()? != Kind::Group {
                return Ok(None);
            }
            match links::find(storage, &node, &name)?.map(|link| link.target) {
                Some(LinkTarget::Hard(address)) => here = address,
                Some(LinkTarget::Soft(target)) => {
                    soft_links = soft_links.saturating_add(1);
                    let max = storage.limits().max_depth.into();
                    within("soft links on one path", soft_links, "max_depth", max)
                        .map_err(|problem| whole(Prefix::NAME, storage.offset(here), problem))?;
                    if target.starts_with(b"/") {
                        here = self.root()?;
                    }
                    pending.extend(components(&target));
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(here))
    }

    fn root(&self) -> Result<Address, Error> {
        let storage = &self.handle.storage;
        required("root group", storage.base(), storage.superblock.root)
    }
}

/// The names on a path, last first.
fn components(path: &[u8]) -> Vec<Vec<u8>> {
    let names = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty() && *name != b".");
    names.rev().map(<[u8]>::to_vec).collect()
}

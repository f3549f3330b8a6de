//! Groups and their links.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::file::open_object;
use super::object::{Handle, Kind};
use super::storage::{required, whole};
use super::{Attribute, Object, links};
use crate::error::Error;
use crate::limits::{Limits, within};
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

    pub(crate) fn handle(&self) -> &Handle {
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

    /// The limits that its file was opened with.
    pub fn limits(&self) -> &Limits {
        self.handle.storage.limits()
    }

    /// All links, sorted by the bytes of their names.
    ///
    /// # Errors
    /// [`Error::Format`] when the group's storage is broken or holds too many links.
    pub fn links(&self) -> Result<Arc<Vec<Link>>, Error> {
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
        let resolved = self.resolve(path.as_bytes());
        let Some(address) = resolved.map_err(|error| error.in_object(&self.absolute(path)))? else {
            return Ok(None);
        };
        open_object(&self.handle.storage, &self.absolute(path).into(), address).map(Some)
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
        let len = start.len().saturating_add(path.len()).saturating_add(2);
        let mut reached = String::with_capacity(len);
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
        if !path.contains(&b'/') && !matches!(path, b"" | b".") {
            // A single name, as most are: that of a link of this group.
            match links::target(storage, &self.handle.node, path)? {
                Some(LinkTarget::Hard(address)) => return Ok(Some(address)),
                Some(LinkTarget::Soft(_)) => {}
                _ => return Ok(None),
            }
        }
        let mut here = if path.starts_with(b"/") { self.root()? } else { self.address() };
        let mut pending = components(path);
        let mut soft_links = 0_u64;
        while let Some(name) = pending.pop() {
            let node = storage.node(here)?;
            if node.kind()? != Kind::Group {
                return Ok(None);
            }
            match links::target(storage, &node, &name)? {
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

#[cfg(test)]
mod tests {
    use super::super::test_file::{ROOT, file, hard, header, link_info, open, soft, text_of};
    use super::*;
    use alloc::vec;

    fn sample() -> Group {
        let root = vec![
            link_info(),
            hard("b", 0x200),
            hard("a", 0x300),
            soft("to-c", "/b/c"),
            soft("dangling", "nowhere"),
            soft("circle", "/circle"),
        ];
        let b = vec![link_info(), hard("c", 0x300), soft("beside", "./c"), hard("up", ROOT)];
        let bytes =
            file(&[(ROOT, header(root)), (0x200, header(b)), (0x300, header(vec![link_info()]))]);
        open(bytes).unwrap().root().unwrap()
    }

    fn reach(root: &Group, path: &str) -> Option<(String, u64)> {
        root.get(path).unwrap().map(|object| (object.path().into(), object.address().0))
    }

    #[test]
    fn lists_links_by_name() {
        let links = sample().links().unwrap();
        let names: Vec<_> = links.iter().map(Link::name).collect();
        assert_eq!(names, ["a", "b", "circle", "dangling", "to-c"]);
    }

    #[test]
    fn finds_objects_by_path() {
        let root = sample();
        let at = |path: &str, address| Some((path.into(), address));
        assert_eq!(reach(&root, "/"), at("/", ROOT as u64));
        assert_eq!(reach(&root, "b//c/"), at("/b/c", 0x300));
        assert_eq!(reach(&root, "/b/./up/a"), at("/b/up/a", 0x300));
        assert_eq!(reach(&root, "nothing"), None);
        assert_eq!(reach(&root, "b/.."), None);
    }

    #[test]
    fn follows_soft_links_from_where_they_are() {
        let root = sample();
        assert_eq!(reach(&root, "to-c").map(|found| found.1), Some(0x300));
        assert_eq!(reach(&root, "b/beside").map(|found| found.1), Some(0x300));
        assert_eq!(reach(&root, "dangling"), None);
        assert_eq!(
            text_of(root.get("circle")),
            "/circle: object header at byte 0x40: soft links on one path: 17 is over the limit `max_depth` of 16"
        );
    }

    #[test]
    fn names_the_object_that_cannot_be_opened() {
        let root = vec![link_info(), hard("broken", 0x20), hard("away", 0x2000)];
        let root = open(file(&[(ROOT, header(root))])).unwrap().root().unwrap();
        assert_eq!(
            text_of(root.get("away")),
            "/away: object header at byte 0x2000: it starts past the end of the file, which has 138 bytes"
        );
        assert!(text_of(root.get("broken")).starts_with("/broken: object header at byte 0x20: "));
    }
}

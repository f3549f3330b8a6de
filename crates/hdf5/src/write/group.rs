//! New groups, links and committed datatypes: the tree of objects.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{NewAttribute, NewDataset};
use crate::error::Error;
use crate::message::datatype::Datatype;
use crate::read::{Group, Object};

/// A group to be written. Links and attributes are written in the order of the bytes of their names.
#[derive(Debug, Default)]
pub struct NewGroup {
    /// Attributes by name.
    pub attributes: BTreeMap<Vec<u8>, NewAttribute>,
    /// Links by name; a name is not empty and has neither `/` nor NUL.
    pub links: BTreeMap<Vec<u8>, NewLink>,
    /// What further links call this object by; `None` when it has one name only.
    pub id: Option<ObjectId>,
    /// The object's comment: text that ends with a NUL.
    pub comment: Option<Vec<u8>>,
    /// Keeps the metadata of everything below in one piece, with texts of their own: for a part of the file that is read
    /// without the rest, such as a member of a collection.
    pub keep_together: bool,
}

/// Where a new link leads.
#[derive(Debug)]
pub enum NewLink {
    /// To an object that is written under this name.
    Object(Box<NewObject>),
    /// To an object that is written under another name.
    Again(ObjectId),
    /// To a path of the same file, which may not exist.
    Soft(Vec<u8>),
    /// To a path of another file.
    External {
        /// The other file.
        file: Vec<u8>,
        /// The path in it.
        path: Vec<u8>,
    },
}

/// An object to be written.
#[derive(Debug)]
pub enum NewObject {
    /// A group.
    Group(NewGroup),
    /// A dataset.
    Dataset(NewDataset),
    /// A datatype with a name.
    Datatype(NewDatatype),
}

/// A committed datatype to be written.
#[derive(Debug)]
pub struct NewDatatype {
    /// The type.
    pub datatype: Datatype,
    /// Attributes by name.
    pub attributes: BTreeMap<Vec<u8>, NewAttribute>,
    /// What further links, and datasets that share it, call this object by.
    pub id: Option<ObjectId>,
    /// The object's comment: text that ends with a NUL.
    pub comment: Option<Vec<u8>>,
}

/// Tells one object of a tree from the others, whatever its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    /// The open file that the object was copied from; 0 for new objects.
    pub(super) file: u64,
    /// Its address there, or a number of the caller's.
    pub(super) number: u64,
}

impl ObjectId {
    /// An identity for a new object. Copies have identities of their own, which none of these equals.
    pub fn new(number: u64) -> Self {
        Self { file: 0, number }
    }
}

impl NewDatatype {
    /// A committed datatype without attributes.
    pub fn new(datatype: Datatype) -> Self {
        Self { datatype, attributes: BTreeMap::new(), id: None, comment: None }
    }
}

impl NewGroup {
    /// An empty group.
    pub fn new() -> Self {
        Self::default()
    }

    /// A copy of a group of another file, with everything below: attributes, links, datasets whose chunks are read when
    /// they are written. Objects with several names below it stay one object.
    ///
    /// # Errors
    /// [`Error::Request`], naming the object, for what cannot be carried to another file: references to objects, virtual
    /// and external storage, user-defined links. What reading metadata may fail with.
    pub fn copy_of(group: &Group) -> Result<Self, Error> {
        super::copy::group(group)
    }

    /// Adds an attribute, or replaces the one of this name.
    #[must_use]
    pub fn attribute(mut self, name: &str, attribute: NewAttribute) -> Self {
        self.attributes.insert(name.into(), attribute);
        self
    }

    /// Adds a group, or replaces the link of this name.
    #[must_use]
    pub fn group(mut self, name: &str, group: Self) -> Self {
        self.links.insert(name.into(), group.into());
        self
    }

    /// Adds a dataset, or replaces the link of this name.
    #[must_use]
    pub fn dataset(mut self, name: &str, dataset: NewDataset) -> Self {
        self.links.insert(name.into(), dataset.into());
        self
    }

    /// Adds a soft link to `path`, or replaces the link of this name.
    #[must_use]
    pub fn soft_link(mut self, name: &str, path: &str) -> Self {
        self.links.insert(name.into(), NewLink::Soft(path.into()));
        self
    }

    /// The object at `path`, relative to this group, through groups only: soft links and second names are not followed.
    pub fn get(&self, path: &str) -> Option<&NewObject> {
        let (name, rest) = split(path);
        match self.links.get(name.as_bytes())? {
            NewLink::Object(object) => match (&**object, rest) {
                (object, None) => Some(object),
                (NewObject::Group(group), Some(rest)) => group.get(rest),
                _ => None,
            },
            _ => None,
        }
    }

    /// As [`NewGroup::get`], to change it.
    pub fn get_mut(&mut self, path: &str) -> Option<&mut NewObject> {
        let (name, rest) = split(path);
        match self.links.get_mut(name.as_bytes())? {
            NewLink::Object(object) => match (&mut **object, rest) {
                (object, None) => Some(object),
                (NewObject::Group(group), Some(rest)) => group.get_mut(rest),
                _ => None,
            },
            _ => None,
        }
    }

    /// The group at `path`, relative to this group.
    pub fn group_mut(&mut self, path: &str) -> Option<&mut Self> {
        match self.get_mut(path)? {
            NewObject::Group(group) => Some(group),
            _ => None,
        }
    }

    /// The dataset at `path`, relative to this group.
    pub fn dataset_mut(&mut self, path: &str) -> Option<&mut NewDataset> {
        match self.get_mut(path)? {
            NewObject::Dataset(dataset) => Some(dataset),
            _ => None,
        }
    }

    /// Takes the link at `path` out of the tree, with everything that has no other name. Objects in it that further links
    /// lead to stay in the tree, under the first of those names; call it on the root, so that all of these are seen.
    pub fn remove(&mut self, path: &str) -> Option<NewLink> {
        let mut removed = self.take(path)?;
        self.adopt(&mut removed);
        Some(removed)
    }

    /// Takes the link at `path` out of the tree, to be put elsewhere in the same tree.
    pub fn take(&mut self, path: &str) -> Option<NewLink> {
        match path.trim_matches('/').rsplit_once('/') {
            Some((parent, name)) => self.group_mut(parent)?.links.remove(name.as_bytes()),
            None => self.links.remove(path.trim_matches('/').as_bytes()),
        }
    }

    /// Gives objects below `removed` to the links of this tree that lead to them.
    fn adopt(&mut self, removed: &mut NewLink) {
        let NewLink::Object(object) = removed else { return };
        if let Some(id) = object.id()
            && let Some(link) = self.link_again(id)
        {
            let orphan = core::mem::replace(removed, NewLink::Again(id));
            *link = orphan;
            return;
        }
        if let NewObject::Group(group) = &mut **object {
            group.links.values_mut().for_each(|link| self.adopt(link));
        }
    }

    /// The first link of the tree that leads to an object under another name.
    fn link_again(&mut self, id: ObjectId) -> Option<&mut NewLink> {
        self.links.values_mut().find_map(|link| match link {
            NewLink::Again(other) if *other == id => Some(link),
            NewLink::Object(object) => match &mut **object {
                NewObject::Group(group) => group.link_again(id),
                _ => None,
            },
            _ => None,
        })
    }
}

impl NewObject {
    /// A copy of an object of another file; see [`NewGroup::copy_of`].
    ///
    /// # Errors
    /// As [`NewGroup::copy_of`].
    pub fn copy_of(object: &Object) -> Result<Self, Error> {
        super::copy::object(object)
    }

    /// Attributes by name.
    pub fn attributes_mut(&mut self) -> &mut BTreeMap<Vec<u8>, NewAttribute> {
        match self {
            Self::Group(group) => &mut group.attributes,
            Self::Dataset(dataset) => &mut dataset.attributes,
            Self::Datatype(datatype) => &mut datatype.attributes,
        }
    }

    /// Attributes by name.
    pub fn attributes(&self) -> &BTreeMap<Vec<u8>, NewAttribute> {
        match self {
            Self::Group(group) => &group.attributes,
            Self::Dataset(dataset) => &dataset.attributes,
            Self::Datatype(datatype) => &datatype.attributes,
        }
    }

    /// The object's comment.
    pub fn comment(&self) -> Option<&[u8]> {
        match self {
            Self::Group(group) => group.comment.as_deref(),
            Self::Dataset(dataset) => dataset.comment.as_deref(),
            Self::Datatype(datatype) => datatype.comment.as_deref(),
        }
    }

    /// What further links call it by.
    pub fn id(&self) -> Option<ObjectId> {
        match self {
            Self::Group(group) => group.id,
            Self::Dataset(dataset) => dataset.id,
            Self::Datatype(datatype) => datatype.id,
        }
    }
}

/// The first name of a path and what follows it.
fn split(path: &str) -> (&str, Option<&str>) {
    let path = path.trim_matches('/');
    path.split_once('/').map_or((path, None), |(name, rest)| (name, Some(rest)))
}

impl From<NewGroup> for NewLink {
    fn from(group: NewGroup) -> Self {
        Self::Object(Box::new(NewObject::Group(group)))
    }
}

impl From<NewDataset> for NewLink {
    fn from(dataset: NewDataset) -> Self {
        Self::Object(Box::new(NewObject::Dataset(dataset)))
    }
}

impl From<NewDatatype> for NewLink {
    fn from(datatype: NewDatatype) -> Self {
        Self::Object(Box::new(NewObject::Datatype(datatype)))
    }
}

impl From<NewObject> for NewLink {
    fn from(object: NewObject) -> Self {
        Self::Object(Box::new(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> NewGroup {
        let shared = NewGroup { id: Some(ObjectId::new(1)), ..NewGroup::new() };
        let a = NewGroup::new().group("inner", shared.attribute("n", NewAttribute::integer(7)));
        let mut b = NewGroup::new().soft_link("s", "/a");
        b.links.insert(b"again".to_vec(), NewLink::Again(ObjectId::new(1)));
        NewGroup::new().group("a", a).group("b", b)
    }

    #[test]
    fn finds_objects_by_path() {
        let mut tree = tree();
        assert!(tree.get("a/inner").is_some() && tree.get("/a/").is_some());
        assert!(tree.get("b/s").is_none() && tree.get("a/x/y").is_none());
        assert!(tree.group_mut("a/inner").is_some() && tree.dataset_mut("a/inner").is_none());
    }

    #[test]
    fn what_has_another_name_outlives_its_first() {
        let mut tree = tree();
        assert!(matches!(tree.remove("a"), Some(NewLink::Object(_))));
        let kept = tree.get("b/again").map(|object| object.attributes().len());
        assert_eq!((kept, tree.links.len()), (Some(1), 1));
        assert!(tree.remove("a").is_none());
    }

    #[test]
    fn what_is_moved_keeps_its_second_name() {
        let mut tree = tree();
        let taken = tree.take("a/inner").unwrap();
        tree.links.insert(b"c".to_vec(), taken);
        assert!(tree.get("c").is_some());
        assert!(matches!(tree.group_mut("b").unwrap().links[&b"again"[..]], NewLink::Again(_)));
    }
}

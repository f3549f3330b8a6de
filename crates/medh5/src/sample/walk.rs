//! The walk over a file: every object once, by its first path, and whether the file stands alone.

use std::collections::HashMap;

use hdf5::{Address, Dataset, Group, Link, LinkTarget, Object, StorageKind};

use super::member::Member;
use crate::ReadError;

/// Deepest nesting of groups below the start: bounds recursion here and in every later walk.
const MAX_DEPTH: usize = 64;

/// How deep the group of a member lies in a collection: `/samples/KEY`.
const MEMBER_DEPTH: usize = 2;

const LINK_TO_FILE: &str = "is a link to another file";

/// An object met by a walk.
#[derive(Debug, Clone)]
pub struct Visit {
    /// First path by which it was reached, without a leading slash; empty for the start.
    pub path: String,
    /// The object.
    pub object: Object,
}

/// Every object that hard links reach, once, depth first, members in the byte order of their names.
///
/// Where several hard links lead to one object, the first path in this order is *its* path: digests, storage
/// findings and path binding all name objects by it. Soft links are not followed.
#[derive(Debug, Clone, Default)]
pub struct Walk {
    visits: Vec<Visit>,
    by_address: HashMap<Address, usize>,
}

impl Walk {
    /// Walks everything below `start`.
    ///
    /// # Errors
    /// [`ReadError::Value`] when something in it lies outside the file (an external link, a virtual dataset, external storage)
    /// or groups nest deeper than 64 levels; [`ReadError::File`] when an object is broken.
    pub fn of(start: &Group) -> Result<Self, ReadError> {
        let mut walk = Self::default();
        walk.enter(String::new(), start, 0)?;
        Ok(walk)
    }

    /// The same for a member of a collection, to which `link` leads; `None` where it is no group, or lies behind a soft link.
    ///
    /// # Errors
    /// As [`Walk::of`].
    pub(crate) fn of_member(member: &Member, link: &Link) -> Result<Option<Self>, ReadError> {
        match (&link.target, &member.object) {
            (LinkTarget::External { .. }, _) => Err(refused(&member.name, LINK_TO_FILE)),
            (LinkTarget::Hard(_), Some(Object::Group(group))) => {
                let mut walk = Self::default();
                walk.enter(String::new(), group, MEMBER_DEPTH)?;
                Ok(Some(walk))
            }
            (LinkTarget::Hard(_), Some(object)) => {
                require_own_storage(&member.name, object).map(|()| None)
            }
            _ => Ok(None),
        }
    }

    /// The same for the root of a collection, without what its link `name` leads to.
    ///
    /// # Errors
    /// As [`Walk::of`].
    pub(crate) fn without(start: &Group, name: &str) -> Result<Self, ReadError> {
        let mut walk = Self::default();
        walk.visit(String::new(), Object::Group(start.clone()));
        for link in start.links()?.iter().filter(|link| link.name() != name) {
            walk.follow("", start, link, 0)?;
        }
        Ok(walk)
    }

    /// All objects in walking order; the first is the start.
    pub fn visits(&self) -> &[Visit] {
        &self.visits
    }

    /// All datasets with their first paths, in walking order.
    pub fn datasets(&self) -> impl Iterator<Item = (&str, &Dataset)> {
        self.visits.iter().filter_map(|visit| match &visit.object {
            Object::Dataset(dataset) => Some((visit.path.as_str(), dataset)),
            _ => None,
        })
    }

    /// The first path of the object at this address, if the walk met it.
    pub fn first_path(&self, address: Address) -> Option<&str> {
        let index = *self.by_address.get(&address)?;
        self.visits.get(index).map(|visit| visit.path.as_str())
    }

    /// Visits a group and what is in it.
    fn enter(&mut self, path: String, group: &Group, depth: usize) -> Result<(), ReadError> {
        if depth > MAX_DEPTH {
            return Err(refused(&path, &format!("is nested deeper than {MAX_DEPTH} groups")));
        }
        let prefix = if path.is_empty() { String::new() } else { [&path, "/"].concat() };
        self.visit(path, Object::Group(group.clone()));
        for link in group.links()?.iter() {
            self.follow(&prefix, group, link, depth)?;
        }
        Ok(())
    }

    fn follow(
        &mut self,
        prefix: &str,
        group: &Group,
        link: &Link,
        depth: usize,
    ) -> Result<(), ReadError> {
        let name = link.name();
        let path = || [prefix, &name].concat();
        match &link.target {
            LinkTarget::External { .. } => Err(refused(&path(), LINK_TO_FILE)),
            LinkTarget::Hard(address) if self.by_address.contains_key(address) => Ok(()),
            LinkTarget::Hard(_) => match group.get(&name)? {
                Some(Object::Group(group)) => self.enter(path(), &group, depth + 1),
                Some(object) => {
                    let path = path();
                    require_own_storage(&path, &object)?;
                    self.visit(path, object);
                    Ok(())
                }
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn visit(&mut self, path: String, object: Object) {
        self.by_address.insert(object.address(), self.visits.len());
        self.visits.push(Visit { path, object });
    }
}

fn require_own_storage(path: &str, object: &Object) -> Result<(), ReadError> {
    let Object::Dataset(dataset) = object else { return Ok(()) };
    match dataset.storage() {
        StorageKind::Virtual => Err(refused(path, "is a virtual dataset")),
        StorageKind::External => Err(refused(path, "keeps its values in another file")),
        _ => Ok(()),
    }
}

fn refused(path: &str, what: &str) -> ReadError {
    ReadError::value(format!("not self-contained: /{path} {what}"))
}

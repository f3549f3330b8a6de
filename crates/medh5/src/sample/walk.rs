//! The walk over a file: every object once, by its first path, and whether the file stands alone.

use std::collections::HashMap;
#[cfg(feature = "parallel")]
use std::collections::HashSet;
#[cfg(feature = "parallel")]
use std::sync::{Mutex, PoisonError};

use hdf5::{Address, Dataset, Group, Link, LinkTarget, Object, StorageKind};

use crate::ReadError;
#[cfg(feature = "parallel")]
use crate::parallel::in_order;

/// Deepest nesting of groups below the start: bounds recursion here and in every later walk.
const MAX_DEPTH: usize = 64;

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
    has_aliases: bool,
}

impl Walk {
    /// Walks everything below `start`.
    ///
    /// # Errors
    /// [`ReadError::Value`] when something in it lies outside the file (an external link, a virtual dataset, external storage)
    /// or groups nest deeper than 64 levels; [`ReadError::File`] when an object is broken.
    pub fn of(start: &Group) -> Result<Self, ReadError> {
        let mut walk = Self::default();
        walk.enter(String::new(), start, 0, &|_| true)?;
        Ok(walk)
    }

    /// The same for the root of a collection, whose samples are walked side by side.
    ///
    /// # Errors
    /// As [`Walk::of`].
    pub(crate) fn of_collection(root: &Group) -> Result<Self, ReadError> {
        #[cfg(feature = "parallel")]
        if let Ok(walk) = Self::side_by_side(root) {
            return Ok(walk);
        }
        // One after the other, then: what comes first decides what is wrong, or whose path an object has.
        Self::of(root)
    }

    /// Fails when something is wrong, and when an object is met twice.
    #[cfg(feature = "parallel")]
    fn side_by_side(root: &Group) -> Result<Self, ReadError> {
        let met = Mutex::new(HashSet::new());
        let claim = |address| met.lock().unwrap_or_else(PoisonError::into_inner).insert(address);
        let mut walk = Self::default();
        walk.visit(String::new(), Object::Group(root.clone()), &claim)?;
        for link in root.links()?.iter() {
            let Some(Object::Group(samples)) =
                (link.name() == "samples").then(|| root.get("samples")).transpose()?.flatten()
            else {
                walk.follow("", root, link, 0, &claim)?;
                continue;
            };
            walk.visit("samples".into(), Object::Group(samples.clone()), &claim)?;
            let parts = in_order(&samples.links()?, |link| {
                let mut part = Self::default();
                part.follow("samples/", &samples, link, 1, &claim)?;
                Ok(part)
            })?;
            for part in parts {
                walk.append(part);
            }
        }
        if walk.has_aliases { Err(ReadError::Stopped) } else { Ok(walk) }
    }

    #[cfg(feature = "parallel")]
    fn append(&mut self, part: Self) {
        let before = self.visits.len();
        self.visits.extend(part.visits);
        self.by_address.extend(part.by_address.into_iter().map(|(at, index)| (at, before + index)));
        self.has_aliases |= part.has_aliases;
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

    /// The walk of the group `start` alone, taken from this one; `None` when some object has two hard links, so that
    /// first paths may differ when starting there.
    pub(crate) fn below(&self, start: &Group) -> Option<Self> {
        if self.has_aliases {
            return None;
        }
        let mut below = Self::default();
        let first = *self.by_address.get(&start.address())?;
        let path = &self.visits.get(first)?.path;
        for visit in self.visits.iter().skip(first) {
            let Some(rest) = visit.path.strip_prefix(path) else { break };
            let rest = match rest.strip_prefix('/') {
                Some(rest) => rest,
                None if rest.is_empty() => rest,
                None => break,
            };
            below.visit(rest.to_owned(), visit.object.clone(), &|_| true).ok()?;
        }
        Some(below)
    }

    /// Visits a group and what is in it. `claim` says whether nobody else has met an object at this address.
    fn enter(
        &mut self,
        path: String,
        group: &Group,
        depth: usize,
        claim: &dyn Fn(Address) -> bool,
    ) -> Result<(), ReadError> {
        if depth > MAX_DEPTH {
            return Err(refused(&path, &format!("is nested deeper than {MAX_DEPTH} groups")));
        }
        let prefix = if path.is_empty() { String::new() } else { format!("{path}/") };
        self.visit(path, Object::Group(group.clone()), claim)?;
        for link in group.links()?.iter() {
            self.follow(&prefix, group, link, depth, claim)?;
        }
        Ok(())
    }

    fn follow(
        &mut self,
        prefix: &str,
        group: &Group,
        link: &Link,
        depth: usize,
        claim: &dyn Fn(Address) -> bool,
    ) -> Result<(), ReadError> {
        let path = || format!("{prefix}{}", link.name());
        match &link.target {
            LinkTarget::External { .. } => Err(refused(&path(), "is a link to another file")),
            LinkTarget::Hard(address) if self.by_address.contains_key(address) => {
                self.has_aliases = true;
                Ok(())
            }
            LinkTarget::Hard(_) => match group.get(&link.name())? {
                Some(Object::Group(group)) => self.enter(path(), &group, depth + 1, claim),
                Some(object) => {
                    let path = path();
                    require_own_storage(&path, &object)?;
                    self.visit(path, object, claim)
                }
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn visit(
        &mut self,
        path: String,
        object: Object,
        claim: &dyn Fn(Address) -> bool,
    ) -> Result<(), ReadError> {
        let address = match &object {
            Object::Group(group) => group.address(),
            Object::Dataset(dataset) => dataset.address(),
            Object::Datatype(datatype) => datatype.address,
        };
        if !claim(address) {
            return Err(ReadError::Stopped);
        }
        self.by_address.insert(address, self.visits.len());
        self.visits.push(Visit { path, object });
        Ok(())
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

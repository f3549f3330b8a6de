//! A collection: samples under `/samples`, each by its key. Spec: MEDH5 1.0 §3.

use hdf5::{Group, Object};

use super::Sample;
use super::member::{ChapterState, Member, members_of};
use crate::ReadError;
use crate::attributes::Attributes;

/// Many samples in one file.
#[derive(Debug, Clone)]
pub struct Collection {
    root: Group,
    attributes: Attributes,
}

impl Collection {
    pub(super) fn new(root: Group) -> Self {
        let attributes = Attributes::of(Object::Group(root.clone()));
        Self { root, attributes }
    }

    /// The root group.
    pub fn root(&self) -> &Group {
        &self.root
    }

    /// The root's attributes.
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// What `samples` is.
    ///
    /// # Errors
    /// [`ReadError::File`] when it cannot be read.
    pub fn samples(&self) -> Result<ChapterState, ReadError> {
        ChapterState::of(&self.root, "samples")
    }

    /// All members of `samples` by the bytes of their keys, whatever they are; none when `samples` is no group.
    ///
    /// # Errors
    /// [`ReadError::File`] when the group or the header of a member is broken.
    pub fn members(&self) -> Result<Vec<Member>, ReadError> {
        match self.samples()? {
            ChapterState::Group(group) => members_of(&group, "/samples"),
            _ => Ok(Vec::new()),
        }
    }

    /// The keys of all members, sorted by their bytes; the members are not opened.
    ///
    /// # Errors
    /// [`ReadError::File`] when the group is broken.
    pub fn keys(&self) -> Result<Vec<String>, ReadError> {
        let ChapterState::Group(group) = self.samples()? else { return Ok(Vec::new()) };
        Ok(group.links()?.iter().map(|link| link.name().into_owned()).collect())
    }

    /// The sample under `key`; `None` when there is no such member or it is no group.
    ///
    /// # Errors
    /// [`ReadError::File`] when the member cannot be read.
    pub fn sample(&self, key: &str) -> Result<Option<Sample>, ReadError> {
        let ChapterState::Group(samples) = self.samples()? else { return Ok(None) };
        if samples.link(key)?.is_none() {
            return Ok(None);
        }
        match samples.get(key)? {
            Some(Object::Group(group)) => Ok(Some(Sample::new(group, Some(key)))),
            _ => Ok(None),
        }
    }
}

//! One sample, opened read-only.

use std::sync::{Arc, OnceLock};

use hdf5::{Dataset, Group, Object};

use super::member::{Chapter, ChapterState, Member, members_of};
use super::walk::Walk;
use crate::ReadError;
use crate::attributes::Attributes;

/// One sample, opened read-only. Cheap to clone; clones share what was read.
///
/// Opening reads nothing beyond the group's header: members, attributes and voxels are read when asked for.
#[derive(Debug, Clone)]
pub struct Sample {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    root: Group,
    key: Option<String>,
    attributes: Attributes,
    members: Members,
    walk: OnceLock<Walk>,
}

/// The members of each chapter, once they were listed.
#[derive(Debug, Default)]
struct Members {
    grids: OnceLock<Vec<Member>>,
    images: OnceLock<Vec<Member>>,
    annotations: OnceLock<Vec<Member>>,
    transforms: OnceLock<Vec<Member>>,
}

impl Members {
    fn of(&self, chapter: Chapter) -> &OnceLock<Vec<Member>> {
        match chapter {
            Chapter::Grids => &self.grids,
            Chapter::Images => &self.images,
            Chapter::Annotations => &self.annotations,
            Chapter::Transforms => &self.transforms,
        }
    }
}

impl Sample {
    /// The sample whose group is `root`; `key` is its name in a collection.
    pub fn new(root: Group, key: Option<&str>) -> Self {
        let attributes = Attributes::of(Object::Group(root.clone()));
        let inner = Inner {
            root,
            key: key.map(str::to_owned),
            attributes,
            members: Members::default(),
            walk: OnceLock::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The sample's group.
    pub fn root(&self) -> &Group {
        &self.inner.root
    }

    /// Its key, if it is a member of a collection.
    pub fn key(&self) -> Option<&str> {
        self.inner.key.as_deref()
    }

    /// What precedes a location inside this sample in a report of the whole file: nothing, or `/samples/KEY:`.
    pub fn prefix(&self) -> String {
        self.key().map(|key| format!("/samples/{key}:")).unwrap_or_default()
    }

    /// The attributes of its group.
    pub fn attributes(&self) -> &Attributes {
        &self.inner.attributes
    }

    /// What stands under the name of `chapter`.
    ///
    /// # Errors
    /// [`ReadError::File`] when it cannot be read.
    pub fn chapter(&self, chapter: Chapter) -> Result<ChapterState, ReadError> {
        ChapterState::of(self.root(), chapter.name())
    }

    /// All members of a chapter, sorted by the bytes of their names, whatever they lead to; none when it is no group.
    ///
    /// # Errors
    /// [`ReadError::File`] when the group or the header of a member is broken.
    pub fn members(&self, chapter: Chapter) -> Result<&[Member], ReadError> {
        let cell = self.inner.members.of(chapter);
        if let Some(members) = cell.get() {
            return Ok(members);
        }
        let members = match self.chapter(chapter)? {
            ChapterState::Group(group) => members_of(&group, &format!("/{}", chapter.name()))?,
            _ => Vec::new(),
        };
        Ok(cell.get_or_init(|| members))
    }

    /// The members of a chapter that are groups or datasets.
    ///
    /// # Errors
    /// As [`Sample::members`].
    pub fn children(
        &self,
        chapter: Chapter,
    ) -> Result<impl Iterator<Item = (&Member, &Object)>, ReadError> {
        let members = self.members(chapter)?;
        Ok(members.iter().filter_map(|member| Some((member, member.child()?))))
    }

    /// The member of this exact name that is a group or a dataset.
    ///
    /// # Errors
    /// As [`Sample::members`].
    pub fn child(
        &self,
        chapter: Chapter,
        name: &str,
    ) -> Result<Option<(&Member, &Object)>, ReadError> {
        Ok(self.children(chapter)?.find(|(member, _)| member.name == name))
    }

    /// What `reference` names as an HDF5 path relative to a chapter: `ct`, `./ct` and `/grids/ct` are the same grid.
    ///
    /// # Errors
    /// [`ReadError::File`] when an object on the way is broken.
    pub fn resolve(&self, chapter: Chapter, reference: &str) -> Result<Option<Object>, ReadError> {
        match self.chapter(chapter)? {
            ChapterState::Group(group) if !reference.is_empty() => Ok(group.get(reference)?),
            _ => Ok(None),
        }
    }

    /// Everything in the sample, each object once, by its first path.
    ///
    /// # Errors
    /// [`ReadError::Value`] when the sample is not self-contained, [`ReadError::File`] when an object is broken.
    pub fn walk(&self) -> Result<&Walk, ReadError> {
        if let Some(walk) = self.inner.walk.get() {
            return Ok(walk);
        }
        let walk = Walk::of(self.root())?;
        Ok(self.inner.walk.get_or_init(|| walk))
    }

    /// Keeps a walk that was made while opening the file.
    pub(crate) fn with_walk(self, walk: Walk) -> Self {
        self.inner.walk.get_or_init(|| walk);
        self
    }

    /// The dataset at `path`, relative to the sample; soft links are followed.
    ///
    /// # Errors
    /// [`ReadError::File`] when an object on the way is broken.
    pub fn dataset(&self, path: &str) -> Result<Option<Dataset>, ReadError> {
        match self.root().get(path)? {
            Some(Object::Dataset(dataset)) => Ok(Some(dataset)),
            _ => Ok(None),
        }
    }
}

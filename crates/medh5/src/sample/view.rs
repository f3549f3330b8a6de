//! One sample, opened read-only.

use std::sync::{Arc, OnceLock};

use hdf5::{Dataset, Group, Object};

use super::member::{Chapter, ChapterState, Child, Member, members_of};
use super::walk::Walk;
use crate::ReadError;
use crate::attributes::Attributes;
use crate::clinical::{CLINICAL, History};

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
    chapters: PerChapter<ChapterState>,
    members: PerChapter<Vec<Member>>,
    children: PerChapter<Vec<Child>>,
    walk: OnceLock<Walk>,
    history: OnceLock<Option<History>>,
}

/// A value per chapter, once it was made.
#[derive(Debug)]
struct PerChapter<T> {
    grids: OnceLock<T>,
    images: OnceLock<T>,
    annotations: OnceLock<T>,
    transforms: OnceLock<T>,
}

impl<T> Default for PerChapter<T> {
    fn default() -> Self {
        let empty = OnceLock::new;
        Self { grids: empty(), images: empty(), annotations: empty(), transforms: empty() }
    }
}

impl<T> PerChapter<T> {
    fn of(&self, chapter: Chapter) -> &OnceLock<T> {
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
            chapters: PerChapter::default(),
            members: PerChapter::default(),
            children: PerChapter::default(),
            walk: OnceLock::new(),
            history: OnceLock::new(),
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
        let cell = self.inner.chapters.of(chapter);
        if let Some(known) = cell.get() {
            return Ok(known.clone());
        }
        let found = ChapterState::of(self.root(), chapter.name())?;
        Ok(cell.get_or_init(|| found).clone())
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

    /// The members of a chapter that are groups or datasets, sorted by the bytes of their names.
    ///
    /// # Errors
    /// As [`Sample::members`].
    pub fn children(&self, chapter: Chapter) -> Result<&[Child], ReadError> {
        let cell = self.inner.children.of(chapter);
        if let Some(children) = cell.get() {
            return Ok(children);
        }
        let children = self.members(chapter)?.iter().filter_map(Member::child).collect();
        Ok(cell.get_or_init(|| children))
    }

    /// The child of this exact name; no path.
    ///
    /// # Errors
    /// As [`Sample::members`].
    pub fn child(&self, chapter: Chapter, name: &str) -> Result<Option<&Child>, ReadError> {
        let children = self.children(chapter)?;
        let at = children.binary_search_by(|child| child.name().cmp(name)).ok();
        Ok(at.and_then(|at| children.get(at)))
    }

    /// What `reference` names as an HDF5 path relative to a chapter: `ct`, `./ct` and `/grids/ct` are the same grid.
    ///
    /// # Errors
    /// [`ReadError::File`] when an object on the way is broken.
    pub fn resolve(&self, chapter: Chapter, reference: &str) -> Result<Option<Child>, ReadError> {
        if let Some(child) = self.child(chapter, reference)? {
            return Ok(Some(child.clone()));
        }
        let ChapterState::Group(group) = self.chapter(chapter)? else { return Ok(None) };
        // A path names its last component, which cannot be the group itself.
        let last = reference.rsplit('/').find(|component| !component.is_empty());
        let object = match last {
            None | Some(".") => None,
            Some(_) => group.get(reference)?,
        };
        let named =
            |object| Child::new(reference, &format!("/{}/{reference}", chapter.name()), object);
        Ok(object.filter(|object| !matches!(object, Object::Datatype(_))).map(named))
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

    /// The clinical history; `None` when the sample has no group `clinical`. Content that does not follow its encoding is
    /// left out.
    ///
    /// # Errors
    /// [`ReadError::File`] when stored values cannot be read.
    pub fn history(&self) -> Result<Option<&History>, ReadError> {
        if let Some(history) = self.inner.history.get() {
            return Ok(history.as_ref());
        }
        let history = match ChapterState::of(self.root(), CLINICAL)? {
            ChapterState::Group(group) => Some(History::read(&group)?),
            _ => None,
        };
        Ok(self.inner.history.get_or_init(|| history).as_ref())
    }

    /// Keeps a walk that was made before.
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

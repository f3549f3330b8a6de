//! Members of the groups of a sample.

use std::sync::Arc;

use hdf5::{Dataset, Group, Link, Object};

use crate::ReadError;
use crate::attributes::Attributes;

/// The four groups that hold the parts of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Chapter {
    Grids,
    Images,
    Annotations,
    Transforms,
}

impl Chapter {
    /// All four, in the order of the format.
    pub const ALL: [Self; 4] = [Self::Grids, Self::Images, Self::Annotations, Self::Transforms];

    /// Name of its group in the sample's root.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grids => "grids",
            Self::Images => "images",
            Self::Annotations => "annotations",
            Self::Transforms => "transforms",
        }
    }
}

/// What stands where a group of members is expected.
#[derive(Debug, Clone)]
pub enum ChapterState {
    /// No link of that name.
    Absent,
    /// Something else, or a link that leads nowhere.
    NotAGroup,
    /// The group.
    Group(Group),
}

impl ChapterState {
    /// Looks at the member `name` of `parent`; soft links are followed.
    ///
    /// # Errors
    /// [`ReadError::File`] when it cannot be read.
    pub fn of(parent: &Group, name: &str) -> Result<Self, ReadError> {
        Ok(match parent.get(name)? {
            Some(Object::Group(group)) => Self::Group(group),
            None if parent.link(name)?.is_none() => Self::Absent,
            _ => Self::NotAGroup,
        })
    }
}

/// A link of a group and what it leads to.
#[derive(Debug, Clone)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Where it is, from the root of the sample: `/images/CT`.
    pub path: String,
    /// What it leads to, soft links followed; `None` for a link that leads nowhere or out of the file.
    pub object: Option<Object>,
}

impl Member {
    /// What `link`, one of those of `group`, leads to; `path` is where the group is.
    ///
    /// # Errors
    /// [`ReadError::File`] when the header of the object is broken.
    pub(crate) fn of(group: &Group, path: &str, link: &Link) -> Result<Self, ReadError> {
        let name = link.name().into_owned();
        let object = group.get(&name)?;
        Ok(Self { path: [path, "/", &name].concat(), name, object })
    }

    /// The group or dataset; everything else is invisible to most of the format.
    pub fn child(&self) -> Option<Child> {
        let object = self.object.clone().filter(|object| !matches!(object, Object::Datatype(_)))?;
        Some(Child::new(&self.name, &self.path, object))
    }
}

/// A group or dataset that is a part of a sample. Cheap to clone; clones share the attributes that were read.
#[derive(Debug, Clone)]
pub struct Child {
    name: Arc<str>,
    path: Arc<str>,
    object: Object,
    attributes: Attributes,
}

impl Child {
    pub(crate) fn new(name: &str, path: &str, object: Object) -> Self {
        let attributes = Attributes::of(object.clone());
        Self { name: name.into(), path: path.into(), object, attributes }
    }

    /// Its name in its chapter.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it is, from the root of the sample: `/images/CT`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The group or dataset.
    pub fn object(&self) -> &Object {
        &self.object
    }

    /// Its attributes.
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// The group, if it is one.
    pub fn group(&self) -> Option<&Group> {
        match &self.object {
            Object::Group(group) => Some(group),
            _ => None,
        }
    }

    /// The dataset, if it is one.
    pub fn dataset(&self) -> Option<&Dataset> {
        match &self.object {
            Object::Dataset(dataset) => Some(dataset),
            _ => None,
        }
    }

    /// The dataset of this name inside the group, soft links followed; `None` also when this is no group.
    ///
    /// # Errors
    /// [`ReadError::File`] when its header cannot be read.
    pub fn member_dataset(&self, name: &str) -> Result<Option<Dataset>, ReadError> {
        let Some(group) = self.group() else { return Ok(None) };
        match group.get(name)? {
            Some(Object::Dataset(dataset)) => Ok(Some(dataset)),
            _ => Ok(None),
        }
    }
}

/// All members of `group`, sorted by the bytes of their names; `path` is where the group is.
///
/// # Errors
/// [`ReadError::File`] when the group or the header of a member is broken.
pub(crate) fn members_of(group: &Group, path: &str) -> Result<Vec<Member>, ReadError> {
    group.links()?.iter().map(|link| Member::of(group, path, link)).collect()
}

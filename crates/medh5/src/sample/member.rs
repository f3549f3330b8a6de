//! Members of the groups of a sample.

use hdf5::{Group, Object};

use crate::ReadError;

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
        if parent.link(name)?.is_none() {
            return Ok(Self::Absent);
        }
        Ok(match parent.get(name)? {
            Some(Object::Group(group)) => Self::Group(group),
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
    /// The object, soft links followed; `None` for a link that leads nowhere or out of the file.
    pub object: Option<Object>,
}

impl Member {
    /// The group or dataset; everything else is invisible to most of the format.
    pub fn child(&self) -> Option<&Object> {
        self.object.as_ref().filter(|object| !matches!(object, Object::Datatype(_)))
    }

    /// The group, if it is one.
    pub fn group(&self) -> Option<&Group> {
        match &self.object {
            Some(Object::Group(group)) => Some(group),
            _ => None,
        }
    }
}

/// All members of `group`, sorted by the bytes of their names; `path` is where the group is.
///
/// # Errors
/// [`ReadError::File`] when the group or the header of a member is broken.
pub(crate) fn members_of(group: &Group, path: &str) -> Result<Vec<Member>, ReadError> {
    let member = |link: &hdf5::Link| {
        let name = link.name().into_owned();
        let object = group.get(&name)?;
        Ok(Member { path: format!("{path}/{name}"), name, object })
    };
    group.links()?.iter().map(member).collect()
}

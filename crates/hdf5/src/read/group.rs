//! Groups and their links.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::attribute::pending;
use super::{Attribute, Object};
use crate::error::Error;
use crate::parse::Address;

/// A group. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Group {
    path: Arc<str>,
    address: Address,
}

/// A link of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Its name as stored.
    pub name: Vec<u8>,
    /// Where it leads.
    pub target: LinkTarget,
}

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkTarget {
    /// To an object of this file.
    Hard(Address),
    /// To a path of this file, which may not exist.
    Soft(Vec<u8>),
    /// To a path of another file; never followed.
    External {
        /// The other file.
        file: Vec<u8>,
        /// The path in it.
        path: Vec<u8>,
    },
    /// A class of link that the writer defined; never followed.
    UserDefined {
        /// Its class number.
        class: u8,
    },
}

impl Link {
    /// The name as text; bytes that are not UTF-8 show as U+FFFD.
    pub fn name(&self) -> alloc::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.name)
    }
}

impl Group {
    /// The absolute path by which this group was reached.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Where its header is: two groups are the same object exactly when this is equal.
    pub fn address(&self) -> Address {
        self.address
    }

    /// All links, sorted by the bytes of their names.
    ///
    /// # Errors
    /// [`Error::Format`] when the group's storage is broken or holds too many links.
    pub fn links(&self) -> Result<Arc<[Link]>, Error> {
        Err(pending())
    }

    /// The link of this name, if there is one.
    ///
    /// # Errors
    /// As [`Group::links`].
    pub fn link(&self, name: &str) -> Result<Option<Link>, Error> {
        let _ = name;
        Err(pending())
    }

    /// The object at `path`, relative to this group or absolute; soft links are followed, `.` is this group, `..` is not special.
    /// `None` when a component does not exist, dangles, or leads out of the file.
    ///
    /// # Errors
    /// [`Error::Format`] when a structure on the way is broken.
    pub fn get(&self, path: &str) -> Result<Option<Object>, Error> {
        let _ = path;
        Err(pending())
    }

    /// All attributes, sorted by the bytes of their names.
    ///
    /// # Errors
    /// [`Error::Format`] when their storage is broken.
    pub fn attributes(&self) -> Result<Arc<[Attribute]>, Error> {
        Err(pending())
    }

    /// The attribute of this name.
    ///
    /// # Errors
    /// As [`Group::attributes`].
    pub fn attribute(&self, name: &str) -> Result<Option<Attribute>, Error> {
        let _ = name;
        Err(pending())
    }
}

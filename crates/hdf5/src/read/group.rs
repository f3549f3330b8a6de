//! Groups and their links.

use alloc::sync::Arc;

use super::attribute::pending;
use super::{Attribute, Object};
use crate::error::Error;
use crate::message::link::Link;
use crate::parse::Address;

/// A group. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Group {
    path: Arc<str>,
    address: Address,
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

//! Opening a file: a sample or a collection.

use std::sync::Arc;

use hdf5::{ByteSource, Group, Object, OpenOptions};

use super::{Collection, Sample};
use crate::ReadError;
use crate::attributes::Attributes;
use crate::storage;

/// What a file holds.
#[derive(Debug, Clone)]
pub enum Opened {
    /// One sample: the root is its group.
    Sample(Sample),
    /// Many samples, by key.
    Collection(Collection),
}

impl Opened {
    /// What the group at the root of a file is.
    ///
    /// # Errors
    /// [`ReadError::File`] when its attributes cannot be read.
    pub fn of_root(root: Group) -> Result<Self, ReadError> {
        let kind = Attributes::of(Object::Group(root.clone())).text("medh5_kind")?;
        Ok(match kind.as_deref() {
            Some("collection") => Self::Collection(Collection::new(root)),
            _ => Self::Sample(Sample::new(root, None)),
        })
    }

    /// Whether the root names a version of the format, `medh5_version`. Any other HDF5 file opens too, as an empty sample.
    ///
    /// # Errors
    /// [`ReadError::File`] when the root's attributes cannot be read.
    pub fn declares_version(&self) -> Result<bool, ReadError> {
        let version = match self {
            Self::Sample(sample) => sample.attributes().value("medh5_version")?,
            Self::Collection(collection) => collection.attributes().value("medh5_version")?,
        };
        Ok(version.is_some())
    }
}

/// Opens a file with all filters that we can decode ([`storage::reading`]). Reads the superblock, the root and its attributes, nothing else.
///
/// A file is a collection exactly when its root says so in `medh5_kind`; its name does not matter. What is in it is not
/// judged here: [`crate::sample::Walk`] tells whether it is self-contained.
///
/// # Errors
/// [`ReadError::File`] when this is no HDF5 file, its root is broken, or bytes cannot be had.
pub fn open<S: ByteSource + 'static>(source: S) -> Result<Opened, ReadError> {
    let options = OpenOptions { filters: storage::reading(), ..OpenOptions::default() };
    open_with(Arc::new(source), options)
}

/// Opens a file with other limits, filters or a chunk cache.
///
/// # Errors
/// As [`open`].
pub fn open_with(source: Arc<dyn ByteSource>, options: OpenOptions) -> Result<Opened, ReadError> {
    Opened::of_root(hdf5::File::open_with(source, options)?.root()?)
}

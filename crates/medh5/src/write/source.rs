//! A file to be rewritten: opened, and found to be one that a writer may rewrite.

use std::path::Path;
use std::sync::Arc;

use hdf5::{Address, ByteSource, FileSource, NewGroup, OpenOptions};

use super::WriteError;
use crate::sample::{Opened, Sample};
use crate::storage;
use crate::validate::{Standing, Version, is_profile};

/// A file whose content goes into a new one.
#[derive(Debug)]
pub(super) struct Source {
    file: hdf5::File,
    pub(super) opened: Opened,
    /// Its length, in bytes.
    pub(super) len: u64,
}

impl Source {
    /// Opens the file at `path`.
    pub(super) fn open(path: &Path) -> Result<Self, WriteError> {
        let system = |source| WriteError::System { path: path.to_path_buf(), source };
        Self::of(Arc::new(FileSource::open(path).map_err(system)?))
    }

    /// Opens a file that is had as bytes.
    pub(super) fn of(source: Arc<dyn ByteSource>) -> Result<Self, WriteError> {
        let len = source.len();
        let options = OpenOptions { filters: storage::reading(), ..OpenOptions::default() };
        let file = hdf5::File::open_with(source, options)?;
        let opened = Opened::of_root(file.root()?)?;
        Ok(Self { file, opened, len })
    }

    /// The whole tree, to be changed and written.
    pub(super) fn copy(&self) -> Result<NewGroup, WriteError> {
        let root = match &self.opened {
            Opened::Sample(sample) => sample.root(),
            Opened::Collection(collection) => collection.root(),
        };
        Ok(NewGroup::copy_of(root)?)
    }

    /// What stands before the file proper.
    pub(super) fn user_block(&self) -> Result<Vec<u8>, WriteError> {
        let len = self.file.offset_of(Address(0));
        let mut block = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
        self.file.source().read_at(0, &mut block).map_err(hdf5::Error::from)?;
        Ok(block)
    }

    /// The sample, or the members of the collection, each found to be one that may be rewritten.
    pub(super) fn samples(&self) -> Result<Vec<Sample>, WriteError> {
        let samples = match &self.opened {
            Opened::Sample(sample) => vec![sample.clone()],
            Opened::Collection(collection) => {
                check_version(&Version::read(collection.attributes())?)?;
                members(collection)?
            }
        };
        samples.iter().try_for_each(check_sample)?;
        Ok(samples)
    }
}

fn members(collection: &crate::Collection) -> Result<Vec<Sample>, WriteError> {
    let member = |key: String| {
        let sample = collection.sample(&key)?;
        sample.ok_or_else(|| WriteError::refused(format!("its member {key:?} is no sample")))
    };
    collection.keys()?.into_iter().map(member).collect()
}

/// Refuses a version that we do not know all of. Spec: MEDH5 1.0 §16; 1.1 §2.2.
fn check_version(version: &Version) -> Result<(), WriteError> {
    match version.standing() {
        Standing::Known => Ok(()),
        Standing::Unstated | Standing::Unsupported => Ok(version.supported()?),
        Standing::Projection => {
            let text = version.stated().unwrap_or_default();
            let reason = "is newer than this program, which could lose what it does not know";
            Err(WriteError::refused(format!("version {text} {reason}")))
        }
    }
}

/// Also refuses a file that leans on others.
pub(super) fn check_sample(sample: &Sample) -> Result<(), WriteError> {
    check_version(&Version::read(sample.attributes())?)?;
    sample.walk().map(drop).map_err(WriteError::from)
}

/// Refuses profiles that we do not know. Spec: MEDH5 1.1 §2.3.
pub(super) fn check_profiles(sample: &Sample) -> Result<(), WriteError> {
    let profiles = sample.attributes().strings("medh5_profiles")?.unwrap_or_default();
    match profiles.iter().find(|profile| !is_profile(profile)) {
        Some(profile) => Err(WriteError::refused(format!(
            "it declares the profile {profile:?}, which this program does not know and could break"
        ))),
        None => Ok(()),
    }
}

//! A file on its way to its next version: what is in it is carried through, what is edited is exchanged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hdf5::{NewGroup, WriteOptions};

use super::judged::{errors, text};
use super::source::{Source, check_profiles};
use super::stamp::{Stamp, stamp, twin_sample};
use super::watched::Watched;
use super::{NewFile, WriteError};
use crate::ReadError;
use crate::geometry::Grid;
use crate::integrity::{Algorithm, Digest, content_id};
use crate::sample::{Opened, Sample};
use crate::storage::{self, Profile};
use crate::validate::{Finding, Observer};

/// A sample file that is being edited. Nothing of it changes before [`Edit::commit`], which replaces it as a whole.
///
/// Objects that nobody asks for are carried through as they are stored, whatever they are: chunks as bytes, unknown
/// attributes, extensions, links. What no copy can carry is refused when the file is opened for editing.
///
/// ```
/// use medh5::sample::Chapter;
/// use medh5::validate::Silent;
/// use medh5::write::{Edit, Header, NewAnnotation, PerObject};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("case.medh5");
/// # std::fs::copy("../../tests/fixtures/samples/clean.medh5", &path)?;
/// let mut edit = Edit::open(&path)?;
/// let header =
///     Header { grid: Some("ct".into()), space: Some("index".into()), ..Header::default() };
/// let boxes = [vec![[2.0, 6.0], [4.5, 9.0], [10.0, 12.5]]];
/// let scores = PerObject { scores: Some(vec![0.75]), ..PerObject::default() };
/// edit.put_annotation("reviewed", &NewAnnotation::boxes(header, &boxes, &[1], &scores)?)?;
/// edit.remove(Chapter::Annotations, "findings")?;
/// let content_id = edit.commit(&Silent)?.expect("new objects are digested");
///
/// let again = Edit::open(&path)?;
/// assert_eq!(again.sample().attributes().text("content_id")?, Some(content_id.to_string()));
/// assert!(again.sample().annotation("findings")?.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Edit {
    path: PathBuf,
    sample: Sample,
    root: NewGroup,
    user_block: Vec<u8>,
    profile: Profile,
    algorithm: Algorithm,
    /// What the digests and `content_id` need before the file is written.
    stamps: Option<Stamp>,
    /// Grids that were added, by name.
    grids: BTreeMap<String, Grid>,
    /// Profiles that were declared beside those of the file.
    declared: Vec<String>,
}

impl Edit {
    /// Opens the sample at `path` for editing.
    ///
    /// # Errors
    /// [`WriteError::Refused`] for a collection, a sample of a later minor version or with an unknown profile, and what holds
    /// references to objects; [`WriteError::Read`] when the file cannot be read.
    pub fn open(path: &Path) -> Result<Self, WriteError> {
        let source = Source::open(path)?;
        let Opened::Sample(sample) = &source.opened else {
            return Err(WriteError::refused(
                "this is a collection; this command works on sample files: unpack it first",
            ));
        };
        source.samples()?;
        check_profiles(sample)?;
        let algorithm = match sample.attributes().text("digest_algo")? {
            None => Algorithm::default(),
            Some(name) => Algorithm::from_name(&name).ok_or_else(|| {
                WriteError::refused(format!("its digests are by `{name}`, which is not known"))
            })?,
        };
        Ok(Self {
            path: path.to_owned(),
            profile: profile_of(sample)?,
            root: source.copy()?,
            user_block: source.user_block()?,
            sample: sample.clone(),
            algorithm,
            stamps: None,
            grids: BTreeMap::new(),
            declared: Vec::new(),
        })
    }

    /// The sample as it is in the file.
    pub fn sample(&self) -> &Sample {
        &self.sample
    }

    /// The tree that will be written. Digests are not touched unless [`Edit::restamp`] asks for it.
    pub fn root(&mut self) -> &mut NewGroup {
        &mut self.root
    }

    /// The profile in which new data of this file are stored.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The algorithm of the file's digests.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    pub(super) fn new_grids(&mut self) -> &mut BTreeMap<String, Grid> {
        &mut self.grids
    }

    pub(super) fn added_grid(&self, name: &str) -> Option<&Grid> {
        self.grids.get(name)
    }

    pub(super) fn declared(&mut self) -> &mut Vec<String> {
        &mut self.declared
    }

    /// Has new objects digested and `content_id` computed anew when the file is written.
    pub fn stamp_new(&mut self) {
        self.stamps.get_or_insert(Stamp::Missing);
    }

    /// Has every object digested anew: what the digests said before is forgotten.
    pub fn restamp(&mut self) {
        self.stamps = Some(Stamp::All);
    }

    /// Writes the file anew beside its place, and puts it there.
    ///
    /// Gives the `content_id` that it has now, if it has one. An edit of what `content_id` speaks of is judged first.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when the new version would be in error where the old one was not; [`WriteError::Read`] when something that is carried through cannot be read, [`WriteError::System`] and its like when the system
    /// refuses or another program changed the file. The file is then what it was.
    pub fn commit(mut self, observer: &dyn Observer) -> Result<Option<Digest>, WriteError> {
        let id = match self.stamps {
            Some(which) => Some(stamp(&mut self.root, self.algorithm, which, observer)?),
            None => match self.sample.attributes().text("content_id")? {
                Some(_) => Some(content_id(&twin_sample(&self.root)?, self.algorithm)?),
                None => None,
            },
        };
        let mut file = NewFile::replacing(&self.path)?;
        let watched = Watched(observer);
        let options = WriteOptions { user_block: self.user_block, ..watched.options() };
        hdf5::write(self.root, &storage::reading(), file.sink(), &options)?;
        if self.stamps.is_some() {
            let known = errors(&self.path, &self.path, observer)?;
            let found = errors(file.complete()?, &self.path, observer)?;
            if let Some(new) = found.iter().find(|new| !known.iter().any(|old| is_alike(old, new)))
            {
                return Err(WriteError::refused(format!("it would be in error: {}", text(new))));
            }
        }
        // Readers of the old file keep it until they are done, here too.
        drop(self.sample);
        file.commit()?;
        Ok(id)
    }
}

/// Whether two findings are about the same.
fn is_alike(one: &Finding, other: &Finding) -> bool {
    one.code == other.code && one.location == other.location
}

/// The profile that goes with what is in the file.
fn profile_of(sample: &Sample) -> Result<Profile, ReadError> {
    let walk = sample.walk()?;
    let filters: Vec<_> =
        walk.datasets().flat_map(|(_, dataset)| dataset.filters().to_vec()).collect();
    Ok(Profile::suiting(&filters))
}

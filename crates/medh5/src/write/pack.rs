//! Samples into a collection, and out of it again: chunks move as stored bytes. Spec: MEDH5 1.0 §2.2.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hdf5::{NewAttribute, NewGroup};

use super::pool::FilePool;
use super::reread::same_objects;
use super::source::Source;
use super::watched::Watched;
use super::{NewFile, WriteError};
use crate::parallel;
use crate::sample::{Collection, Opened, Sample};
use crate::storage::reading;
use crate::validate::{Observer, Version, checkpoint};

/// A sample to be packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// Its file.
    pub path: PathBuf,
    /// What it will be called in the collection.
    pub key: String,
}

/// A collection that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packing {
    /// Number of samples.
    pub samples: usize,
    /// Length of the collection, in bytes; `None` when it was not written.
    pub len: Option<u64>,
    /// Length of the samples' files together.
    pub len_of_sources: u64,
}

/// The key that a file gets when none is given: its name up to its first dot.
pub fn default_key(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// Whether a sample may be called this in a collection: 1 to 255 letters, digits, `_`, `.` and `-`.
pub fn is_key(key: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    (1..=255).contains(&key.len()) && key.chars().all(is_plain)
}

/// Packs samples into the collection `out`, which replaces what is there once it has been read back and compared. Without `out`,
/// only looks whether it could.
///
/// # Errors
/// [`WriteError::Refused`], naming the file or the key, for keys that are none or not unique, for collections, for samples of
/// a newer version or with references to objects; [`WriteError::Read`] when a sample cannot be read or the observer
/// wants to stop; [`WriteError::System`] when the collection cannot be put in place.
pub fn pack(
    samples: &[Packed],
    out: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Packing, WriteError> {
    check_keys(samples)?;
    let pool = Arc::new(FilePool::default());
    let (mut members, mut versions) = (NewGroup::new(), Vec::new());
    let mut packing = Packing { samples: samples.len(), len: None, len_of_sources: 0 };
    for Packed { path, key } in samples {
        checkpoint(observer, 0)?;
        let copied = member(path, &pool).map_err(|error| in_file(path, error))?;
        packing.len_of_sources += copied.len;
        versions.push(copied.version);
        members = members.group(key, copied.root);
    }
    let Some(out) = out else { return Ok(packing) };
    // What reads the collection must know all that its members need.
    let version = versions.into_iter().max_by_key(Version::numbers);
    let version = version.as_ref().and_then(Version::stated).unwrap_or("1.0");
    let root = NewGroup::new()
        .attribute("medh5_kind", NewAttribute::text("collection"))
        .attribute("medh5_version", NewAttribute::text(version))
        .group("samples", members);
    let compare = |complete: &Path| {
        let Opened::Collection(collection) = Source::open(complete)?.opened else {
            return Err(WriteError::Unverified { reason: "it is no collection".into() });
        };
        let results = parallel::in_order(samples, |packed| {
            let arrived = has_arrived(packed, &collection, &pool, observer);
            Ok(arrived.map_err(|error| in_file(&packed.path, error)))
        })?;
        results.into_iter().collect()
    };
    packing.len = Some(write(root, out, observer, compare)?);
    Ok(packing)
}

/// Compares a member with the file that it came from.
fn has_arrived(
    Packed { path, key }: &Packed,
    collection: &Collection,
    pool: &Arc<FilePool>,
    observer: &dyn Observer,
) -> Result<(), WriteError> {
    let source = Source::of(pool.source(path)?)?;
    match (&source.opened, collection.sample(key)?) {
        (Opened::Sample(old), Some(new)) => same_objects(old.root(), new.root(), observer),
        _ => Err(WriteError::Unverified { reason: "it is not there".into() }),
    }
}

/// A collection whose members are to be taken out.
#[derive(Debug)]
pub struct Unpacker {
    collection: Collection,
}

impl Unpacker {
    /// Opens the collection at `path`.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when this is a sample; [`WriteError::Read`] when it cannot be read.
    pub fn open(path: &Path) -> Result<Self, WriteError> {
        match Source::open(path)?.opened {
            Opened::Collection(collection) => Ok(Self { collection }),
            Opened::Sample(_) => Err(WriteError::refused(
                "this is a sample, not a collection; there is nothing to unpack",
            )),
        }
    }

    /// The keys of its members, sorted.
    ///
    /// # Errors
    /// [`WriteError::Read`] when they cannot be read.
    pub fn keys(&self) -> Result<Vec<String>, WriteError> {
        Ok(self.collection.keys()?)
    }

    /// Writes the member `key` to a file of its own, which replaces what is there once it has been read back and compared, and
    /// gives its length in bytes. Without `out`, only looks whether it could.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when there is no such member or it may not be rewritten, or its key is no key: it becomes
    /// part of a file's name. Else as [`pack`].
    pub fn extract(
        &self,
        key: &str,
        out: Option<&Path>,
        observer: &dyn Observer,
    ) -> Result<Option<u64>, WriteError> {
        if !is_key(key) {
            return Err(WriteError::refused(format!("{key:?} is no key of a sample")));
        }
        let Some(sample) = self.collection.sample(key)? else {
            return Err(WriteError::refused(format!(
                "there is no sample {key:?}; `ls` lists them"
            )));
        };
        super::source::check_sample(&sample)?;
        let root = NewGroup::copy_of(sample.root())?;
        let compare = |complete: &Path| match Source::open(complete)?.opened {
            Opened::Sample(new) => same_objects(sample.root(), new.root(), observer),
            Opened::Collection(_) => {
                Err(WriteError::Unverified { reason: "it is no sample".into() })
            }
        };
        out.map(|out| write(root, out, observer, compare)).transpose()
    }
}

struct Member {
    root: NewGroup,
    version: Version,
    len: u64,
}

/// Copies the sample in a file, to become a member.
fn member(path: &Path, pool: &Arc<FilePool>) -> Result<Member, WriteError> {
    let source = Source::of(pool.source(path)?)?;
    let Opened::Sample(sample) = &source.opened else {
        return Err(WriteError::refused("this is a collection already; only samples are packed"));
    };
    super::source::check_sample(sample)?;
    let root = NewGroup { keep_together: true, ..NewGroup::copy_of(sample.root())? };
    Ok(Member { root, version: version(sample)?, len: source.len })
}

fn version(sample: &Sample) -> Result<Version, WriteError> {
    Ok(Version::read(sample.attributes())?)
}

/// Writes a file, and puts it in its place if `compare` finds in it what went in.
fn write(
    root: NewGroup,
    out: &Path,
    observer: &dyn Observer,
    compare: impl Fn(&Path) -> Result<(), WriteError>,
) -> Result<u64, WriteError> {
    let mut new = NewFile::replacing(out)?;
    let written = hdf5::write(root, &reading(), new.sink(), &Watched(observer).options())?;
    compare(new.complete()?)?;
    new.commit()?;
    Ok(written.len)
}

/// Looks whether samples may be packed under these keys, before anything is opened.
///
/// # Errors
/// [`WriteError::Refused`], naming the file, for the first key that is none or has been there before.
pub fn check_keys(samples: &[Packed]) -> Result<(), WriteError> {
    let mut known = BTreeSet::new();
    for Packed { path, key } in samples {
        let path = path.display();
        if !is_key(key) {
            let reason =
                "a key has 1 to 255 letters, digits, `_`, `.` and `-`; give one with `--key`";
            return Err(WriteError::refused(format!("{path}: {key:?} is no key: {reason}")));
        }
        if !known.insert(key) {
            let reason = "give each sample its own with `--key`";
            return Err(WriteError::refused(format!(
                "{path}: two samples have the key {key:?}; {reason}"
            )));
        }
    }
    Ok(())
}

/// Names the sample that an error is about, of many.
fn in_file(path: &Path, error: WriteError) -> WriteError {
    match error {
        named @ WriteError::System { .. } => named,
        stopped if stopped.is_interruption() => stopped,
        other => WriteError::refused(format!("{}: {other}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        assert_eq!(default_key(Path::new("/data/case_1.v2.medh5")), "case_1");
        assert!(is_key("case_1.v2-a") && !is_key("") && !is_key("a/b") && !is_key("é"));
        assert!(is_key(&"k".repeat(255)) && !is_key(&"k".repeat(256)));
    }

    #[test]
    fn keys_are_checked_before_anything_is_opened() {
        let packed = |key: &str| Packed { path: "nowhere.medh5".into(), key: key.into() };
        let text = |samples: &[Packed]| {
            pack(samples, None, &crate::validate::Silent).unwrap_err().to_string()
        };
        assert!(text(&[packed("a b")]).starts_with("nowhere.medh5: \"a b\" is no key"));
        assert!(text(&[packed("a"), packed("a")]).contains("two samples have the key \"a\""));
    }
}

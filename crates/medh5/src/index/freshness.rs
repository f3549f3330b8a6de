//! Whether an entry of the index still describes its annotation.

use hdf5::Object;

use super::entry::INDEX;
use crate::ReadError;
use crate::attributes::Attributes;
use crate::integrity::{Digest, source_digest, stored_digest};
use crate::sample::{Chapter, ChapterState, Sample};
use crate::validate::{Observer, Silent};

/// The names of the entries that no longer describe their annotation, or never said which one, in name order.
///
/// A stale entry may be rebuilt and must not be used. Contents are not examined: an entry stands or falls by the digest
/// of its source.
///
/// # Errors
/// [`ReadError::File`] when the index, or what an entry must be compared with, cannot be read.
pub fn stale_entries(sample: &Sample, observer: &dyn Observer) -> Result<Vec<String>, ReadError> {
    let ChapterState::Group(index) = ChapterState::of(sample.root(), INDEX)? else {
        return Ok(Vec::new());
    };
    let mut stale = Vec::new();
    for link in index.links()?.iter() {
        let name = link.name();
        if !is_fresh(sample, &name, index.get(&name)?, observer)? {
            stale.push(name.into_owned());
        }
    }
    Ok(stale)
}

/// Whether the entry of the annotation `name` describes it, as far as stored digests tell; `None` when a dataset without
/// one would have to be hashed. Reads no voxel.
///
/// # Errors
/// [`ReadError::File`] when the entry, or a header of the annotation, cannot be read.
pub fn stored_freshness(sample: &Sample, name: &str) -> Result<Option<bool>, ReadError> {
    if let Some(annotation) = sample.child(Chapter::Annotations, name)?
        && let Some(group) = annotation.group()
    {
        for link in group.links()?.iter() {
            if let Some(dataset) = annotation.member_dataset(&link.name())?
                && stored_digest(&dataset)?.is_none()
            {
                return Ok(None);
            }
        }
    }
    let entry = match ChapterState::of(sample.root(), INDEX)? {
        ChapterState::Group(index) => index.get(name)?,
        _ => None,
    };
    is_fresh(sample, name, entry, &Silent).map(Some)
}

/// Whether `entry` was derived from the annotation `name` as it is now.
pub(crate) fn is_fresh(
    sample: &Sample,
    name: &str,
    entry: Option<Object>,
    observer: &dyn Observer,
) -> Result<bool, ReadError> {
    let Some(entry) = entry else { return Ok(false) };
    let Some(text) = Attributes::of(entry).text("source_digest")? else { return Ok(false) };
    let Some(declared) = Digest::parse(&text) else { return Ok(false) };
    let Some(annotation) = sample.child(Chapter::Annotations, name)? else { return Ok(false) };
    match annotation.object() {
        Object::Group(group) => {
            let path = format!("annotations/{name}");
            Ok(source_digest(declared.algorithm(), &path, group, observer)? == declared)
        }
        _ => Ok(annotation.attributes().text("digest")?.as_deref() == Some(&text)),
    }
}

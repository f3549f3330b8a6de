//! Digests of a tree that is about to be written, and its `content_id`.
//!
//! A twin of the tree without its bulk data is written to memory and read back: what is hashed and how is then decided where
//! files are verified, and nowhere else.

use std::collections::BTreeMap;

use hdf5::{Dataset, FilterRegistry, Window};
use hdf5::{
    ElementSource, NewAttribute, NewData, NewDataset, NewDatatype, NewGroup, NewLink, NewObject,
    NewStorage, WriteOptions, write,
};

use crate::integrity::{
    Algorithm, DatasetHasher, Digest, content_id, dataset_digest, hash_in_slabs,
};
use crate::sample::Sample;
use crate::validate::Observer;
use crate::{ReadError, parallel};

/// Which datasets get a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stamp {
    /// Those without one.
    Missing,
    /// These, and all that have one: what their digests said before is forgotten.
    All,
}

/// What the format defines is digested, but for the sampling index, which is derived, and `/meta`, which has a line of its own.
/// Extensions without a digest are left without: they are their writers' (decision 0074).
pub(super) fn is_stamped(path: &str) -> bool {
    const GROUPS: [&str; 5] = ["grids/", "images/", "annotations/", "transforms/", "clinical/"];
    GROUPS.iter().any(|group| path.starts_with(group))
}

/// Gives the datasets of the sample below `root` their digests, and the sample its `content_id`.
///
/// # Errors
/// [`ReadError::File`] when elements cannot be had or the tree cannot be stored, [`ReadError::Stopped`] when the observer wants to
/// stop.
pub(super) fn stamp(
    root: &mut NewGroup,
    algorithm: Algorithm,
    which: Stamp,
    observer: &dyn Observer,
) -> Result<Digest, ReadError> {
    root.attributes.insert(b"digest_algo".to_vec(), NewAttribute::text(algorithm.name()));
    root.attributes.remove(b"content_id".as_slice());
    let digests = digests(root, algorithm, which, observer)?;
    for (path, digest) in digests {
        if let Some(dataset) = root.dataset_mut(&path) {
            dataset.attributes.insert(b"digest".to_vec(), NewAttribute::text(&digest.to_string()));
        }
    }
    let found = content_id(&twin_sample(root)?, algorithm)?;
    root.attributes.insert(b"content_id".to_vec(), NewAttribute::text(&found.to_string()));
    Ok(found)
}

fn digests(
    root: &NewGroup,
    algorithm: Algorithm,
    which: Stamp,
    observer: &dyn Observer,
) -> Result<Vec<(String, Digest)>, ReadError> {
    let twin = twin_sample(root)?;
    let mut wanted: Vec<(&str, &Dataset)> = Vec::new();
    for (path, dataset) in twin.walk()?.datasets() {
        let is_digested = dataset.attribute("digest")?.is_some();
        let is_wanted = match which {
            Stamp::Missing => is_stamped(path) && !is_digested,
            Stamp::All => is_stamped(path) || is_digested && !path.starts_with("index/"),
        };
        if is_wanted {
            wanted.push((path, dataset));
        }
    }
    let found = parallel::in_order(&wanted, |(path, dataset)| {
        let digest = match root.get(path) {
            Some(NewObject::Dataset(new)) => match &new.data {
                NewData::Source(source) => {
                    source_digest(algorithm, path, dataset, &**source, observer)?
                }
                _ => dataset_digest(algorithm, path, dataset, observer)?,
            },
            _ => None,
        };
        Ok(digest.map(|digest| ((*path).to_owned(), digest)))
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// The digest of a dataset whose elements `source` gives; `twin` tells its type and extent.
fn source_digest(
    algorithm: Algorithm,
    path: &str,
    twin: &Dataset,
    source: &dyn ElementSource,
    observer: &dyn Observer,
) -> Result<Option<Digest>, ReadError> {
    let Some(mut hasher) = DatasetHasher::new(algorithm, path, twin) else { return Ok(None) };
    let element_size = twin.datatype().size as usize;
    let read = |window: &Window, out: &mut Vec<u8>| {
        let elements = window.shape.iter().fold(1_u64, |n, extent| n.saturating_mul(*extent));
        let bytes = usize::try_from(elements).unwrap_or(usize::MAX).saturating_mul(element_size);
        out.resize(bytes, 0);
        Ok(source.read(&window.start, &window.shape, out)?)
    };
    hash_in_slabs(&mut hasher, twin, read, observer)?;
    Ok(Some(hasher.finish()))
}

/// The sample that `root` will be, without its bulk data.
pub(super) fn twin_sample(root: &NewGroup) -> Result<Sample, ReadError> {
    let mut bytes = Vec::new();
    write(twin(root), &FilterRegistry::default(), &mut bytes, &WriteOptions::default())?;
    Ok(Sample::new(hdf5::File::open(bytes)?.root()?, None))
}

fn twin(group: &NewGroup) -> NewGroup {
    let links = group.links.iter().map(|(name, link)| (name.clone(), twin_link(link)));
    NewGroup {
        attributes: group.attributes.clone(),
        links: links.collect::<BTreeMap<_, _>>(),
        id: group.id,
        comment: group.comment.clone(),
        keep_together: group.keep_together,
    }
}

fn twin_link(link: &NewLink) -> NewLink {
    match link {
        NewLink::Object(object) => match &**object {
            NewObject::Group(group) => twin(group).into(),
            NewObject::Dataset(dataset) => twin_dataset(dataset).into(),
            NewObject::Datatype(datatype) => NewDatatype {
                datatype: datatype.datatype.clone(),
                attributes: datatype.attributes.clone(),
                id: datatype.id,
                comment: datatype.comment.clone(),
            }
            .into(),
        },
        NewLink::Again(id) => NewLink::Again(*id),
        NewLink::Soft(path) => NewLink::Soft(path.clone()),
        NewLink::External { file, path } => {
            NewLink::External { file: file.clone(), path: path.clone() }
        }
    }
}

/// Texts stay; elements of fixed size are left out. Chunks stay too, so that whoever goes through the elements follows them.
fn twin_dataset(dataset: &NewDataset) -> NewDataset {
    let mut twin = dataset.clone();
    if matches!(twin.data, NewData::Source(_)) {
        twin.data = NewData::Nothing;
        twin.filters = Vec::new();
        if twin.storage == NewStorage::Compact {
            twin.storage = NewStorage::Contiguous;
        }
    }
    twin
}

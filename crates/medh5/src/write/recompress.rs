//! Re-encodes the bulk data of a file under another codec profile. Spec: MEDH5 1.0 §14.2, §14.4.
//!
//! Digests cover decoded values, so neither they nor `content_id` change; that is verified on the new file before it takes
//! the place of the old one.

use std::path::Path;
use std::sync::Arc;

use hdf5::{ByteOrder, ByteSource, Dataset, NewDataset, NewGroup, StorageKind, WriteOptions};

use super::rechunk::chunk_for;
use super::source::{Source, check_profiles};
use super::verify::verify_against;
use super::watched::Watched;
use super::{NewFile, WriteError};
use crate::ReadError;
use crate::sample::Sample;
use crate::storage::{
    CONTIGUOUS_BELOW, ChunkBudget, Profile, Role, codec_text, guessed_chunk, reading, same_filters,
};
use crate::validate::Observer;

/// How to re-encode files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recompression {
    /// The codecs to use.
    pub profile: Profile,
    /// Also choose the extent of chunks anew, within this budget. A change of codec is no change of how data is read.
    pub rechunk: Option<ChunkBudget>,
}

/// What re-encoding a file did, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recompressed {
    /// Number of bulk datasets that are stored under the profile.
    pub datasets: usize,
    /// Those whose stored form changes, sorted.
    pub changed: Vec<Reencoded>,
    /// Bulk datasets of types that are copied as they are: other byte orders, enumerations, committed types.
    pub kept: Vec<String>,
    /// The `content_id` of the sample, if it has one; none for a collection.
    pub content_id: Option<String>,
    /// Paths of datasets that `content_id` should cover and does not; they were compared value by value instead.
    pub unsigned: Vec<String>,
    /// Length of the file before, in bytes.
    pub len_before: u64,
    /// And after; `None` when it was not written.
    pub len_after: Option<u64>,
}

/// A dataset that is stored in another way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reencoded {
    /// Its path, from the root of the file.
    pub path: String,
    /// Its codec before, such as `gzip:4+shuffle`.
    pub before: String,
    /// And after.
    pub after: String,
}

impl Recompression {
    /// What [`Recompression::run`] would do.
    ///
    /// # Errors
    /// As [`Recompression::run`], but for what only shows in writing.
    pub fn plan(&self, path: &Path) -> Result<Recompressed, WriteError> {
        let source = Source::open(path)?;
        self.tree(&source).map(|planned| planned.found)
    }

    /// Re-encodes the file at `path`, in place or to `out`. Chunks that are stored as the profile wants are copied as they
    /// are; a file of which that is true for all is left alone.
    ///
    /// # Errors
    /// [`WriteError::Refused`] for files that no writer may rewrite: of a newer version, with profiles that we do not know,
    /// with references to objects; [`WriteError::Unverified`] when a digest of the new file does not match, as it did not
    /// before; [`WriteError::Read`] when the old one cannot be read or the observer wants to stop; [`WriteError::System`] and
    /// [`WriteError::Changed`] when it cannot be put in place. The old file stays in every case.
    pub fn run(
        &self,
        path: &Path,
        out: Option<&Path>,
        observer: &dyn Observer,
    ) -> Result<Recompressed, WriteError> {
        let source = Source::open(path)?;
        let Planned { root, samples, mut found } = self.tree(&source)?;
        if found.changed.is_empty() && out.is_none() {
            found.unsigned = verify_against(&samples, &samples, &[], observer)?;
            found.len_after = Some(source.len);
            return Ok(found);
        }
        let mut new = NewFile::replacing(out.unwrap_or(path))?;
        let watched = Watched(observer);
        let options = WriteOptions { user_block: source.user_block()?, ..watched.options() };
        let written = hdf5::write(root, &reading(), new.sink(), &options)?;
        let after = Source::open(new.complete()?)?.samples()?;
        found.unsigned = verify_against(&samples, &after, &found.paths(), observer)?;
        new.commit()?;
        found.len_after = Some(written.len);
        Ok(found)
    }

    /// The same for a file in memory; gives the new one, verified.
    ///
    /// # Errors
    /// As [`Recompression::run`], but for those of the system.
    pub fn in_memory(
        &self,
        file: Arc<dyn ByteSource>,
        observer: &dyn Observer,
    ) -> Result<(Vec<u8>, Recompressed), WriteError> {
        let source = Source::of(file)?;
        let Planned { root, samples, mut found } = self.tree(&source)?;
        let watched = Watched(observer);
        let options = WriteOptions { user_block: source.user_block()?, ..watched.options() };
        let mut bytes = Vec::new();
        found.len_after = Some(hdf5::write(root, &reading(), &mut bytes, &options)?.len);
        let bytes = Arc::new(bytes);
        let after = Source::of(Arc::clone(&bytes) as _)?.samples()?;
        found.unsigned = verify_against(&samples, &after, &found.paths(), observer)?;
        drop(after);
        Ok((Arc::unwrap_or_clone(bytes), found))
    }

    /// The new file as a tree.
    fn tree(&self, source: &Source) -> Result<Planned, WriteError> {
        let samples = source.samples()?;
        let mut root = source.copy()?;
        let mut found = Recompressed { len_before: source.len, ..Recompressed::default() };
        for sample in &samples {
            check_profiles(sample)?;
            let prefix = sample.key().map(|key| format!("/samples/{key}")).unwrap_or_default();
            for (path, dataset) in sample.walk()?.datasets() {
                let full_path = format!("{prefix}/{path}");
                let Some(copy) = root.dataset_mut(&full_path) else { continue };
                self.dataset(sample, (path, full_path), dataset, copy, &mut found)?;
            }
        }
        if let [sample] = &samples[..]
            && sample.key().is_none()
        {
            found.content_id = sample.attributes().text("content_id")?;
        }
        Ok(Planned { root, samples, found })
    }

    /// Changes how the copy of a dataset will be stored.
    fn dataset(
        &self,
        sample: &Sample,
        (path, full_path): (&str, String),
        dataset: &Dataset,
        copy: &mut NewDataset,
        found: &mut Recompressed,
    ) -> Result<(), ReadError> {
        if !is_bulk(dataset) {
            return Ok(());
        }
        match treatment(dataset, copy) {
            Treatment::Pass => return Ok(()),
            Treatment::Keep => {
                found.kept.push(full_path);
                return Ok(());
            }
            Treatment::Encode => found.datasets += 1,
        }
        let size = dataset.datatype().size;
        let chunk = match (self.rechunk, dataset.chunk_dims()) {
            (Some(budget), _) => chunk_for(sample, path, dataset, budget)?,
            (None, Some(chunk)) => chunk.to_vec(),
            (None, None) => guessed_chunk(dataset.shape(), size.into()),
        };
        let filters = self.profile.filters(role(path), size, &chunk);
        if dataset.chunk_dims() == Some(&chunk) && same_filters(dataset.filters(), &filters) {
            return Ok(());
        }
        found.changed.push(Reencoded {
            path: full_path,
            before: stored_text(dataset),
            after: codec_text(&filters),
        });
        let new = NewDataset { dataspace: hdf5::Dataspace::fixed(dataset.shape()), ..copy.clone() };
        *copy = new.chunked(&chunk, filters);
        Ok(())
    }
}

impl Recompressed {
    /// The paths of what changes.
    fn paths(&self) -> Vec<&str> {
        self.changed.iter().map(|changed| changed.path.as_str()).collect()
    }
}

/// A tree to be written, and where it comes from.
struct Planned {
    root: NewGroup,
    samples: Vec<Sample>,
    found: Recompressed,
}

/// What to do with a dataset.
enum Treatment {
    Encode,
    /// It is worth compressing, but of an unusual type.
    Keep,
    Pass,
}

fn is_bulk(dataset: &Dataset) -> bool {
    let size = u64::from(dataset.datatype().size);
    let bytes = dataset.shape().iter().fold(size, |bytes, extent| bytes.saturating_mul(*extent));
    bytes >= CONTIGUOUS_BELOW && !dataset.shape().is_empty()
}

fn treatment(dataset: &Dataset, copy: &NewDataset) -> Treatment {
    let datatype = dataset.datatype();
    if datatype.number().is_none() {
        return Treatment::Pass;
    }
    let is_enumeration = matches!(datatype.class, hdf5::DatatypeClass::Enumeration { .. });
    let is_big_endian = datatype.size > 1 && datatype.byte_order() == Some(ByteOrder::Big);
    if copy.committed.is_some() || is_big_endian || (is_enumeration && !datatype.is_boolean()) {
        return Treatment::Keep;
    }
    Treatment::Encode
}

/// What the reference takes for labels; extensions and columns of the clinical history count as images there.
fn role(path: &str) -> Role {
    match path.split('/').next() {
        Some("annotations" | "transforms" | "index") => Role::Other,
        _ => Role::Image,
    }
}

fn stored_text(dataset: &Dataset) -> String {
    match dataset.storage() {
        StorageKind::Compact => "compact".into(),
        StorageKind::Chunked => codec_text(dataset.filters()),
        _ => "contiguous".into(),
    }
}

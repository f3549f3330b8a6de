//! A new sample: what it is made of, and the file it becomes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use hdf5::{NewAttribute, NewDataset, NewGroup, NewLink};

use super::declared::{profiles, version};
use super::document::record;
use super::index_entry::index_entry;
use super::judged::{findings, is_error, text};
use super::stamp::{Stamp, stamp};
use super::watched::Watched;
use super::{
    Author, NewAnnotation, NewFile, NewHistory, NewImage, NewTransform, Storage, WriteError,
    grid::grid_group,
};
use crate::geometry::Grid;
use crate::index::{IndexOptions, IndexTables};
use crate::integrity::{Algorithm, source_digest};
use crate::json::{Map, Value};
use crate::sample::Sample;
use crate::storage::{self, ChunkBudget, Profile};
use crate::validate::{Finding, Observer};

/// A sample to be written.
///
/// Nothing is checked before it is written: then the whole is judged as any file is, and refused if it is in error.
#[derive(Debug)]
pub struct NewSample {
    /// The document: identity, timepoints, label set, provenance, and what else `/meta` holds. Members are written in their order.
    pub document: Map,
    /// Grids, by name.
    pub grids: BTreeMap<String, Grid>,
    /// Images, by name.
    pub images: BTreeMap<String, NewImage>,
    /// Annotations, by name.
    pub annotations: BTreeMap<String, NewAnnotation>,
    /// Transforms, by name.
    pub transforms: BTreeMap<String, NewTransform>,
    /// The clinical history. Format 1.1.
    pub history: Option<NewHistory>,
    /// Profiles to declare beside those that its content fulfils.
    pub profiles: Vec<String>,
    /// The sampling index to compute, if any.
    pub index: Option<IndexOptions>,
    /// The algorithm of its digests.
    pub algorithm: Algorithm,
    /// How its objects are stored.
    pub storage: Storage,
    /// When it was made, as RFC 3339. Without it, the same sample gives the same bytes.
    pub created: Option<String>,
}

/// A sample that was written, or would be.
#[derive(Debug)]
pub struct Created {
    /// Its version.
    pub version: &'static str,
    /// The profiles that it declares.
    pub profiles: Vec<String>,
    /// Its `content_id`.
    pub content_id: String,
    /// The annotations with an entry in its index.
    pub indexed: Vec<String>,
    /// Length of the file, in bytes.
    pub len: u64,
    /// What the validator warns of.
    pub warnings: Vec<Finding>,
}

impl NewSample {
    /// A sample of one subject at one timepoint, `tp0`, with nothing in it yet.
    pub fn new(sample_id: &str, subject_id: &str) -> Self {
        let identity = object([("sample_id", sample_id.into()), ("subject_id", subject_id.into())]);
        let timepoint = object([("id", "tp0".into()), ("index", 0.into())]);
        let timepoints = Value::Array(vec![timepoint]);
        Self {
            document: [("identity", identity), ("timepoints", timepoints)]
                .map(|(name, value)| (name.to_owned(), value))
                .into_iter()
                .collect(),
            grids: BTreeMap::new(),
            images: BTreeMap::new(),
            annotations: BTreeMap::new(),
            transforms: BTreeMap::new(),
            history: None,
            profiles: Vec::new(),
            index: None,
            algorithm: Algorithm::default(),
            storage: Storage {
                profile: Profile::default(),
                budget: ChunkBudget::of_this_machine(),
            },
            created: None,
        }
    }

    /// Records in the document that `author` made the sample with `tool`, and gives the name of that activity. It has no time, so
    /// that the same content gives the same bytes.
    pub fn made_by(&mut self, author: &Author, kind: &str, tool: &str) -> String {
        let mut document = Value::Object(std::mem::take(&mut self.document));
        let activity = record(&mut document, author, kind, tool, Map::default());
        if let Value::Object(document) = document {
            self.document = document;
        }
        activity
    }

    /// Writes the sample to `path`, where there must be no file unless `replace`.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when the sample would be in error, with the first finding; [`WriteError::Exists`]; [`WriteError::Read`]
    /// when a source cannot be read; [`WriteError::System`] and its like when the system refuses. There is no file then, or the
    /// old one.
    pub fn write(
        self,
        path: &Path,
        replace: bool,
        observer: &dyn Observer,
    ) -> Result<Created, WriteError> {
        let (root, mut created) = self.tree(observer)?;
        let mut file = if replace { NewFile::replacing(path)? } else { NewFile::create(path)? };
        let watched = Watched(observer);
        let options = watched.options();
        let written = hdf5::write(root, &storage::reading(), file.sink(), &options)?;
        created.len = written.len;
        created.warnings = judge(file.complete()?, path, observer)?;
        file.commit()?;
        Ok(created)
    }

    /// The tree of its objects, digested, and what can be said of it before it is written.
    fn tree(mut self, observer: &dyn Observer) -> Result<(NewGroup, Created), WriteError> {
        let (version, profiles) = (version(&self), profiles(&self));
        let mut root = NewGroup::new()
            .attribute("medh5_version", NewAttribute::text(version))
            .attribute("medh5_kind", NewAttribute::text("sample"))
            .attribute("medh5_profiles", NewAttribute::texts(&profiles))
            .attribute("generator", NewAttribute::text(GENERATOR));
        if let Some(created) = &self.created {
            root = root.attribute("created", NewAttribute::text(created));
        }
        let document = Value::Object(std::mem::take(&mut self.document)).to_string();
        root = root.dataset("meta", NewDataset::text(&document));
        let find = |name: &str| {
            let grid = self.grids.get(name).cloned();
            grid.ok_or_else(|| WriteError::refused(format!("there is no grid `{name}`")))
        };
        let mut grids = NewGroup::new();
        for (name, grid) in &self.grids {
            grids = grids.group(name, grid_group(grid));
        }
        let mut images = NewGroup::new();
        for (name, image) in &self.images {
            images.links.insert(name.clone().into_bytes(), image.link(find, self.storage)?);
        }
        root = root.group("grids", grids).group("images", images);
        if !self.annotations.is_empty() {
            let mut annotations = NewGroup::new();
            for (name, annotation) in &self.annotations {
                let grid = annotation.header.grid.as_deref().and_then(|grid| self.grids.get(grid));
                annotations = annotations.group(name, annotation.group(grid, self.storage));
            }
            root = root.group("annotations", annotations);
        }
        if !self.transforms.is_empty() {
            let mut transforms = NewGroup::new();
            for (name, transform) in &self.transforms {
                transforms = transforms.group(name, transform.group(find, self.storage)?);
            }
            root = root.group("transforms", transforms);
        }
        if let Some(history) = &self.history {
            root = root.group("clinical", history.group(self.storage)?);
        }
        let content_id = stamp(&mut root, self.algorithm, Stamp::All, observer)?.to_string();
        let indexed = match self.index {
            Some(options) => self.add_index(&mut root, options, observer)?,
            None => Vec::new(),
        };
        let (len, warnings) = (0, Vec::new());
        Ok((root, Created { version, profiles, content_id, indexed, len, warnings }))
    }

    /// Computes the index from the annotations as they will be stored: they are encoded now, and copied into the file later.
    fn add_index(
        &self,
        root: &mut NewGroup,
        options: IndexOptions,
        observer: &dyn Observer,
    ) -> Result<Vec<String>, WriteError> {
        let (sample, annotations) = encoded_annotations(root, observer)?;
        let mut index = NewGroup::new();
        let mut indexed = Vec::new();
        for annotation in sample.annotations()? {
            if !annotation.is_of_classes_of_voxels()? {
                continue;
            }
            let name = annotation.name();
            let tables = IndexTables::compute(&annotation, options, observer)?;
            let path = format!("annotations/{name}");
            let Some(hdf5::Object::Group(group)) = sample.root().get(&path)? else { continue };
            let source = source_digest(self.algorithm, &path, &group, observer)?;
            index = index.group(name, index_entry(&tables, &source, self.storage.profile));
            indexed.push(name.to_owned());
        }
        if let Some(annotations) = annotations {
            root.links.insert(b"annotations".to_vec(), annotations);
        }
        if !indexed.is_empty() {
            root.links.insert(b"index".to_vec(), index.into());
        }
        Ok(indexed)
    }
}

/// What this program calls itself in files.
const GENERATOR: &str = concat!("medh5-lite ", env!("CARGO_PKG_VERSION"));

/// The annotations of a tree in a file in memory, with the grids and the document; and a link to them for the tree.
fn encoded_annotations(
    root: &mut NewGroup,
    observer: &dyn Observer,
) -> Result<(Sample, Option<NewLink>), WriteError> {
    let mut part = NewGroup::new();
    part.attributes.clone_from(&root.attributes);
    let Some(annotations) = root.take("annotations") else {
        return Ok((in_memory(part, observer)?, None));
    };
    part.links.insert(b"annotations".to_vec(), annotations);
    let (grids, meta) = (root.take("grids"), root.take("meta"));
    part.links.extend(
        [("grids", grids), ("meta", meta)]
            .into_iter()
            .filter_map(|(name, link)| Some((name.as_bytes().to_vec(), link?))),
    );
    let sample = in_memory(part, observer)?;
    let copy = |name: &str| -> Result<Option<NewLink>, WriteError> {
        let object = sample.root().get(name)?;
        Ok(object.map(|object| hdf5::NewObject::copy_of(&object)).transpose()?.map(NewLink::from))
    };
    for name in ["grids", "meta"] {
        if let Some(link) = copy(name)? {
            root.links.insert(name.as_bytes().to_vec(), link);
        }
    }
    let annotations = copy("annotations")?;
    Ok((sample, annotations))
}

fn in_memory(root: NewGroup, observer: &dyn Observer) -> Result<Sample, WriteError> {
    let mut bytes = Vec::new();
    hdf5::write(root, &storage::reading(), &mut bytes, &Watched(observer).options())?;
    let options = hdf5::OpenOptions { filters: storage::reading(), ..hdf5::OpenOptions::default() };
    let file = hdf5::File::open_with(Arc::new(bytes), options)?;
    Ok(Sample::new(file.root()?, None))
}

/// Judges the file before it takes its place, and gives the warnings.
fn judge(
    complete: &Path,
    path: &Path,
    observer: &dyn Observer,
) -> Result<Vec<Finding>, WriteError> {
    let found = findings(complete, path, observer)?;
    let errors = found.iter().filter(|finding| is_error(finding)).count();
    match found.iter().find(|finding| is_error(finding)) {
        Some(first) => Err(WriteError::refused(format!(
            "it would be in error {errors} times, first {}",
            text(first)
        ))),
        None => Ok(found),
    }
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

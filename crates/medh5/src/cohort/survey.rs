//! One pass over a sample: what an audit keeps of it. Reads metadata and the counts of the sampling index.

use super::entry::{
    AnnotationEntry, ClassEntry, CohortEntry, GridEntry, ImageEntry, IndexState, LabelSetEntry,
    Problem, SplitEntry,
};
use crate::annotations::{AnnotationView, Family, Kind};
use crate::document::Document;
use crate::geometry::{GridView, Orientation};
use crate::images::ImageView;
use crate::index::stored_freshness;
use crate::integrity::stored_digest;
use crate::labels::{Form, LabelSet};
use crate::{Collection, Opened, ReadError, Sample};

/// The survey of a file, sample by sample: a repeated call goes on where the last one was interrupted.
#[derive(Debug)]
pub struct FileSurvey {
    path: String,
    keys: Option<Vec<String>>,
    entries: Vec<CohortEntry>,
}

impl FileSurvey {
    /// Of the file that the audit is to call `path`.
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), keys: None, entries: Vec::new() }
    }

    /// Of one member of the collection in that file.
    pub fn of_member(path: impl Into<String>, key: &str) -> Self {
        Self { keys: Some(vec![key.to_owned()]), ..Self::new(path) }
    }

    /// Surveys what is left; gives one entry per sample of the file, and one that says why for a file that did not open.
    ///
    /// # Errors
    /// Only interruptions, after which the call is repeated: [`ReadError::File`] when bytes must be fetched first.
    pub fn run(
        &mut self,
        opened: Result<&Opened, &ReadError>,
    ) -> Result<&[CohortEntry], ReadError> {
        let surveyed = opened.map_err(Clone::clone).and_then(|opened| self.survey(opened));
        match surveyed {
            Err(error) if error.is_interruption() => return Err(error),
            Err(error) => {
                self.entries = vec![CohortEntry::unreadable(&self.path, &error.sentence())];
            }
            Ok(()) => {}
        }
        Ok(&self.entries)
    }

    fn survey(&mut self, opened: &Opened) -> Result<(), ReadError> {
        if !opened.declares_version()? {
            return Err(ReadError::value(NO_MEDH5));
        }
        match (opened, &self.keys) {
            (Opened::Collection(collection), _) => self.members(collection),
            (Opened::Sample(_), Some(_)) => {
                Err(ReadError::value("this is a sample, it has no members"))
            }
            (Opened::Sample(sample), None) => {
                self.entries = vec![CohortEntry::of(&self.path, sample)?];
                Ok(())
            }
        }
    }

    fn members(&mut self, collection: &Collection) -> Result<(), ReadError> {
        let keys = match self.keys.take() {
            Some(keys) => keys,
            None => collection.keys()?,
        };
        for key in self.keys.insert(keys).iter().skip(self.entries.len()) {
            let path = format!("{}::{key}", self.path);
            self.entries.push(match collection.sample(key) {
                Ok(Some(sample)) => CohortEntry::of(&path, &sample)?,
                Ok(None) => CohortEntry::unreadable(&path, "there is no such member"),
                Err(error) if error.is_interruption() => return Err(error),
                Err(error) => CohortEntry::unreadable(&path, &error.sentence()),
            });
        }
        Ok(())
    }
}

/// Why some other HDF5 file is no sample.
const NO_MEDH5: &str = "this is an HDF5 file, but no MEDH5 file: its root has no `medh5_version`";

impl CohortEntry {
    /// A file or a member that could not be opened.
    pub fn unreadable(path: &str, reason: &str) -> Self {
        let problem = Problem { location: "/".into(), message: reason.into() };
        Self { path: path.into(), problems: vec![problem], ..Self::default() }
    }

    /// Surveys `sample`; `path` is its name in the audit.
    ///
    /// What cannot be read is noted in the entry and hides nothing else.
    ///
    /// # Errors
    /// Only interruptions: [`ReadError::File`] when bytes must be fetched first, [`ReadError::Stopped`].
    pub fn of(path: &str, sample: &Sample) -> Result<Self, ReadError> {
        let mut survey = Survey { sample, problems: Vec::new() };
        let content_id = survey.part("/", sample.attributes().text("content_id"))?;
        let mut entry = Self { path: path.into(), is_open: true, content_id, ..Self::default() };
        if let Some(document) = survey.part("/meta", sample.document())? {
            entry.describe(document);
        }
        entry.images = survey.images(&mut entry.undigested)?;
        entry.annotations = survey.annotations(&mut entry.undigested)?;
        entry.problems = survey.problems;
        Ok(entry)
    }

    /// Takes over what the document says.
    fn describe(&mut self, document: Document) {
        self.has_document = true;
        self.sample_id = Some(document.identity.sample_id);
        self.subject_id = Some(document.identity.subject_id);
        let cohort = document.cohort.unwrap_or_default();
        self.site_id = cohort.site_id;
        self.group_id = cohort.group_id;
        self.is_deidentified = document.deidentification.is_some();
        self.label_set = document.label_set.as_ref().map(Into::into);
        let claim = |claim: crate::document::SplitClaim| SplitEntry {
            set_id: claim.set_id,
            partition: claim.partition,
            fold: claim.fold,
        };
        self.splits = document.splits.into_iter().map(claim).collect();
    }
}

impl From<&LabelSet> for LabelSetEntry {
    fn from(labels: &LabelSet) -> Self {
        let class = |class: &crate::labels::LabelClass| ClassEntry {
            id: class.id,
            key: class.key.clone(),
            name: class.name.clone(),
            color: class.color.clone(),
        };
        let mut classes: Vec<ClassEntry> = labels.classes.iter().map(class).collect();
        classes.sort_by_key(|class| class.id);
        let is_reference = labels.form == Form::Ref;
        let stated = labels.sha256.clone().filter(|_| is_reference);
        Self {
            id: labels.id.clone(),
            version: labels.version.clone(),
            digest: stated.unwrap_or_else(|| labels.digest()),
            is_reference,
            classes,
        }
    }
}

/// Reads part after part, and notes what fails.
struct Survey<'a> {
    sample: &'a Sample,
    problems: Vec<Problem>,
}

impl Survey<'_> {
    /// The part, or nothing of it; only an interruption is an error.
    fn part<T: Default>(
        &mut self,
        location: &str,
        part: Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        match part {
            Err(error) if !error.is_interruption() => {
                let message = error.sentence_at(location);
                self.problems.push(Problem { location: location.into(), message });
                Ok(T::default())
            }
            part => part,
        }
    }

    fn images(&mut self, undigested: &mut Vec<String>) -> Result<Vec<ImageEntry>, ReadError> {
        let mut entries = Vec::new();
        for view in self.part("/images", self.sample.images())? {
            entries.extend(self.part(view.path(), image(&view, undigested).map(Some))?);
        }
        Ok(entries)
    }

    fn annotations(
        &mut self,
        undigested: &mut Vec<String>,
    ) -> Result<Vec<AnnotationEntry>, ReadError> {
        let indexed = self.part("/index", self.sample.indexed_annotations())?;
        let mut entries = Vec::new();
        for view in self.part("/annotations", self.sample.annotations())? {
            let Some(mut entry) =
                self.part(view.path(), annotation(&view, undigested).map(Some))?
            else {
                continue;
            };
            let has_entry = indexed.iter().any(|name| name == view.name());
            if has_entry {
                let place = format!("/index/{}", view.name());
                let found = self.part(&place, index(self.sample, view.name()).map(Some))?;
                // A broken entry must not be used either.
                (entry.index, entry.voxels) = found.unwrap_or((IndexState::Stale, Vec::new()));
            } else if entry.kind.as_deref().and_then(Kind::parse).is_some_and(is_indexable) {
                entry.index = IndexState::Missing;
            }
            entries.push(entry);
        }
        Ok(entries)
    }
}

fn image(view: &ImageView, undigested: &mut Vec<String>) -> Result<ImageEntry, ReadError> {
    for (level, data) in view.stored_levels()? {
        if stored_digest(&data)?.is_none() {
            undigested.push(relative(&format!("{}/{level}", view.path())));
        }
    }
    let data = view.data()?;
    let digest = data.as_ref().map(stored_digest).transpose()?.flatten();
    if !view.is_pyramid() && digest.is_none() {
        undigested.push(relative(view.path()));
    }
    let grid = view.grid()?;
    Ok(ImageEntry {
        id: view.name().to_owned(),
        modality: view.modality()?,
        digest,
        grid: grid.as_ref().map(geometry).transpose()?.flatten(),
    })
}

/// The geometry of a grid, whether or not it is sound; `None` when too much of it is missing.
fn geometry(view: &GridView) -> Result<Option<GridEntry>, ReadError> {
    let attributes = view.attributes();
    let (Some(shape), Some(spacing)) = (view.spatial_extents()?, attributes.floats("spacing")?)
    else {
        return Ok(None);
    };
    let units = view.units()?;
    let direction = attributes.matrix("direction")?.filter(|_| units != "px");
    let system = attributes.text("coord_system")?.unwrap_or_default();
    let orientation = direction.and_then(|direction| Orientation::of(&system, &direction));
    Ok(Some(GridEntry {
        shape,
        spacing,
        units,
        tilt_degrees: orientation.as_ref().map_or(0.0, |found| found.tilt_degrees),
        orientation: orientation.map(|found| found.letters),
    }))
}

fn annotation(
    view: &AnnotationView,
    undigested: &mut Vec<String>,
) -> Result<AnnotationEntry, ReadError> {
    for name in view.dataset_names()? {
        if let Some(dataset) = view.dataset(&name)?
            && stored_digest(&dataset)?.is_none()
        {
            undigested.push(relative(&view.dataset_path(&name)));
        }
    }
    Ok(AnnotationEntry {
        id: view.name().to_owned(),
        kind: view.kind_name()?,
        declared: view.class_set()?.into_iter().collect(),
        examined: view.annotated_class_set()?.into_iter().collect(),
        index: IndexState::NotNeeded,
        voxels: Vec::new(),
    })
}

/// The path without its leading slash.
fn relative(path: &str) -> String {
    path.trim_start_matches('/').to_owned()
}

fn is_indexable(kind: Kind) -> bool {
    kind.family() == Family::Voxel && kind != Kind::Mask
}

/// The state of an entry of the sampling index, and its counts if they may be used.
fn index(sample: &Sample, name: &str) -> Result<(IndexState, Vec<(i64, u64)>), ReadError> {
    let state = match stored_freshness(sample, name)? {
        None => IndexState::Unchecked,
        Some(false) => IndexState::Stale,
        Some(true) => IndexState::Current,
    };
    let Some(entry) = sample.index_entry(name)?.filter(|_| state == IndexState::Current) else {
        return Ok((state, Vec::new()));
    };
    let counts = entry.voxel_counts()?.into_iter().map(|count| count.max(0).unsigned_abs());
    Ok((state, entry.class_ids().iter().copied().zip(counts).collect()))
}

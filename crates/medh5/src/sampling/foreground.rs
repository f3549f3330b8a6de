//! The voxels that foreground draws choose among: those of the index where it may be used, all of them otherwise.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::choice::{Candidate, Candidates};
use super::scanned::{Scanned, Wanted};
use super::{ClassWeights, SamplingOptions};
use crate::ReadError;
use crate::annotations::AnnotationView;
use crate::index::{CoordinateTable, IndexEntry};
use crate::sample::Sample;
use crate::validate::Observer;

/// What foreground draws choose among.
#[derive(Debug)]
pub(super) struct Foreground {
    candidates: Candidates,
    voxels: Voxels,
}

#[derive(Debug)]
enum Voxels {
    Indexed { entry: IndexEntry, tables: Mutex<BTreeMap<i64, CoordinateTable>> },
    Scanned(Scanned),
}

impl Foreground {
    /// Looks at the classes that `options` wants of `annotation`; `None` when it declares none of them.
    pub(super) fn open(
        sample: &Sample,
        annotation: &AnnotationView,
        options: &SamplingOptions,
        observer: &dyn Observer,
    ) -> Result<Option<Self>, ReadError> {
        let mut classes = annotation.class_ids()?.unwrap_or_default();
        classes.retain(|class| options.classes.as_ref().is_none_or(|some| some.contains(class)));
        if classes.is_empty() {
            return Ok(None);
        }
        if let Some(entry) = usable_entry(sample, annotation, &classes, observer)? {
            return Self::indexed(entry, &classes, &options.weights).map(Some);
        }
        let scanned = Scanned::count(annotation, &classes, observer)?;
        let candidates = Candidates::new(scanned.voxels(), &options.weights);
        Ok(Some(Self { candidates, voxels: Voxels::Scanned(scanned) }))
    }

    fn indexed(
        entry: IndexEntry,
        classes: &[i64],
        weights: &ClassWeights,
    ) -> Result<Self, ReadError> {
        let counts = entry.voxel_counts()?;
        let all = entry.class_ids().iter().copied().zip(counts);
        let known: BTreeMap<i64, u64> =
            all.map(|(class, count)| (class, u64::try_from(count).unwrap_or(0))).collect();
        let counts = classes.iter().filter_map(|class| Some((*class, *known.get(class)?)));
        let candidates = Candidates::new(counts, weights);
        Ok(Self { candidates, voxels: Voxels::Indexed { entry, tables: Mutex::default() } })
    }

    /// Whether voxels come from the index.
    pub(super) fn used_index(&self) -> bool {
        matches!(self.voxels, Voxels::Indexed { .. })
    }

    pub(super) fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// How many voxels of the class there are to choose among.
    pub(super) fn choices(&self, candidate: Candidate) -> Result<u64, ReadError> {
        match &self.voxels {
            Voxels::Scanned(_) => Ok(candidate.voxels),
            Voxels::Indexed { .. } => {
                Ok(self.with_table(candidate.class_id, |table| Ok(table.rows()))?.unwrap_or(0))
            }
        }
    }

    /// The chosen voxels, along the spatial axes, slowest first; in the order of `choices`.
    pub(super) fn voxels(&self, choices: &[(Candidate, u64)]) -> Result<Vec<Vec<u64>>, ReadError> {
        match &self.voxels {
            Voxels::Scanned(scanned) => {
                let wanted: Vec<Wanted> = choices
                    .iter()
                    .map(|(candidate, rank)| Scanned::wanted(*candidate, *rank))
                    .collect();
                scanned.find(&wanted)
            }
            Voxels::Indexed { .. } => choices.iter().map(|choice| self.row(*choice)).collect(),
        }
    }

    fn row(&self, (candidate, row): (Candidate, u64)) -> Result<Vec<u64>, ReadError> {
        let found = self.with_table(candidate.class_id, |table| table.row(row))?;
        let unsigned = |place: &i64| u64::try_from(*place).unwrap_or(0);
        Ok(found.unwrap_or_default().iter().map(unsigned).collect())
    }

    /// Uses the table of a class, which is opened once.
    fn with_table<T>(
        &self,
        class: i64,
        use_table: impl FnOnce(&CoordinateTable) -> Result<T, ReadError>,
    ) -> Result<Option<T>, ReadError> {
        let Voxels::Indexed { entry, tables } = &self.voxels else { return Ok(None) };
        let lock = || tables.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&class).cloned();
        if let Some(table) = known {
            return use_table(&table).map(Some);
        }
        let Some(table) = entry.coordinate_table(class)? else { return Ok(None) };
        lock().insert(class, table.clone());
        use_table(&table).map(Some)
    }
}

/// The entry of the annotation, if it is current, stores coordinates and knows every class.
fn usable_entry(
    sample: &Sample,
    annotation: &AnnotationView,
    classes: &[i64],
    observer: &dyn Observer,
) -> Result<Option<IndexEntry>, ReadError> {
    let entry = match sample.index_entry(annotation.name()) {
        // An entry without its tables is no reason not to draw.
        Err(ReadError::Value { .. }) | Ok(None) => return Ok(None),
        other => other?,
    };
    let Some(entry) = entry else { return Ok(None) };
    let is_complete = classes.iter().all(|class| entry.class_ids().contains(class));
    let stores = entry.max_coords()?.is_some_and(|most| most >= 1);
    Ok(if is_complete && stores && entry.is_current(sample, observer)? {
        Some(entry)
    } else {
        None
    })
}

//! Which class was examined, is present, and has how many voxels: by site and by part of a split.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::entry::{ClassEntry, CohortEntry, IndexState};
use super::members::Members;

/// Classes by sites and partitions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClassMatrix {
    /// A site in one part of one split; samples that claim several splits are in several columns.
    pub columns: Vec<Column>,
    /// One row per class id and key.
    pub rows: Vec<ClassRow>,
}

/// A site in one part of one split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The site; `None` for samples that name none.
    pub site_id: Option<String>,
    /// The split; `None` for samples that claim none.
    pub set_id: Option<String>,
    /// The part of it.
    pub partition: Option<String>,
    /// Places in the list of samples, ascending.
    pub samples: Vec<usize>,
}

/// One class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClassRow {
    /// What is stored in voxels.
    pub class_id: i64,
    /// Its key; `None` where no label set names it.
    pub key: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// One cell per column.
    pub cells: Vec<Cell>,
}

/// One class in one column. Lists are places in the list of samples, ascending.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Cell {
    /// Samples in which an annotation can express it.
    pub declared: Vec<usize>,
    /// Those in which it was looked for.
    pub examined: Vec<usize>,
    /// Those of them in which a current sampling index counts voxels of it.
    pub present: Vec<usize>,
    /// Those of them in which no index tells: it is not there, not current, or the annotation has no voxels.
    pub unknown: Vec<usize>,
    /// Voxels in all of them, over all annotations.
    pub voxels: u64,
}

type Place<'a> = (Option<&'a str>, Option<(&'a str, &'a str)>);

pub(super) fn matrix(members: &Members<'_>) -> ClassMatrix {
    let columns = members.by(columns_of);
    let keys: BTreeSet<(i64, Option<&str>)> =
        members.open().flat_map(|(_, entry)| classes_of(entry)).collect();
    let mut rows: BTreeMap<(i64, Option<&str>), ClassRow> = keys
        .into_iter()
        .map(|(class_id, key)| {
            let cells = vec![Cell::default(); columns.len()];
            ((class_id, key), ClassRow { class_id, key: key.map(str::to_owned), name: None, cells })
        })
        .collect();
    for (at, samples) in columns.values().enumerate() {
        for &place in samples {
            let Some(entry) = members.entry(place) else { continue };
            for class in classes_of(entry) {
                let Some(row) = rows.get_mut(&class) else { continue };
                row.name = row.name.take().or_else(|| name_of(entry, class.0));
                if let Some(cell) = row.cells.get_mut(at) {
                    cell.count(place, entry, class.0);
                }
            }
        }
    }
    let column = |((site, split), samples): (Place<'_>, Vec<usize>)| Column {
        site_id: site.map(str::to_owned),
        set_id: split.map(|(set, _)| set.to_owned()),
        partition: split.map(|(_, partition)| partition.to_owned()),
        samples,
    };
    ClassMatrix {
        columns: columns.into_iter().map(column).collect(),
        rows: rows.into_values().collect(),
    }
}

impl Cell {
    fn count(&mut self, place: usize, entry: &CohortEntry, class: i64) {
        self.declared.push(place);
        let examining = entry.annotations.iter().filter(|one| one.examined.contains(&class));
        let (mut is_examined, mut is_told, mut voxels) = (false, true, 0_u64);
        for annotation in examining {
            is_examined = true;
            let counted = annotation.voxels.iter().find(|(id, _)| *id == class);
            match counted {
                Some((_, count)) => voxels = voxels.saturating_add(*count),
                None => is_told &= annotation.index == IndexState::Current,
            }
        }
        if !is_examined {
            return;
        }
        self.examined.push(place);
        self.voxels = self.voxels.saturating_add(voxels);
        if voxels > 0 {
            self.present.push(place);
        } else if !is_told {
            self.unknown.push(place);
        }
    }

    /// Samples in which it was looked for and is known not to be there.
    pub fn absent(&self) -> usize {
        self.examined.len() - self.present.len() - self.unknown.len()
    }
}

/// Where a sample stands: its site, with each part of a split that it claims.
fn columns_of(entry: &CohortEntry) -> Vec<Place<'_>> {
    let site = entry.site_id.as_deref();
    if entry.splits.is_empty() {
        return vec![(site, None)];
    }
    let claimed = entry.splits.iter();
    claimed.map(|split| (site, Some((split.set_id.as_str(), split.partition.as_str())))).collect()
}

/// The classes that annotations of a sample can express, with the keys that its own label set gives them.
pub(super) fn classes_of(entry: &CohortEntry) -> BTreeSet<(i64, Option<&str>)> {
    let ids = entry
        .annotations
        .iter()
        .flat_map(|annotation| annotation.declared.iter().chain(&annotation.examined));
    ids.map(|&id| (id, class_of(entry, id).map(|class| class.key.as_str()))).collect()
}

fn name_of(entry: &CohortEntry, id: i64) -> Option<String> {
    class_of(entry, id).map(|class| class.name.clone())
}

fn class_of(entry: &CohortEntry, id: i64) -> Option<&ClassEntry> {
    entry.label_set.as_ref()?.classes.iter().find(|class| class.id == id)
}

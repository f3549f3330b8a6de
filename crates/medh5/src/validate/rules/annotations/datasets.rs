//! The datasets of an annotation: presence, types, shapes, and the classes in their columns.

use std::collections::BTreeSet;

use super::Subject;
use crate::ReadError;
use crate::annotations::{Count, Counts, Family, Kind};
use crate::validate::{Findings, codes};
use crate::values::dtype_name;

pub(super) fn check(subject: &mut Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    required_datasets(subject, out)?;
    if subject.kind.family() == Family::Voxel {
        dtypes_of(subject, out)?;
    }
    subject.is_consistent = column_shapes(subject, out)?;
    Ok(())
}

/// E411: the types of the columns. Those of voxels come earlier, see [`check`].
pub(super) fn dtypes(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    if subject.kind.family() == Family::Voxel { Ok(()) } else { dtypes_of(subject, out) }
}

/// E410: the datasets that the kind cannot lack.
fn required_datasets(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    for name in subject.kind.required_datasets() {
        if subject.view.dataset(name)?.is_none() {
            subject.report(codes::E410, format!("no dataset `{name}`"), out);
        }
    }
    Ok(())
}

/// E411: types that the kind allows.
fn dtypes_of(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    for (name, allowed) in subject.kind.dtypes() {
        let Some(dataset) = subject.view.dataset(name)? else { continue };
        let found = dtype_name(dataset.datatype());
        if !allowed.contains(&found.as_ref()) {
            let message = format!("{found} elements (allowed: {})", allowed.join(", "));
            subject.report_at(name, codes::E411, message, out);
        }
    }
    Ok(())
}

/// E405: columns agree in what they count. Gives whether they do.
fn column_shapes(subject: &Subject<'_>, out: &mut Findings) -> Result<bool, ReadError> {
    let mut counts = known_counts(subject)?;
    let mut is_consistent = true;
    for column in subject.kind.columns() {
        let Some(dataset) = subject.view.dataset(column.name)? else { continue };
        if let Err(due) = counts.agree(column, dataset.shape()) {
            let message = format!("shape {:?}, {due} is due", dataset.shape());
            subject.report_at(column.name, codes::E405, message, out);
            is_consistent = false;
        }
    }
    Ok(is_consistent)
}

/// What is counted before any column is looked at: the axes of the grid, where coordinates are its indices.
fn known_counts(subject: &Subject<'_>) -> Result<Counts, ReadError> {
    let mut counts = Counts::default();
    let space = subject.view.attributes().text("space")?;
    let rank = subject.readable_extents()?.map(|extents| extents.len());
    let in_index_space = match subject.kind {
        Kind::Instances => true,
        Kind::Mesh => false,
        _ => space.is_none_or(|space| space == "index"),
    };
    if let Some(rank) = rank.filter(|_| in_index_space) {
        counts.fix(Count::Space, rank as u64);
    }
    if subject.kind == Kind::Mesh && subject.view.dataset("mesh_offsets")?.is_none() {
        counts.fix(Count::Curves, 1);
    }
    Ok(counts)
}

/// E404: columns hold declared classes only. A column that cannot be read is passed over.
pub(super) fn class_columns(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    for name in subject.kind.class_columns() {
        let values = match subject.view.integers(name) {
            Err(error) if error.is_interruption() => return Err(error),
            Err(_) | Ok(None) => continue,
            Ok(Some(values)) => values,
        };
        let is_padding = |id: i64| id == 0 && subject.kind == Kind::Layers;
        let undeclared: BTreeSet<_> = values
            .into_iter()
            .filter(|id| !subject.classes.contains(id) && !is_padding(*id))
            .collect();
        if !undeclared.is_empty() {
            let message = format!("classes {undeclared:?} are not in `class_ids`");
            subject.report_at(name, codes::E404, message, out);
        }
    }
    Ok(())
}

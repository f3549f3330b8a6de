//! Annotations of voxels: shape of the data, and what each kind promises.

use std::collections::BTreeSet;

use hdf5::Dataset;

use super::{Subject, instances};
use crate::ReadError;
use crate::annotations::{Family, Kind, layers_needed};
use crate::geometry::same_extents;
use crate::validate::scan::{ElementTest, overlapping_pairs};
use crate::validate::{Findings, Level, codes};
use crate::values::dtype_name;

pub(super) fn check(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let data = subject.view.dataset("data")?;
    if let Some(data) = &data
        && subject.kind.family() == Family::Voxel
        && subject.grid.is_some()
    {
        spatial_shape(subject, data, out)?;
        class_planes(subject, data, out)?;
        plane_chunks(subject, data, out);
    }
    match subject.kind {
        Kind::Labelmap => data.map_or(Ok(()), |data| narrow_labels(subject, &data, out)),
        Kind::Layers => layers(subject, data.as_ref(), out),
        Kind::Bitmask => bitmask(subject, data.as_ref(), out),
        Kind::Probmap => threshold(subject, out),
        Kind::Instances => instances::check(subject, out),
        _ => Ok(()),
    }
}

/// E405: one value per voxel of the grid. Instances should have no `data`; where there is some, the same holds for it.
fn spatial_shape(
    subject: &Subject<'_>,
    data: &Dataset,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some(expected) = subject.spatial_extents()? else { return Ok(()) };
    let stacked = usize::from(subject.kind.is_stacked());
    let found = data.shape().get(stacked..).unwrap_or_default();
    if !same_extents(found, &expected) {
        let message = format!("{found:?} voxels, the grid has {expected:?}");
        subject.report_at("data", codes::E405, message, out);
    }
    Ok(())
}

/// E405: one plane of probabilities per class.
fn class_planes(
    subject: &Subject<'_>,
    data: &Dataset,
    out: &mut Findings,
) -> Result<(), ReadError> {
    if subject.kind != Kind::Probmap {
        return Ok(());
    }
    let planes = data.shape().first().copied().unwrap_or(0);
    if let Some(classes) = subject.view.class_ids()?
        && classes.len() as u64 != planes
    {
        let message = format!("{planes} planes for {} classes", classes.len());
        subject.report_at("data", codes::E405, message, out);
    }
    Ok(())
}

/// W902: a plane of a stack can be read without the others.
fn plane_chunks(subject: &Subject<'_>, data: &Dataset, out: &mut Findings) {
    let depth = data.chunk_dims().and_then(|dims| dims.first());
    if let Some(&depth) = depth
        && subject.kind.is_stacked()
        && depth != 1
    {
        let message = format!("chunks hold {depth} planes of the stack, 1 is due");
        subject.report_at("data", codes::W902, message, out);
    }
}

/// E411: labels are no wider than they need to be.
fn narrow_labels(
    subject: &Subject<'_>,
    data: &Dataset,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some(&highest) = subject.classes.last() else { return Ok(()) };
    if dtype_name(data.datatype()) != "uint16" || highest > 254 {
        return Ok(());
    }
    let ignored = ElementTest::Equals(subject.view.ignore_id()?);
    if !subject.context.scans.any(subject.context, data, ignored)? {
        let message = format!("uint16 for classes up to {highest} and no ignored voxel");
        subject.report_at("data", codes::E411, message, out);
    }
    Ok(())
}

/// E405, E404, W908: the table of the layers' classes, and whether fewer layers would do.
fn layers(
    subject: &Subject<'_>,
    data: Option<&Dataset>,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some(table) = subject.view.dataset("layer_class_ids")? else { return Ok(()) };
    let classes = subject.view.integers("layer_class_ids")?.unwrap_or_default();
    let rows = match table.shape() {
        [] | [_] => 1,
        [rows, ..] => *rows,
    };
    if let Some(layers) = data.and_then(|data| data.shape().first())
        && *layers != rows
    {
        let message = format!("{rows} rows for {layers} layers");
        subject.report_at("layer_class_ids", codes::E405, message, out);
    }
    let mut seen = BTreeSet::new();
    for class in classes.into_iter().filter(|class| *class != 0) {
        if !seen.insert(class) {
            subject.report(
                codes::E404,
                format!("class {class} is twice in `layer_class_ids`"),
                out,
            );
        }
    }
    missing_classes(subject, "layer_class_ids", &seen, None, out);
    match data {
        Some(data) => layer_count(subject, data, rows, &seen, out),
        None => Ok(()),
    }
}

/// W908: not many more layers than the overlaps of classes ask for.
fn layer_count(
    subject: &Subject<'_>,
    data: &Dataset,
    rows: u64,
    classes: &BTreeSet<i64>,
    out: &mut Findings,
) -> Result<(), ReadError> {
    /// Layers beyond those needed that pass without a word.
    const SPARE: usize = 2;

    if subject.context.level < Level::Semantic || subject.classes.is_empty() {
        return Ok(());
    }
    let pairs = overlapping_pairs(subject.context, data, subject.view.ignore_id()?)?;
    let classes = classes.iter().filter_map(|class| u16::try_from(*class).ok()).collect();
    let needed = layers_needed(&classes, &pairs);
    if rows > needed.saturating_add(SPARE) as u64 {
        let message = format!("{rows} layers, where {needed} would hold the overlapping classes");
        subject.report(codes::W908, message, out);
    }
    Ok(())
}

/// E405, E404: one bit per class, and as many planes as the bits fill.
fn bitmask(
    subject: &Subject<'_>,
    data: Option<&Dataset>,
    out: &mut Findings,
) -> Result<(), ReadError> {
    const NAME: &str = "bit_class_ids";
    /// Bits of one plane.
    const WORD: u64 = 64;

    let Some(table) = subject.view.dataset(NAME)? else { return Ok(()) };
    if table.shape() != [subject.classes.len() as u64] {
        let message = format!("shape {:?} for {} classes", table.shape(), subject.classes.len());
        subject.report_at(NAME, codes::E405, message, out);
    }
    match subject.view.integers(NAME) {
        Err(error) if error.is_interruption() => return Err(error),
        Err(_) | Ok(None) => {}
        Ok(Some(bits)) => {
            let distinct: BTreeSet<_> = bits.iter().copied().collect();
            if distinct.len() < bits.len() {
                subject.report_at(NAME, codes::E404, "a class has two bits", out);
            }
            missing_classes(subject, NAME, &distinct, Some(NAME), out);
        }
    }
    let bits = table.dataspace().element_count().unwrap_or(u64::MAX);
    let due = bits.div_ceil(WORD).max(1);
    if let Some(data) = data
        && data.shape().first() != Some(&due)
    {
        let message =
            format!("data of shape {:?} for {bits} bits, {due} planes are due", data.shape());
        subject.report(codes::E404, message, out);
    }
    Ok(())
}

/// E404: every declared class is in the table.
fn missing_classes(
    subject: &Subject<'_>,
    table: &str,
    listed: &BTreeSet<i64>,
    location: Option<&str>,
    out: &mut Findings,
) {
    let missing: Vec<_> = subject.classes.difference(listed).collect();
    if missing.is_empty() {
        return;
    }
    let message = format!("classes {missing:?} are not in `{table}`");
    match location {
        Some(dataset) => subject.report_at(dataset, codes::E404, message, out),
        None => subject.report(codes::E404, message, out),
    }
}

/// E404: the threshold is a probability.
fn threshold(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    if let Some(threshold) = subject.view.attributes().float("threshold")?
        && !(0.0..=1.0).contains(&threshold)
    {
        subject.report(codes::E404, format!("`threshold` is {threshold}"), out);
    }
    Ok(())
}

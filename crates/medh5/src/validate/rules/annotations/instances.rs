//! Instances: boxes, and the cropped masks inside them.

use std::collections::{BTreeMap, BTreeSet};

use super::Subject;
use crate::ReadError;
use crate::annotations::{Bound, boxes_of, crop_extent, is_bad_box};
use crate::validate::{Findings, codes};

pub(super) fn check(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let boxes = boxes_of(subject.view)?;
    if boxes.iter().flatten().any(|bounds| is_bad_box(bounds)) {
        subject.report(
            codes::E406,
            "a box whose low bound is above its high one, or not finite",
            out,
        );
    }
    masks(subject, &boxes.unwrap_or_default(), out)?;
    identities(subject, out)
}

/// E408, E405: offsets lead to each mask, and each mask fills its box.
fn masks(subject: &Subject<'_>, boxes: &[Vec<Bound>], out: &mut Findings) -> Result<(), ReadError> {
    const OFFSETS: &str = "mask_offsets";

    let view = subject.view;
    let Some(offsets) = view.integers(OFFSETS)? else { return Ok(()) };
    let falls = !offsets.is_sorted();
    let data = view.dataset("mask_data")?.filter(|_| subject.is_consistent);
    let (Some(data), true) = (data, has_shapes(subject)?) else {
        if falls {
            subject.report_at(OFFSETS, codes::E408, "offsets decrease", out);
        }
        return Ok(());
    };
    let shapes = view.integers("mask_shapes")?.unwrap_or_default();
    let stored_bytes = data.dataspace().element_count().unwrap_or(u64::MAX);
    if falls || offsets.first().is_some_and(|first| *first < 0) {
        subject.report_at(OFFSETS, codes::E408, "offsets decrease or are negative", out);
        return Ok(());
    }
    if offsets.last().is_some_and(|last| last.unsigned_abs() > stored_bytes) {
        let message = format!("offsets lead beyond the {stored_bytes} bytes of `mask_data`");
        subject.report_at(OFFSETS, codes::E408, message, out);
        return Ok(());
    }
    let grid_voxels = subject.readable_extents()?.map(|extents| volume(&extents));
    let axes = boxes.first().map_or(1, Vec::len).max(1);
    let ends = offsets.iter().zip(offsets.iter().skip(1));
    for ((bounds, shape), (start, end)) in boxes.iter().zip(shapes.chunks_exact(axes)).zip(ends) {
        if !is_bad_box(bounds) {
            mask(subject, bounds, shape, grid_voxels, i128::from(*end) - i128::from(*start), out);
        }
    }
    Ok(())
}

fn has_shapes(subject: &Subject<'_>) -> Result<bool, ReadError> {
    let view = subject.view;
    Ok(view.dataset("boxes")?.is_some() && view.dataset("mask_shapes")?.is_some())
}

/// One mask; at most one finding.
fn mask(
    subject: &Subject<'_>,
    bounds: &[Bound],
    shape: &[i64],
    grid_voxels: Option<i128>,
    stored: i128,
    out: &mut Findings,
) {
    let extents: Vec<i64> = bounds.iter().map(|bound| crop_extent(*bound)).collect();
    let voxels = volume(&extents);
    if shape != extents {
        let message = format!("a mask of shape {shape:?} in a box of {extents:?} voxels");
        subject.report_at("mask_shapes", codes::E405, message, out);
    } else if grid_voxels.is_some_and(|grid| voxels > grid) {
        let message = format!("a mask of {voxels} voxels, more than the grid has");
        subject.report_at("mask_shapes", codes::E405, message, out);
    } else if stored != voxels.div_euclid(8) + i128::from(voxels.rem_euclid(8) != 0) {
        let message = format!("{stored} bytes for a mask of {voxels} voxels");
        subject.report_at("mask_offsets", codes::E408, message, out);
    }
}

fn volume(extents: &[i64]) -> i128 {
    extents.iter().fold(1, |n: i128, extent| n.saturating_mul(i128::from(*extent)))
}

/// E404, W909: each instance is listed once, and has one class.
fn identities(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(ids) = subject.view.unsigned_integers("instance_ids")? else { return Ok(()) };
    let distinct: BTreeSet<_> = ids.iter().collect();
    if distinct.len() < ids.len() {
        subject.report(codes::E404, "an instance id is listed twice", out);
    }
    if !subject.is_consistent {
        return Ok(());
    }
    let classes = subject.view.integers("class_ids")?.unwrap_or_default();
    let mut by_id: BTreeMap<u64, BTreeSet<i64>> = BTreeMap::new();
    for (id, class) in ids.into_iter().zip(classes) {
        by_id.entry(id).or_default().insert(class);
    }
    for (id, classes) in by_id.iter().filter(|(_, classes)| classes.len() > 1) {
        subject.report(codes::W909, format!("instance {id} has the classes {classes:?}"), out);
    }
    Ok(())
}

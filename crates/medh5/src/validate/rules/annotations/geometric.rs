//! Shapes in index or world space.

use super::{Subject, curves, declarations};
use crate::ReadError;
use crate::annotations::{Kind, boxes_of, is_bad_box};
use crate::sample::Chapter;
use crate::validate::{Findings, codes};
use crate::values::Matrix;

const SPACES: [&str; 2] = ["index", "world"];

/// How far the determinant of a rotation may be from 1.
const DETERMINANT_TOLERANCE: f64 = 1e-4;

pub(super) fn check(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    space(subject, out)?;
    grid_agrees(subject, out)?;
    match subject.kind {
        Kind::Boxes => {
            bounds(subject, out)?;
            slice_index(subject, out)
        }
        Kind::Obb => oriented_boxes(subject, out),
        Kind::Keypoints => {
            visibility(subject, out)?;
            skeleton(subject, out)
        }
        Kind::Points => correspondence(subject, out),
        Kind::Contours => curves::contours(subject, out),
        Kind::Mesh => curves::mesh(subject, out),
        Kind::Polylines => curves::polylines(subject, out),
        _ => Ok(()),
    }
}

/// E412: a known space, and what coordinates in it refer to.
fn space(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    if !subject.has("space")? {
        subject.report(codes::E412, "no `space`", out);
        return Ok(());
    }
    match declarations::word(subject, "space", &SPACES, out)?.as_deref() {
        Some("index") if !subject.has("grid")? => {
            subject.report(codes::E412, "coordinates in index space without a `grid`", out);
        }
        Some("world") if !subject.has("frame_uid")? => {
            subject.report(codes::E412, "coordinates in world space without a `frame_uid`", out);
        }
        _ => {}
    }
    Ok(())
}

/// E414: a grid that is named for coordinates of the world lies in the same world.
fn grid_agrees(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(space) = subject.view.attributes().text("space")? else { return Ok(()) };
    let Some(grid) = &subject.grid else { return Ok(()) };
    let is_unknown = !SPACES.contains(&space.as_str());
    if space == "index" || is_unknown && subject.context.is_projection {
        return Ok(());
    }
    if grid.units()? == "px" {
        subject.report(codes::E414, "a grid in pixels has no world coordinates", out);
    }
    if space == "world"
        && let Some(own) = subject.view.attributes().text("frame_uid")?
        && let Some(other) = grid.frame_uid()?
        && own != other
    {
        let message = format!("frame {own:?}, but that of the grid is {other:?}");
        subject.report(codes::E414, message, out);
    }
    Ok(())
}

/// E406: low bounds are below high ones, and all are finite.
fn bounds(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    if boxes_of(subject.view)?.iter().flatten().any(|bounds| is_bad_box(bounds)) {
        subject.report(
            codes::E406,
            "a box whose low bound is above its high one, or not finite",
            out,
        );
    }
    Ok(())
}

/// E405: boxes that are flat along one axis lie on a slice of the grid.
fn slice_index(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(slices) = subject.view.integers("slice_index")? else { return Ok(()) };
    let (Some(grid), Some(boxes)) = (&subject.grid, boxes_of(subject.view)?) else { return Ok(()) };
    let space = subject.view.attributes().text("space")?;
    if !subject.is_consistent || space.as_deref() != Some("index") {
        return Ok(());
    }
    let shape = grid.shape()?.unwrap_or_default();
    for (bounds, slice) in boxes.iter().zip(slices) {
        let Some(outer) = shape.len().checked_sub(bounds.len()) else { return Ok(()) };
        let extents = shape.iter().skip(outer);
        #[expect(clippy::float_cmp, reason = "flat means that both bounds are the same number")]
        let mut flat = bounds.iter().zip(extents).filter(|([low, high], _)| low == high);
        if let (Some((_, &extent)), None) = (flat.next(), flat.next())
            && !(0..extent).contains(&slice)
        {
            let message = format!("`slice_index` {slice} along an axis of {extent} voxels");
            subject.report(codes::E405, message, out);
            return Ok(());
        }
    }
    Ok(())
}

/// E407, E406: rotations rotate, sizes are sizes, centres are places.
fn oriented_boxes(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    if has_bad_rotation(subject)? {
        subject.report(codes::E407, "a rotation that is not orthonormal, or reflects", out);
    }
    let sizes = subject.view.floats("sizes")?.unwrap_or_default();
    if sizes.iter().any(|size| !size.is_finite() || *size < 0.0) {
        subject.report(codes::E406, "a size that is negative or not finite", out);
    }
    let centers = subject.view.floats("centers")?.unwrap_or_default();
    if centers.iter().any(|value| !value.is_finite()) {
        subject.report(codes::E406, "a centre that is not finite", out);
    }
    Ok(())
}

fn has_bad_rotation(subject: &Subject<'_>) -> Result<bool, ReadError> {
    let Some(dataset) = subject.view.dataset("rotations")? else { return Ok(false) };
    let values = subject.view.floats("rotations")?.unwrap_or_default();
    let &[_, rows, columns] = dataset.shape() else { return Ok(false) };
    let size = |extent| usize::try_from(extent).unwrap_or(usize::MAX);
    let (rows, columns) = (size(rows), size(columns));
    let is_bad = |values: &[f64]| {
        let rotation = Matrix { rows, columns, values: values.to_vec() };
        let is_proper = |determinant: f64| (determinant - 1.0).abs() <= DETERMINANT_TOLERANCE;
        !rotation.is_orthonormal() || !rotation.determinant().is_none_or(is_proper)
    };
    Ok(values.chunks_exact(rows.saturating_mul(columns).max(1)).any(is_bad))
}

/// E411: keypoints are absent, hidden or visible.
fn visibility(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let found = subject.view.integers("visibility")?.unwrap_or_default();
    if found.iter().any(|value| !(0..=2).contains(value)) {
        subject.report_at("visibility", codes::E411, "a value that is not 0, 1 or 2", out);
    }
    Ok(())
}

/// E413: the label set has the skeleton.
fn skeleton(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(id) = subject.view.attributes().text("skeleton")? else { return Ok(()) };
    let Some(document) = &subject.context.document else { return Ok(()) };
    let label_set = document.label_set.as_ref();
    if label_set.and_then(|label_set| label_set.skeleton(&id)).is_none() {
        subject.report(codes::E413, format!("the label set has no skeleton {id:?}"), out);
    }
    Ok(())
}

/// E413: the points that these correspond to are an annotation.
fn correspondence(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(name) = subject.view.attributes().text("correspondence")? else { return Ok(()) };
    let other = subject.context.sample.child(Chapter::Annotations, &name)?;
    if other.and_then(|other| other.group()).is_none() {
        subject.report(codes::E413, format!("`correspondence` names no annotation: {name:?}"), out);
    }
    Ok(())
}

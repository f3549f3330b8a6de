//! The values of probability maps.

use std::collections::BTreeSet;

use hdf5::Dataset;

use crate::ReadError;
use crate::annotations::{AnnotationView, Kind};
use crate::geometry::{GridView, same_extents};
use crate::integrity::DigestLines;
use crate::validate::scan::{ElementTest, first_sum_off};
use crate::validate::{Context, Findings, codes, or_default};
use crate::values::ElementKind;

/// Has the digests of probability maps look at the probabilities, too.
pub(super) fn look_while_hashing(
    context: &Context<'_>,
    digests: &mut DigestLines<'_>,
) -> Result<(), ReadError> {
    let mut maps = BTreeSet::new();
    // What cannot be read is told by the check itself.
    for view in or_default(context.sample.annotations())? {
        maps.extend(or_default(map_data(&view))?.map(|data| data.address()));
    }
    for line in &mut digests.lines {
        line.look = maps.contains(&line.dataset.address()).then_some(ElementTest::NotProbability);
    }
    Ok(())
}

/// E411, E404, E001: probabilities are from 0 to 1 and, where a map says so, those of a voxel sum to 1.
///
/// Data at a location in `unreadable` were reported already.
pub(super) fn check(
    context: &Context<'_>,
    unreadable: &BTreeSet<String>,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let annotations = context.sample.annotations()?;
    out.each(&annotations, |view, out| {
        let Some(data) = map_data(view)? else { return Ok(()) };
        let sums = is_normalized(view, &data)?;
        let location = view.dataset_path("data");
        match values(context, &data, sums, &location, out) {
            Err(error) if error.is_interruption() => return Err(error),
            Err(_) if unreadable.contains(&location) => {}
            Err(error) => out.report(codes::E001, location, error.to_string()),
            Ok(()) => {}
        }
        Ok(())
    })
}

fn values(
    context: &Context<'_>,
    data: &Dataset,
    is_normalized: bool,
    location: &str,
    out: &mut Findings,
) -> Result<(), ReadError> {
    if context.scans.any(context, data, ElementTest::NotProbability)? {
        out.report(codes::E411, location, "a stored probability is not from 0 to 1");
    } else if is_normalized && let Some(sum) = first_sum_off(context, data)? {
        let message = format!("the classes of a voxel sum to {sum}, though `normalized` says 1");
        out.report(codes::E404, location, message);
    }
    Ok(())
}

fn map_data(view: &AnnotationView) -> Result<Option<Dataset>, ReadError> {
    if view.kind()? != Some(Kind::Probmap) {
        return Ok(None);
    }
    let has_values = |data: &Dataset| {
        ElementKind::of(data.datatype()) == ElementKind::Numeric && !data.shape().is_empty()
    };
    Ok(view.dataset("data")?.filter(has_values))
}

/// Whether sums are promised, and the shape says over what.
fn is_normalized(view: &AnnotationView, data: &Dataset) -> Result<bool, ReadError> {
    // Quirk: the reference reads the classes before it knows whether sums matter, and fails if it cannot.
    let classes = view.class_ids()?.map(|classes| classes.len() as u64);
    if !view.attributes().boolean("normalized")?.unwrap_or(false) {
        return Ok(false);
    }
    let extents = view.grid()?.as_ref().map_or(Ok(None), GridView::spatial_extents)?;
    let (Some(classes), Some(extents)) = (classes, extents) else { return Ok(false) };
    let has_planes = data.shape().first() == Some(&classes) && classes > 0;
    let voxels = data.shape().get(1..).unwrap_or_default();
    Ok(has_planes && !extents.is_empty() && same_extents(voxels, &extents))
}

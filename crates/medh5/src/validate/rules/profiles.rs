//! What the profiles of a sample require.

use hdf5::Object;

use crate::ReadError;
use crate::annotations::Kind;
use crate::sample::Chapter;
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule = Rule::new("check_profiles", Level::Semantic, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    annotations(context, out)?;
    transforms(context, out)?;
    index(context, out)?;
    pyramids(context, out)?;
    activities(context, out);
    timepoints(context, out);
    Ok(())
}

/// E009 for seg, det and cls: some annotation of the right kind.
fn annotations(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let (mut segments, mut detects, mut classifies) = (false, false, false);
    for annotation in context.sample.annotations()? {
        let kind = annotation.kind()?;
        let task = annotation.attributes().text("task")?;
        segments |= kind.is_some_and(is_segmentation);
        detects |= task.as_deref() == Some("detection") && kind != Some(Kind::Polylines);
        classifies |= kind == Some(Kind::Classification);
    }
    let mut require = |profile: &str, is_met: bool, what: &str| {
        if context.holds(profile) && !is_met {
            out.report(codes::E009, "/", format!("no {what}, which the profile {profile} needs"));
        }
    };
    require("seg", segments, "annotation of voxels");
    require("det", detects, "annotation with the task detection");
    require("cls", classifies, "classification");
    Ok(())
}

/// Whether annotations of this kind say of voxels to which class they belong.
fn is_segmentation(kind: Kind) -> bool {
    matches!(kind, Kind::Labelmap | Kind::Layers | Kind::Bitmask | Kind::Instances | Kind::Probmap)
}

/// E009 for reg: some transform, and one between the frames of grids.
fn transforms(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    if !context.holds("reg") {
        return Ok(());
    }
    if context.sample.members(Chapter::Transforms)?.is_empty() {
        out.report(codes::E009, "/", "no transform, which the profile reg needs");
        return Ok(());
    }
    let mut frames = Vec::new();
    for grid in context.sample.grids()? {
        frames.extend(grid.frame_uid()?.filter(|frame| !frame.is_empty()));
    }
    for transform in context.sample.transforms()? {
        let joined = transform.frames()?;
        if joined.is_some_and(|(a, b)| frames.contains(&a) && frames.contains(&b)) {
            return Ok(());
        }
    }
    let message = "no transform between the frames of grids, which the profile reg needs";
    out.report(codes::E009, "/transforms", message);
    Ok(())
}

/// E009 for training: the sampling index has an entry.
fn index(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    if !context.holds("training") {
        return Ok(());
    }
    let has_entry = match context.sample.root().get("index")? {
        Some(Object::Group(index)) => !index.links()?.is_empty(),
        _ => false,
    };
    if !has_entry {
        out.report(codes::E009, "/", "no sampling index, which the profile training needs");
    }
    Ok(())
}

/// E009 for multiscale: every image is a pyramid.
fn pyramids(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    if !context.holds("multiscale") {
        return Ok(());
    }
    for image in context.sample.images()?.iter().filter(|image| !image.is_pyramid()) {
        out.report(codes::E009, image.path(), "no pyramid, which the profile multiscale needs");
    }
    Ok(())
}

/// E009 for curation: some activity is declared.
fn activities(context: &Context<'_>, out: &mut Findings) {
    let Some(document) = context.document.as_ref().filter(|_| context.holds("curation")) else {
        return;
    };
    if document.provenance.activities.is_empty() {
        let message = "no activity, which the profile curation needs";
        out.report(codes::E009, "/meta#provenance", message);
    }
}

/// E009 for longitudinal: there are several timepoints.
fn timepoints(context: &Context<'_>, out: &mut Findings) {
    let Some(document) = context.document.as_ref().filter(|_| context.holds("longitudinal")) else {
        return;
    };
    if document.timepoints.len() < 2 {
        let message = "one timepoint; the profile longitudinal needs two";
        out.report(codes::E009, "/meta#timepoints", message);
    }
}

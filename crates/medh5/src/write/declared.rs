//! What a new sample declares: the profiles that its content fulfils, and the lowest version that has all of it.

use std::collections::BTreeSet;

use super::NewSample;
use super::image::Levels;
use crate::annotations::{Family, Kind};
use crate::json::Value;

/// The lowest version that has everything that is in the sample.
pub(super) fn version(sample: &NewSample) -> &'static str {
    if sample.annotations.values().any(|annotation| annotation.kind == Kind::Polylines) {
        "1.2"
    } else if sample.history.is_some() {
        "1.1"
    } else {
        "1.0"
    }
}

/// The profiles that the content fulfils, and those that are to be declared anyway; sorted.
pub(super) fn profiles(sample: &NewSample) -> Vec<String> {
    let document = &sample.document;
    let has_labels = document.get("label_set").is_some_and(|set| !set.is_falsy());
    let annotations = || sample.annotations.values();
    let is_of_classes = |kind: Kind| kind.family() == Family::Voxel && kind != Kind::Mask;
    let any_voxels = annotations().any(|annotation| is_of_classes(annotation.kind));
    let mut declared: BTreeSet<String> = sample.profiles.iter().cloned().collect();
    let mut declare = |profile: &str, fulfilled: bool| {
        if fulfilled {
            declared.insert(profile.to_owned());
        }
    };
    declare("core", true);
    declare("seg", has_labels && any_voxels);
    declare(
        "det",
        has_labels
            && annotations().any(|one| one.task() == "detection" && one.kind != Kind::Polylines),
    );
    declare("cls", has_labels && annotations().any(|one| one.kind == Kind::Classification));
    declare("reg", relates_grids(sample));
    declare("training", sample.index.is_some() && any_voxels);
    let is_pyramid = |levels: &Levels| matches!(levels, Levels::Pyramid { .. });
    declare(
        "multiscale",
        !sample.images.is_empty() && sample.images.values().all(|image| is_pyramid(&image.levels)),
    );
    let has_activity = document
        .get("provenance")
        .and_then(|provenance| provenance.get("activities"))
        .and_then(Value::as_array)
        .is_some_and(|activities| !activities.is_empty());
    declare(
        "curation",
        has_activity
            && !sample.annotations.is_empty()
            && annotations().all(|one| one.header.quality.is_some()),
    );
    let timepoints = document.get("timepoints").and_then(Value::as_array).map_or(0, <[_]>::len);
    declare(
        "longitudinal",
        timepoints >= 2 && sample.grids.values().all(|grid| grid.timepoint.is_some()),
    );
    declare("clinical", sample.history.is_some());
    declared.into_iter().collect()
}

/// Whether some transform leads from a frame of a grid to a frame of a grid.
fn relates_grids(sample: &NewSample) -> bool {
    let has_grid =
        |frame: &str| sample.grids.values().any(|grid| grid.frame_uid.as_deref() == Some(frame));
    let mut transforms = sample.transforms.values();
    transforms.any(|transform| has_grid(&transform.from_frame) && has_grid(&transform.to_frame))
}

//! The questions, one file per subject, and the order in which they are asked.

mod classes;
mod duplicates;
mod geometry;
mod labels;
mod readable;
mod splits;
mod upkeep;

use super::check::Check;
use super::classes::ClassMatrix;
use super::geometry::GeometryGroup;
use super::labels::LabelSetUse;
use super::members::Members;

/// The entries, and what was made of them.
pub(super) struct Cohort<'a> {
    pub(super) members: &'a Members<'a>,
    pub(super) label_sets: &'a [LabelSetUse],
    pub(super) classes: &'a ClassMatrix,
    pub(super) geometry: &'a [GeometryGroup],
}

const CHECKS: &[fn(&Cohort<'_>) -> Check] = &[
    readable::files,
    readable::documents,
    labels::missing,
    labels::mixed,
    labels::contradicting,
    labels::moved,
    duplicates::names,
    duplicates::contents,
    duplicates::images,
    splits::missing,
    splits::conflicting,
    splits::leaking,
    classes::partly_examined,
    classes::never_examined,
    classes::nowhere_present,
    geometry::spacing,
    geometry::shape,
    geometry::orientation,
    upkeep::deidentification,
    upkeep::stale_indexes,
    upkeep::missing_indexes,
    upkeep::digests,
];

/// Asks every question.
pub(super) fn run(cohort: &Cohort<'_>) -> Vec<Check> {
    CHECKS.iter().map(|check| check(cohort)).collect()
}

/// Why a question does not arise when no sample could be opened.
const NOTHING_OPEN: &str = "no sample could be opened";

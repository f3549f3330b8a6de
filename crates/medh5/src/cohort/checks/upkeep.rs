//! What files still owe: a record of de-identification, a current index, digests.

use super::{Cohort, NOTHING_OPEN};
use crate::cohort::check::{Check, Group, Question, Weight};
use crate::cohort::entry::{CohortEntry, IndexState};
use crate::cohort::members::distinct;

/// C501 when some have a record and some have none.
pub(super) fn deidentification(cohort: &Cohort<'_>) -> Check {
    let members = cohort.members;
    let places = members.places(|entry| entry.has_document && !entry.is_deidentified);
    let documents = members.places(|entry| entry.has_document).len();
    let is_mixed = !places.is_empty() && places.len() < documents;
    let question = Question {
        name: "no-deidentification",
        code: is_mixed.then_some("C501"),
        weight: Weight::Warning,
        title: "Samples without a record of de-identification",
    };
    if documents == 0 {
        return question.not_applicable("no sample has a usable document");
    }
    let sentence = format!(
        "{} have no record; whether they identify somebody is not checked here, nor is it for the others",
        members.part(places.len())
    );
    question.by_places(
        "no record",
        places,
        sentence,
        "every document has a record; what it claims is not checked",
    )
}

/// Entries that were made from other contents, or of which that cannot be told.
pub(super) fn stale_indexes(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "stale-index",
        code: None,
        weight: Weight::Warning,
        title: "Sampling indexes that look stale",
    };
    let with = |state| places_with(cohort, state);
    let (stale, unchecked) = (with(IndexState::Stale), with(IndexState::Unchecked));
    if stale.is_empty() && unchecked.is_empty() && with(IndexState::Current).is_empty() {
        return question.not_applicable("no sample has a sampling index");
    }
    let groups = [
        ("made from other contents", stale),
        ("cannot be told without reading voxels: digests are missing", unchecked),
    ];
    let groups: Vec<Group> = groups
        .into_iter()
        .filter(|(_, places)| !places.is_empty())
        .map(|(label, places)| Group::new(label, places))
        .collect();
    let sentence = |groups: &[Group]| {
        format!(
            "in {} an entry does not hold by stored digests; its counts are not used",
            cohort.members.part(distinct(groups))
        )
    };
    question.by_groups(
        groups,
        sentence,
        "every entry holds by stored digests; voxels were not compared",
    )
}

/// Annotations of voxels that no entry covers.
pub(super) fn missing_indexes(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "no-index",
        code: None,
        weight: Weight::Info,
        title: "Annotations without a sampling index",
    };
    let is_due = |entry: &CohortEntry| {
        entry.annotations.iter().any(|annotation| annotation.index != IndexState::NotNeeded)
    };
    if cohort.members.places(is_due).is_empty() {
        return question.not_applicable("no sample has an annotation of voxels");
    }
    let places = places_with(cohort, IndexState::Missing);
    let sentence = format!(
        "{} leave annotations out of the index: what is present in them is unknown here",
        cohort.members.part(places.len())
    );
    question.by_places("no entry", places, sentence, "every annotation of voxels has an entry")
}

/// Samples that cannot be verified whole.
pub(super) fn digests(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "no-digests",
        code: None,
        weight: Weight::Warning,
        title: "Samples that cannot be verified whole",
    };
    let members = cohort.members;
    if members.open().next().is_none() {
        return question.not_applicable(NOTHING_OPEN);
    }
    let groups = [
        ("no content_id", members.places(|entry| entry.content_id.is_none())),
        ("data without a digest", members.places(|entry| !entry.undigested.is_empty())),
    ];
    let groups: Vec<Group> = groups
        .into_iter()
        .filter(|(_, places)| !places.is_empty())
        .map(|(label, places)| Group::new(label, places))
        .collect();
    let sentence = |groups: &[Group]| {
        format!("{} lack digests: a change in them would not show", members.part(distinct(groups)))
    };
    question.by_groups(groups, sentence, "every sample has a content_id and digests of all data")
}

fn places_with(cohort: &Cohort<'_>, state: IndexState) -> Vec<usize> {
    cohort
        .members
        .places(|entry| entry.annotations.iter().any(|annotation| annotation.index == state))
}

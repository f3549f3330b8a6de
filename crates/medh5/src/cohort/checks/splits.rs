//! Are the splits sound: claimed by all, without conflict, and nothing on both sides?

use std::collections::{BTreeMap, BTreeSet};

use super::Cohort;
use crate::cohort::check::{Check, Group, Question, Weight};
use crate::cohort::entry::CohortEntry;
use crate::cohort::members::{counted, distinct};

const NO_CLAIM: &str = "no sample claims to be in a split";

/// The part that stands for no decision.
const UNASSIGNED: &str = "unassigned";

/// Samples by part and fold of one split.
type Parts<'a> = BTreeMap<(&'a str, Option<i64>), Vec<usize>>;

/// C203: samples without a claim, where others have one.
pub(super) fn missing(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "no-split-claim",
        code: Some("C203"),
        weight: Weight::Warning,
        title: "Samples without a split claim",
    };
    if has_no_claim(cohort) {
        return question.not_applicable(NO_CLAIM);
    }
    let places = cohort.members.places(|entry| entry.splits.is_empty());
    let sentence = format!("{} claim no split", cohort.members.part(places.len()));
    question.by_places("no claim", places, sentence, "every sample that was opened claims a split")
}

/// C202: samples of one subject, or of subjects that belong together, claim different parts or folds of one split.
pub(super) fn conflicting(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "split-conflict",
        code: Some("C202"),
        weight: Weight::Error,
        title: "A subject on both sides of a split",
    };
    if has_no_claim(cohort) {
        return question.not_applicable(NO_CLAIM);
    }
    let mut groups = Vec::new();
    for together in belonging_together(cohort) {
        let mut claims: BTreeMap<&str, Parts<'_>> = BTreeMap::new();
        let mut subjects = BTreeSet::new();
        for &place in &together {
            let Some(entry) = cohort.members.entry(place) else { continue };
            subjects.extend(entry.subject_id.as_deref());
            for claim in &entry.splits {
                let parts = claims.entry(&claim.set_id).or_default();
                parts.entry((&claim.partition, claim.fold)).or_default().push(place);
            }
        }
        let subjects = subjects.into_iter().collect::<Vec<_>>().join(", ");
        for (set, parts) in claims.into_iter().filter(|(_, parts)| parts.len() > 1) {
            let names: Vec<String> = parts.keys().map(|part| part_name(*part)).collect();
            let mut places: Vec<usize> = parts.into_values().flatten().collect();
            places.sort_unstable();
            places.dedup();
            let label = format!("{subjects}: {} of `{set}`", names.join(" and "));
            groups.push(Group::new(label, places));
        }
    }
    let sentence = |groups: &[Group]| {
        let conflicts = counted(groups.len(), "conflict");
        format!("{conflicts} between the claims of {}", cohort.members.part(distinct(groups)))
    };
    question.by_groups(groups, sentence, "no subject is in two parts of one split")
}

/// The same content, or the same image, in two parts of one split, whosever it is said to be.
pub(super) fn leaking(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "content-leak",
        code: None,
        weight: Weight::Error,
        title: "The same content on both sides of a split",
    };
    if has_no_claim(cohort) {
        return question.not_applicable(NO_CLAIM);
    }
    let members = cohort.members;
    let contents = members.by(|entry| entry.content_id.as_deref());
    let images =
        members.by(|entry| entry.images.iter().filter_map(|image| image.digest.as_deref()));
    if contents.is_empty() && images.is_empty() {
        return question.not_applicable("no sample carries a content_id or a digest of an image");
    }
    let mut groups: BTreeMap<Vec<usize>, Group> = BTreeMap::new();
    for (what, found) in [("content", contents), ("image", images)] {
        for (digest, places) in found.into_iter().filter(|(_, places)| places.len() > 1) {
            for (set, parts) in parts_by_split(cohort, &places) {
                let parts: Vec<&str> = parts.into_iter().collect();
                let label = format!("{what} {digest}: {} of `{set}`", parts.join(" and "));
                // Equal contents have equal images: told once.
                groups.entry(places.clone()).or_insert_with(|| Group::new(label, places.clone()));
            }
        }
    }
    let sentence = |groups: &[Group]| {
        let digests = counted(groups.len(), "content");
        format!("{digests} on both sides of a split, in {}", members.part(distinct(groups)))
    };
    let groups = groups.into_values().collect();
    question.by_groups(
        groups,
        sentence,
        "no content_id and no digest of an image is in two parts of one split",
    )
}

/// The splits of which these samples claim different parts; to be unassigned is no part.
fn parts_by_split<'a>(
    cohort: &Cohort<'a>,
    places: &[usize],
) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut parts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for entry in places.iter().filter_map(|place| cohort.members.entry(*place)) {
        for claim in entry.splits.iter().filter(|claim| claim.partition != UNASSIGNED) {
            parts.entry(&claim.set_id).or_default().insert(&claim.partition);
        }
    }
    parts.retain(|_, parts| parts.len() > 1);
    parts
}

/// Samples that share a subject or a group, directly or through others.
fn belonging_together(cohort: &Cohort<'_>) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..cohort.members.len()).collect();
    for name in [
        |entry: &CohortEntry| entry.subject_id.clone(),
        |entry: &CohortEntry| entry.group_id.clone(),
    ] {
        for places in cohort.members.by(name).into_values() {
            for pair in places.windows(2) {
                if let [a, b] = *pair {
                    let (a, b) = (root(&mut parent, a), root(&mut parent, b));
                    if let Some(slot) = parent.get_mut(b.max(a)) {
                        *slot = a.min(b);
                    }
                }
            }
        }
    }
    let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, _) in cohort.members.open() {
        sets.entry(root(&mut parent, place)).or_default().push(place);
    }
    sets.into_values().collect()
}

/// The first sample of a set; paths are shortened on the way.
fn root(parent: &mut [usize], start: usize) -> usize {
    let mut at = start;
    while let Some(&up) = parent.get(at).filter(|up| **up != at) {
        if let Some(&upper) = parent.get(up)
            && let Some(slot) = parent.get_mut(at)
        {
            *slot = upper;
        }
        at = up;
    }
    at
}

fn part_name((partition, fold): (&str, Option<i64>)) -> String {
    match fold {
        Some(fold) => format!("{partition} fold {fold}"),
        None => partition.to_owned(),
    }
}

fn has_no_claim(cohort: &Cohort<'_>) -> bool {
    cohort.members.places(|entry| !entry.splits.is_empty()).is_empty()
}

//! Could everything be read?

use super::{Cohort, NOTHING_OPEN};
use crate::cohort::check::{Check, Group, Question, Weight};
use crate::cohort::members::distinct;

/// Files that could not be opened, and those that were read in part.
pub(super) fn files(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "unreadable",
        code: None,
        weight: Weight::Error,
        title: "Files that could not be read",
    };
    let members = cohort.members;
    if members.len() == 0 {
        return question.not_applicable("there is no sample");
    }
    let groups: Vec<Group> = members
        .all()
        .filter_map(|(place, entry)| {
            let problem = entry.problems.first()?;
            let label = if entry.is_open {
                format!("read without {}: {}", problem.location, problem.message)
            } else {
                problem.message.clone()
            };
            Some(Group::new(label, vec![place]))
        })
        .collect();
    let sentence = |groups: &[Group]| {
        format!(
            "{} could not be read, or not whole; no other answer covers them",
            members.part(distinct(groups))
        )
    };
    question.by_groups(groups, sentence, format!("all {} were read", members.len()))
}

/// Samples whose document cannot be used.
pub(super) fn documents(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "no-document",
        code: None,
        weight: Weight::Warning,
        title: "Samples without a usable document",
    };
    let members = cohort.members;
    if members.open().next().is_none() {
        return question.not_applicable(NOTHING_OPEN);
    }
    let places = members.places(|entry| !entry.has_document);
    let sentence = format!(
        "{} have no document that can be used: subject, site, classes and splits of them are unknown",
        members.part(places.len())
    );
    question.by_places(
        "no usable document",
        places,
        sentence,
        "every sample that was opened has a document",
    )
}

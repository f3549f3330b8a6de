//! Is something there twice? By what files say of themselves, not by reading voxels.

use std::collections::{BTreeMap, BTreeSet};

use super::{Cohort, NOTHING_OPEN};
use crate::cohort::check::{Check, Group, Question, Weight};
use crate::cohort::members::{counted, distinct};

/// One name, several samples.
pub(super) fn names(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "same-sample-id",
        code: None,
        weight: Weight::Warning,
        title: "Samples of one name",
    };
    let groups = repeated(cohort.members.by(|entry| entry.sample_id.as_deref()));
    if cohort.members.places(|entry| entry.sample_id.is_some()).is_empty() {
        return question.not_applicable("no sample has a name");
    }
    let sentence = |groups: &[Group]| {
        let names = counted(groups.len(), "name");
        format!("{} share {names}", cohort.members.part(distinct(groups)))
    };
    question.by_groups(groups, sentence, "every name is given once")
}

/// One `content_id`, several samples.
pub(super) fn contents(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "same-content",
        code: None,
        weight: Weight::Warning,
        title: "The same content twice",
    };
    if cohort.members.places(|entry| entry.content_id.is_some()).is_empty() {
        return question.not_applicable("no sample carries a content_id");
    }
    let groups = repeated(cohort.members.by(|entry| entry.content_id.as_deref()));
    let sentence = |groups: &[Group]| {
        let contents = counted(groups.len(), "content");
        format!(
            "{} share {contents} by the stored content_id",
            cohort.members.part(distinct(groups))
        )
    };
    question.by_groups(groups, sentence, "every content_id occurs once")
}

/// One image digest in samples whose contents differ: the same voxels under a new name.
pub(super) fn images(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "same-image",
        code: None,
        weight: Weight::Warning,
        title: "The same image in different samples",
    };
    let members = cohort.members;
    if members.open().next().is_none() {
        return question.not_applicable(NOTHING_OPEN);
    }
    let digests =
        members.by(|entry| entry.images.iter().filter_map(|image| image.digest.as_deref()));
    if digests.is_empty() {
        return question.not_applicable("no image carries a digest");
    }
    let is_news = |places: &Vec<usize>| {
        let contents: BTreeSet<_> = places
            .iter()
            .map(|place| members.entry(*place).and_then(|entry| entry.content_id.as_deref()))
            .collect();
        contents.len() > 1 || contents.contains(&None)
    };
    let groups = repeated(digests.into_iter().filter(|(_, places)| is_news(places)).collect());
    let sentence = |groups: &[Group]| {
        let images = counted(groups.len(), "image");
        format!(
            "{} share {images} by digest, though the samples differ",
            members.part(distinct(groups))
        )
    };
    question.by_groups(groups, sentence, "no digest of an image occurs in samples that differ")
}

/// The groups of more than one sample.
fn repeated(groups: BTreeMap<&str, Vec<usize>>) -> Vec<Group> {
    let several = groups.into_iter().filter(|(_, places)| places.len() > 1);
    several.map(|(key, places)| Group::new(key, places)).collect()
}

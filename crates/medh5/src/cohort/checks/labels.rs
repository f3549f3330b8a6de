//! Do all samples speak of the same classes?

use std::collections::BTreeMap;

use super::Cohort;
use crate::cohort::check::{Check, Group, Question, Weight};
use crate::cohort::members::{counted, distinct};

/// C103: samples without a label set.
pub(super) fn missing(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "no-label-set",
        code: Some("C103"),
        weight: Weight::Warning,
        title: "Samples without a label set",
    };
    if cohort.label_sets.is_empty() {
        return question.not_applicable("no sample declares a label set");
    }
    let places = cohort.members.places(|entry| entry.label_set.is_none());
    let sentence = format!(
        "{} declare no label set: their class ids mean whatever a reader takes them for",
        cohort.members.part(places.len())
    );
    question.by_places(
        "no label set",
        places,
        sentence,
        "every sample that was opened declares one",
    )
}

/// C101: more than one label set; the one that most samples use is left unnamed.
pub(super) fn mixed(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "several-label-sets",
        code: Some("C101"),
        weight: Weight::Warning,
        title: "More than one label set",
    };
    let [common, others @ ..] = cohort.label_sets else {
        return question.not_applicable("no sample declares a label set");
    };
    if others.is_empty() {
        return question.clean(format!("all use `{}` {}", common.id, common.version));
    }
    let groups: Vec<Group> = others
        .iter()
        .map(|set| {
            // Eight digits tell sets of one name apart.
            let digest: String = set.digest.chars().take(8).collect();
            Group::new(format!("{} {} ({digest})", set.id, set.version), set.samples.clone())
        })
        .collect();
    let sentence = format!(
        "{} use another label set than `{}` {}, which {} use",
        cohort.members.part(distinct(&groups)),
        common.id,
        common.version,
        common.samples.len()
    );
    question.found(sentence, groups)
}

/// C102: one id, several meanings.
pub(super) fn contradicting(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "class-means-several",
        code: Some("C102"),
        weight: Weight::Error,
        title: "One class id with several meanings",
    };
    by_other(cohort, question, "with several meanings", "id", |id, key| {
        (format!("class {id}"), key.to_owned())
    })
}

/// One key, several ids.
pub(super) fn moved(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "class-has-several-ids",
        code: None,
        weight: Weight::Error,
        title: "One class key with several ids",
    };
    by_other(cohort, question, "with several ids", "key", |id, key| {
        (format!("`{key}`"), id.to_string())
    })
}

/// Groups of what has several others, such as ids with several keys.
fn by_other(
    cohort: &Cohort<'_>,
    question: Question,
    what: &str,
    noun: &str,
    names: impl Fn(i64, &str) -> (String, String),
) -> Check {
    if cohort.label_sets.iter().all(|set| set.is_reference) {
        return question.not_applicable("no label set lists its classes");
    }
    let mut found: BTreeMap<String, BTreeMap<String, Vec<usize>>> = BTreeMap::new();
    for (place, entry) in cohort.members.open() {
        for class in entry.label_set.iter().flat_map(|set| &set.classes) {
            let (one, other) = names(class.id, &class.key);
            found.entry(one).or_default().entry(other).or_default().push(place);
        }
    }
    found.retain(|_, others| others.len() > 1);
    let count = found.len();
    let groups: Vec<Group> = found
        .into_iter()
        .flat_map(|(one, others)| {
            others
                .into_iter()
                .map(move |(other, places)| Group::new(format!("{one}: {other}"), places))
        })
        .collect();
    let sentence = |groups: &[Group]| {
        let samples = cohort.members.part(distinct(groups));
        format!("{} {what}: voxels of {samples} would be mixed up", counted(count, noun))
    };
    let sets = counted(cohort.label_sets.len(), "label set");
    question.by_groups(groups, sentence, format!("nothing contradicts in {sets}"))
}

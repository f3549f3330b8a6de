//! Which images stand out by spacing, shape or orientation among those of their modality?

use std::collections::BTreeMap;

use super::Cohort;
use crate::cohort::check::{Check, Group, Question, Weight};
use crate::cohort::geometry::{GeometryGroup, Property};
use crate::cohort::members::counted;

pub(super) fn spacing(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "spacing-outliers",
        code: None,
        weight: Weight::Warning,
        title: "Unusual spacing",
    };
    minority(cohort, Property::Spacing, question)
}

/// Shapes differ for good reasons more often than not.
pub(super) fn shape(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "shape-outliers",
        code: None,
        weight: Weight::Info,
        title: "Unusual shape",
    };
    minority(cohort, Property::Shape, question)
}

pub(super) fn orientation(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "orientation-outliers",
        code: None,
        weight: Weight::Warning,
        title: "Unusual orientation",
    };
    minority(cohort, Property::Orientation, question)
}

/// Names the images that differ from what most of their modality share; where nothing is shared by most, says so.
fn minority(cohort: &Cohort<'_>, property: Property, question: Question) -> Check {
    let mut modalities: BTreeMap<&str, Vec<&GeometryGroup>> = BTreeMap::new();
    for group in cohort.geometry.iter().filter(|group| group.property == property) {
        modalities.entry(&group.modality).or_default().push(group);
    }
    if modalities.is_empty() {
        return question.not_applicable("no image has a grid that can be read");
    }
    let (mut groups, mut outliers, mut of) = (Vec::new(), 0, 0);
    let mut varied = Vec::new();
    for (modality, found) in modalities {
        let images: usize = found.iter().map(|group| group.images).sum();
        let name = if modality.is_empty() { "images" } else { modality };
        match found.split_first() {
            Some((common, others)) if common.images * 2 > images => {
                of += images;
                outliers += images - common.images;
                groups.extend(others.iter().map(|group| {
                    let label = format!("{name}: {} (usual: {})", group.value, common.value);
                    Group::new(label, group.samples.clone())
                }));
            }
            _ => varied.push(format!("{name} ({} values among {images})", found.len())),
        }
    }
    let word = property.word();
    let no_usual = if varied.is_empty() {
        String::new()
    } else {
        format!("; no {word} is shared by most of {}", varied.join(", "))
    };
    let found = |_: &[Group]| format!("{outliers} of {} differ{no_usual}", counted(of, "image"));
    if of == 0 {
        return question.not_applicable(no_usual.trim_start_matches("; "));
    }
    question.by_groups(
        groups,
        found,
        format!("nothing stands out among {}{no_usual}", counted(of, "image")),
    )
}

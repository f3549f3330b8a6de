//! Instance ids across annotations.

use std::collections::{BTreeMap, BTreeSet};

use crate::ReadError;
use crate::annotations::AnnotationView;
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule =
    Rule::new("check_instance_identity", Level::Semantic, check);

/// What annotations say of one instance.
#[derive(Default)]
struct Sightings {
    classes: BTreeSet<i64>,
    annotations: BTreeSet<usize>,
}

/// W909: an instance that several annotations know has the same class in all of them.
fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let mut instances: BTreeMap<i64, Sightings> = BTreeMap::new();
    for (place, annotation) in context.sample.annotations()?.iter().enumerate() {
        for (instance, class) in classified_instances(annotation)? {
            let sightings = instances.entry(instance).or_default();
            sightings.classes.insert(class);
            sightings.annotations.insert(place);
        }
    }
    for (id, seen) in instances {
        if seen.classes.len() > 1 && seen.annotations.len() > 1 {
            let message = format!("instance {id} has the classes {:?}", seen.classes);
            out.report(codes::W909, "/annotations", message);
        }
    }
    Ok(())
}

/// The instances of an annotation with their classes; none when it does not have both columns, of one length.
fn classified_instances(annotation: &AnnotationView) -> Result<Vec<(i64, i64)>, ReadError> {
    let column = match annotation.dataset("class_ids")? {
        Some(_) => "class_ids",
        None => "polyline_class_ids",
    };
    if annotation.dataset(column)?.is_none() {
        return Ok(Vec::new());
    }
    let Some(instances) = annotation.integers("instance_ids")? else { return Ok(Vec::new()) };
    let classes = annotation.integers(column)?.unwrap_or_default();
    if classes.len() != instances.len() {
        return Ok(Vec::new());
    }
    Ok(instances.into_iter().zip(classes).collect())
}

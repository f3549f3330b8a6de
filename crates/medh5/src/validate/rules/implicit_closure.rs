//! Classifications under implicit closure: what they deny against what they assert.

use std::collections::{BTreeMap, BTreeSet};

use crate::ReadError;
use crate::annotations::{AnnotationView, Kind};
use crate::labels::LabelSet;
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule =
    Rule::new("check_implicit_closure", Level::Semantic, check);

/// W916: where a class is present, no class that it is a kind of is absent.
fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(set) = context.document.as_ref().and_then(|document| document.label_set.as_ref())
    else {
        return Ok(());
    };
    for annotation in context.sample.annotations()? {
        if annotation.kind()? != Some(Kind::Classification)
            || annotation.attributes().text("closure")?.as_deref() != Some("implicit")
        {
            continue;
        }
        if let Some((absent, present)) = contradiction(set, &assertions(&annotation)?) {
            let message = format!("class {absent} is absent where its kind {present} is present");
            out.report(codes::W916, annotation.path(), message);
        }
    }
    Ok(())
}

/// The classes that one scope unit asserts or denies.
#[derive(Default)]
struct Assertions {
    present: BTreeSet<i64>,
    absent: BTreeSet<i64>,
}

/// What a classification says, by scope unit; nothing when its columns do not have one length.
fn assertions(annotation: &AnnotationView) -> Result<Vec<Assertions>, ReadError> {
    let classes = annotation.integers("class_ids")?;
    let values = annotation.floats("values")?;
    let units = annotation.integers("scope_ids")?;
    let Some((classes, values)) = classes.zip(values) else { return Ok(Vec::new()) };
    let units = units.unwrap_or_else(|| vec![0; classes.len()]);
    if classes.len() != values.len() || classes.len() != units.len() {
        return Ok(Vec::new());
    }
    let mut by_unit: BTreeMap<i64, Assertions> = BTreeMap::new();
    for ((class, value), unit) in classes.into_iter().zip(values).zip(units) {
        let assertions = by_unit.entry(unit).or_default();
        // A value that is not a number says neither.
        if value > 0.0 {
            assertions.present.insert(class);
        } else if value <= 0.0 {
            assertions.absent.insert(class);
        }
    }
    Ok(by_unit.into_values().collect())
}

/// The first absent class with a present class below it.
fn contradiction(set: &LabelSet, units: &[Assertions]) -> Option<(i64, i64)> {
    units.iter().find_map(|unit| {
        unit.present.iter().find_map(|&present| {
            let ancestors = set.ancestors(present);
            let absent = ancestors.into_iter().find(|ancestor| unit.absent.contains(ancestor))?;
            Some((absent, present))
        })
    })
}

//! Statements about wholes.

use std::collections::BTreeMap;

use super::Subject;
use super::declarations::word;
use crate::ReadError;
use crate::validate::{Findings, codes};

const SCOPES: [&str; 6] = ["sample", "timepoint", "grid", "roi", "slice", "instance"];

pub(super) fn check(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let scope = scope(subject, out)?;
    let Some(values) = subject.view.floats("values")? else { return Ok(()) };
    probabilities(subject, &values, out);
    single_label(subject, &values, out)?;
    timepoint_indices(subject, scope.as_deref(), out)
}

/// E412: a known scope.
fn scope(subject: &Subject<'_>, out: &mut Findings) -> Result<Option<String>, ReadError> {
    let scope = word(subject, "scope", &SCOPES, out)?;
    if scope.is_none() {
        subject.report(codes::E412, "no `scope`", out);
    }
    Ok(scope)
}

/// E404: values from 0 to 1.
fn probabilities(subject: &Subject<'_>, values: &[f64], out: &mut Findings) {
    if let Some(value) = values.iter().find(|value| !(0.0..=1.0).contains(*value)) {
        subject.report(codes::E404, format!("the value {value} is not from 0 to 1"), out);
    }
}

/// E404: one class at most per unit of the scope, unless several may apply.
fn single_label(
    subject: &Subject<'_>,
    values: &[f64],
    out: &mut Findings,
) -> Result<(), ReadError> {
    let is_multilabel = subject.view.attributes().boolean("multilabel")?.unwrap_or(true);
    if is_multilabel || !subject.is_consistent {
        return Ok(());
    }
    let units = match subject.view.integers("scope_ids")? {
        Some(units) => units,
        None => vec![0; values.len()],
    };
    let mut positives: BTreeMap<i64, usize> = BTreeMap::new();
    for (unit, _) in units.into_iter().zip(values).filter(|(_, value)| **value > 0.0) {
        *positives.entry(unit).or_default() += 1;
    }
    if let Some((unit, count)) = positives.iter().find(|(_, count)| **count > 1) {
        let message = format!("{count} classes apply to unit {unit}, though only one may");
        subject.report(codes::E404, message, out);
    }
    Ok(())
}

/// E409: units that are timepoints exist.
fn timepoint_indices(
    subject: &Subject<'_>,
    scope: Option<&str>,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some(document) = &subject.context.document else { return Ok(()) };
    if scope != Some("timepoint") {
        return Ok(());
    }
    let Some(units) = subject.view.integers("scope_ids")? else { return Ok(()) };
    let count = document.timepoints.len();
    let is_declared = |unit: &i64| usize::try_from(*unit).is_ok_and(|unit| unit < count);
    if let Some(unit) = units.iter().find(|unit| !is_declared(unit)) {
        let message = format!("`scope_ids` has {unit}, but there are {count} timepoints");
        subject.report(codes::E409, message, out);
    }
    Ok(())
}

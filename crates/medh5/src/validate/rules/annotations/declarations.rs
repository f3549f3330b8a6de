//! What an annotation says of itself in its attributes.

use std::collections::BTreeSet;

use super::Subject;
use crate::ReadError;
use crate::annotations::{Family, Kind};
use crate::labels::{Form, is_reserved_class_id};
use crate::validate::{Findings, Level, codes};

const TASKS: [&str; 5] = ["segmentation", "detection", "classification", "registration", "other"];
const CLOSURES: [&str; 2] = ["explicit", "implicit"];

pub(super) fn check(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    required_attributes(subject, out)?;
    task(subject, out)?;
    closure(subject, out)?;
    annotated_classes(subject, out)?;
    known_classes(subject, out);
    reserved_classes(subject, out);
    ignore_id(subject, out)?;
    timepoints(subject, out)?;
    grid(subject, out)
}

/// E412: what no annotation may lack.
fn required_attributes(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let mut missing = Vec::new();
    for name in ["task", "closure", "class_ids"] {
        if !(subject.has(name)? || name == "class_ids" && subject.kind == Kind::Mask) {
            missing.push(name);
        }
    }
    if !missing.is_empty() {
        subject.report(codes::E412, format!("no {}", missing.join(", ")), out);
    }
    Ok(())
}

/// E412: a known task.
fn task(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    word(subject, "task", &TASKS, out)?;
    Ok(())
}

/// E412, W918: a known closure, and one that the kind can have.
fn closure(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let closure = word(subject, "closure", &CLOSURES, out)?;
    let says_all = subject.kind.family() == Family::Voxel && subject.kind != Kind::Mask;
    if says_all
        && closure.as_deref() == Some("implicit")
        && subject.context.level >= Level::Semantic
    {
        let message =
            format!("`closure` is implicit, but {} tells of every voxel", subject.kind.name());
        subject.report(codes::W918, message, out);
    }
    Ok(())
}

/// E412, W913: the attribute `name`, if there is one, is one of `known`.
pub(super) fn word(
    subject: &Subject<'_>,
    name: &str,
    known: &[&str],
    out: &mut Findings,
) -> Result<Option<String>, ReadError> {
    let found = subject.view.attributes().text(name)?;
    if let Some(found) = &found
        && !known.contains(&found.as_str())
    {
        let message = format!("`{name}` is {found:?} (known: {known:?})");
        subject.report(subject.context.unless_projection(codes::E412), message, out);
    }
    Ok(found)
}

/// E412, E403: the classes that were looked for are among those declared.
fn annotated_classes(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    if subject.kind == Kind::Mask {
        return Ok(());
    }
    if !subject.has("annotated_class_ids")? {
        subject.report(codes::E412, "no `annotated_class_ids`", out);
    }
    let annotated = subject.view.annotated_class_set()?;
    let undeclared: Vec<_> = annotated.difference(&subject.classes).collect();
    if subject.has("class_ids")? && !undeclared.is_empty() {
        let message = format!("`annotated_class_ids` has {undeclared:?}, `class_ids` does not");
        subject.report(codes::E403, message, out);
    }
    Ok(())
}

/// E402: the classes are in the label set, if the document spells it out.
fn known_classes(subject: &Subject<'_>, out: &mut Findings) {
    let label_set = subject.context.document.as_ref().and_then(|doc| doc.label_set.as_ref());
    let Some(label_set) = label_set.filter(|label_set| label_set.form == Form::Inline) else {
        return;
    };
    let unknown: BTreeSet<_> =
        subject.classes.iter().filter(|id| label_set.class(**id).is_none()).collect();
    if !unknown.is_empty() {
        let message = format!("classes {unknown:?} are not in the label set");
        subject.report(codes::E402, message, out);
    }
}

/// E303: no class is a reserved one.
fn reserved_classes(subject: &Subject<'_>, out: &mut Findings) {
    let reserved: Vec<_> = subject.classes.iter().filter(|id| is_reserved_class_id(**id)).collect();
    if !reserved.is_empty() {
        subject.report(codes::E303, format!("`class_ids` has the reserved {reserved:?}"), out);
    }
}

/// E404: the value of ignored voxels is not that of a class.
fn ignore_id(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    if !subject.has("ignore_id")? {
        return Ok(());
    }
    let found = subject.view.attributes().integer("ignore_id")?;
    let is_free = |id: &i64| (1..=65_535).contains(id) && !subject.classes.contains(id);
    if !found.as_ref().is_some_and(is_free) {
        let text = subject.view.attributes().text("ignore_id")?.unwrap_or_default();
        let message =
            format!("`ignore_id` is {text}; one integer from 1 to 65535 is due, not a class");
        subject.report(codes::E404, message, out);
    }
    Ok(())
}

/// E409: the document declares the timepoints.
fn timepoints(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(document) = &subject.context.document else { return Ok(()) };
    for id in subject.view.attributes().strings("timepoints")?.unwrap_or_default() {
        if document.timepoint(&id).is_none() {
            subject.report(codes::E409, format!("timepoint {id:?} is not declared"), out);
        }
    }
    Ok(())
}

/// E412, E101: voxels have a grid.
fn grid(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    if subject.kind.family() != Family::Voxel || subject.grid.is_some() {
        return Ok(());
    }
    match subject.view.grid_reference()? {
        None => subject.report(codes::E412, "no `grid`", out),
        Some(name) => subject.report(codes::E101, format!("no grid {name:?}"), out),
    }
    Ok(())
}

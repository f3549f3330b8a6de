//! Events, one by one.

use super::surroundings::Surroundings;
use super::{row_location, unknown_word};
use crate::clinical::vocabulary::{COMPARATORS, EVENT_KINDS, STATUSES, TEMPORAL_TYPES};
use crate::clinical::{Bounds, Event};
use crate::names::is_identifier;
use crate::validate::{Code, Context, Findings, codes};

pub(super) fn check(context: &Context<'_>, surroundings: &Surroundings<'_>, out: &mut Findings) {
    let mut met = std::collections::HashSet::new();
    for event in surroundings.history.events() {
        let location = row_location("events", event.event_id, event.row);
        let mut report = |code: &'static Code, message: String| {
            out.report(code, location.clone(), message);
        };
        identifiers(&event, &mut report);
        if !met.insert(event.event_id) {
            report(
                codes::E809,
                format!("`event_id` is `{}`, as in an earlier row", event.event_id),
            );
        }
        for message in words(&event) {
            report(context.unless_projection(codes::E810), message);
        }
        times(&event, &mut report);
        values(&event, &mut report);
        references(&event, surroundings, &mut report);
        unit(&event, &mut report);
    }
}

type Report<'a> = &'a mut dyn FnMut(&'static Code, String);

/// E809: ids are identifiers; nothing that is stated is empty.
fn identifiers(event: &Event<'_>, report: Report<'_>) {
    for (column, id) in [("event_id", event.event_id), ("record_id", event.record_id)] {
        if !is_identifier(id) {
            report(codes::E809, format!("`{column}` is `{id}`, which is no identifier"));
        }
    }
    let stated = [
        ("timepoint_id", event.timepoint_id),
        ("encounter_id", event.encounter_id),
        ("code_system", event.code_system),
        ("code", event.code),
        ("code_version", event.code_version),
        ("unit", event.unit),
        ("missing_reason", event.missing_reason),
        ("prov", event.prov),
    ];
    for (column, _) in stated.iter().filter(|(_, text)| *text == Some("")) {
        report(codes::E809, format!("`{column}` is empty; what is not stated is null"));
    }
}

/// E810, W913: the words are in their vocabularies.
fn words(event: &Event<'_>) -> Vec<String> {
    let required = [
        ("kind", Some(event.kind), EVENT_KINDS),
        ("temporal_type", Some(event.temporal_type), TEMPORAL_TYPES),
        ("status", Some(event.status), STATUSES),
        ("value_comparator", event.value_comparator, COMPARATORS),
    ];
    let unknown = required
        .iter()
        .filter_map(|(column, word, vocabulary)| unknown_word(column, (*word)?, vocabulary));
    unknown.collect()
}

/// E811: bounds come in pairs and in order, and fit how the event lies in time.
fn times(event: &Event<'_>, report: Report<'_>) {
    let (start, end) = (event.effective_start, event.effective_end);
    pair("effective_start", start, report);
    pair("effective_end", end, report);
    pair("available", event.available, report);
    let (start, end) = (start.known(), end.known());
    match event.temporal_type {
        "point" => {
            if start.is_none() {
                report(codes::E811, "a `point` needs `effective_start`".to_owned());
            }
            if end.is_some() {
                report(codes::E811, "a `point` has no `effective_end`".to_owned());
            }
        }
        "interval" => {
            if start.is_none() {
                report(codes::E811, "an `interval` needs `effective_start`".to_owned());
            }
            if let (Some((first, _)), Some((_, last))) = (start, end)
                && first > last
            {
                report(codes::E811, format!("starts at {first} at the earliest, ends by {last}"));
            }
        }
        "static" | "unknown" if start.is_some() || end.is_some() => {
            report(codes::E811, format!("`{}` has no start and no end", event.temporal_type));
        }
        _ => {}
    }
}

fn pair(name: &str, bounds: Bounds, report: Report<'_>) {
    if bounds.is_half() {
        report(codes::E811, format!("`{name}` has only one of its bounds"));
    }
    if let Some((lo, hi)) = bounds.known().filter(|(lo, hi)| lo > hi) {
        report(codes::E811, format!("`{name}` runs from {lo} to {hi}"));
    }
}

/// E812: code, value, comparator, unit and missing reason go together.
fn values(event: &Event<'_>, report: Report<'_>) {
    let mut flaw = |is_flaw: bool, message: &str| {
        if is_flaw {
            report(codes::E812, message.to_owned());
        }
    };
    flaw(
        event.code_system.is_some() != event.code.is_some(),
        "`code_system` and `code` are stated together or not at all",
    );
    flaw(
        event.value_num.is_none() && (event.value_comparator.is_some() || event.unit.is_some()),
        "`value_comparator` and `unit` need `value_num`",
    );
    flaw(
        event.value_num.is_some() && event.value_text.is_some(),
        "a value is either `value_num` or `value_text`",
    );
    flaw(
        event.missing_reason.is_some() && event.has_value(),
        "`missing_reason` is stated, and so is a value",
    );
    flaw(
        event.kind == "observation" && event.has_value() && event.code.is_none(),
        "an observation with a value needs a code",
    );
}

/// E813: the timepoint and the activity are declared.
fn references(event: &Event<'_>, surroundings: &Surroundings<'_>, report: Report<'_>) {
    if let Some(id) = event.timepoint_id.filter(|id| !id.is_empty())
        && !surroundings.has_timepoint(id)
    {
        report(codes::E813, format!("`timepoint_id` is `{id}`, which is not declared"));
    }
    if let Some(id) = event.prov.filter(|id| !id.is_empty())
        && !surroundings.has_activity(id)
    {
        report(codes::E813, format!("`prov` is `{id}`, which is no activity"));
    }
}

/// W914: a number has a unit.
fn unit(event: &Event<'_>, report: Report<'_>) {
    if event.value_num.is_some() && event.unit.is_none() {
        report(codes::W914, "`value_num` without `unit`; `1` stands for none".to_owned());
    }
}

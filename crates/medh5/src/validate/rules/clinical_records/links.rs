//! Links, one by one.

use super::spans::Spans;
use super::surroundings::Surroundings;
use super::{row_location, unknown_word};
use crate::ReadError;
use crate::clinical::Link;
use crate::clinical::vocabulary::{ENDPOINT_TYPES, RELATIONS};
use crate::validate::{Code, Context, Findings, codes};

pub(super) fn check(
    context: &Context<'_>,
    surroundings: &Surroundings<'_>,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let mut spans = Spans::default();
    for link in surroundings.history.links() {
        let location = row_location("links", "", link.row);
        spans.add(&link, surroundings, &location, out);
        let mut report = |code: &'static Code, message: String| {
            out.report(code, location.clone(), message);
        };
        for message in words(&link) {
            report(context.unless_projection(codes::E810), message);
        }
        identifiers(&link, &mut report);
        references(&link, surroundings, &mut report);
        instance(&link, surroundings, &mut report);
        imaging(&link, surroundings, &mut report);
        if link.relation == "supersedes" && !link.relates("event", "event") {
            report(codes::E816, "`supersedes` relates two events".to_owned());
        }
    }
    spans.check(surroundings.history, out)
}

type Report<'a> = &'a mut dyn FnMut(&'static Code, String);

/// E810, W913: the words are in their vocabularies.
fn words(link: &Link<'_>) -> Vec<String> {
    let words = [
        ("source_type", link.source.endpoint_type, ENDPOINT_TYPES),
        ("target_type", link.target.endpoint_type, ENDPOINT_TYPES),
        ("relation", link.relation, RELATIONS),
    ];
    let unknown = words
        .iter()
        .filter_map(|(column, word, vocabulary)| unknown_word(column, word, vocabulary));
    unknown.collect()
}

/// E809: ids are not empty.
fn identifiers(link: &Link<'_>, report: Report<'_>) {
    let ids = [
        ("source_id", Some(link.source.id)),
        ("target_id", Some(link.target.id)),
        ("target_annotation_id", link.target_annotation_id),
        ("asserted_by_event_id", link.asserted_by_event_id),
    ];
    for (column, _) in ids.iter().filter(|(_, id)| *id == Some("")) {
        report(codes::E809, format!("`{column}` is empty"));
    }
}

/// E813: what a link names exists.
fn references(link: &Link<'_>, surroundings: &Surroundings<'_>, report: Report<'_>) {
    for (end, endpoint) in [("source", link.source), ("target", link.target)] {
        if !endpoint.id.is_empty() && surroundings.resolves(endpoint) == Some(false) {
            let message = format!(
                "the {end} is {} `{}`, which is not here",
                endpoint.endpoint_type, endpoint.id
            );
            report(codes::E813, message);
        }
    }
    if let Some(id) = link.asserted_by_event_id.filter(|id| !id.is_empty())
        && surroundings.event(id).is_none()
    {
        report(codes::E813, format!("`asserted_by_event_id` is `{id}`, which is no event"));
    }
    if let Some(name) = link.target_annotation_id.filter(|name| !surroundings.has_annotation(name))
    {
        report(codes::E813, format!("`target_annotation_id` is `{name}`, which is no annotation"));
    }
}

/// E814: an annotation qualifies an instance, and has it.
fn instance(link: &Link<'_>, surroundings: &Surroundings<'_>, report: Report<'_>) {
    let Some(annotation) = link.target_annotation_id else { return };
    if link.target.endpoint_type != "instance" {
        report(codes::E814, "`target_annotation_id` is for instances only".to_owned());
    } else if surroundings.has_annotation(annotation)
        && !surroundings.annotation_has(annotation, link.target.id)
    {
        let message = format!("`{annotation}` has no instance `{}`", link.target.id);
        report(codes::E814, message);
    }
}

/// E814: an imaging event and the image that it describes are of one timepoint.
fn imaging(link: &Link<'_>, surroundings: &Surroundings<'_>, report: Report<'_>) {
    if link.relation != "describes" || !link.relates("event", "image") {
        return;
    }
    let Some(event) = surroundings.event(link.source.id) else { return };
    let timepoints = event.timepoint_id.zip(surroundings.timepoint_of_image(link.target.id));
    if let Some((of_event, of_image)) = timepoints
        && event.kind == "imaging"
        && of_event != of_image
    {
        report(codes::E814, format!("the event is of `{of_event}`, the image of `{of_image}`"));
    }
}

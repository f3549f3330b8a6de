//! Documents, one by one.

use std::collections::HashSet;

use super::{row_location, unknown_word};
use crate::clinical::History;
use crate::clinical::vocabulary::MEDIA_TYPES;
use crate::names::is_identifier;
use crate::validate::{Context, Findings, codes};

/// E809, E810, W913: ids are identifiers and differ, nothing that is stated is empty, the media type is known.
pub(super) fn check(context: &Context<'_>, history: &History, out: &mut Findings) {
    let mut met = HashSet::new();
    for document in history.documents() {
        let id = document.document_id;
        let location = row_location("documents", id, document.row);
        if !is_identifier(id) {
            let message = format!("`document_id` is `{id}`, which is no identifier");
            out.report(codes::E809, &location, message);
        }
        if !met.insert(id) {
            let message = format!("`document_id` is `{id}`, as in an earlier row");
            out.report(codes::E809, &location, message);
        }
        let stated = [("language", document.language), ("source_type", document.source_type)];
        for (column, _) in stated.iter().filter(|(_, text)| *text == Some("")) {
            let message = format!("`{column}` is empty; what is not stated is null");
            out.report(codes::E809, &location, message);
        }
        if let Some(message) = unknown_word("media_type", document.media_type, MEDIA_TYPES) {
            out.report(context.unless_projection(codes::E810), &location, message);
        }
    }
}

//! Whose text a document is.

use std::collections::{BTreeMap, BTreeSet};

use super::row_location;
use super::surroundings::Surroundings;
use crate::validate::{Findings, codes};

/// E815: each document is described by exactly one document event, and none describes two.
pub(super) fn check(surroundings: &Surroundings<'_>, out: &mut Findings) {
    let mut owners: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut owned: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for link in surroundings.history.links() {
        let is_ownership = link.relation == "describes" && link.relates("event", "document");
        let owner = surroundings.event(link.source.id).filter(|owner| owner.kind == "document");
        if is_ownership && owner.is_some() {
            owners.entry(link.target.id).or_default().insert(link.source.id);
            if surroundings.document(link.target.id).is_some() {
                owned.entry(link.source.id).or_default().insert(link.target.id);
            }
        }
    }
    for document in surroundings.history.documents() {
        let id = document.document_id;
        let owners = owners.get(id).map_or(0, BTreeSet::len);
        if owners != 1 {
            let message = format!("{owners} document events describe it; exactly one owns a text");
            out.report(codes::E815, row_location("documents", id, document.row), message);
        }
    }
    for (event, documents) in owned.iter().filter(|(_, documents)| documents.len() > 1) {
        let row = surroundings.event(event).map_or(0, |event| event.row);
        let message = format!("describes {} documents; a document event owns one", documents.len());
        out.report(codes::E815, row_location("events", event, row), message);
    }
}

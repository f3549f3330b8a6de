//! Statements on the presence of one lesion.

use std::collections::HashSet;

use super::row_location;
use crate::clinical::History;
use crate::clinical::vocabulary::{LESION_PRESENCE, LESION_VALUES};
use crate::validate::{Findings, codes};

/// E817: such a statement is an assessment, in its vocabulary, of a timepoint, and names the instance.
pub(super) fn check(history: &History, out: &mut Findings) {
    let assessing: HashSet<&str> = history
        .links()
        .filter(|link| link.relation == "assesses" && link.relates("event", "instance"))
        .map(|link| link.source.id)
        .collect();
    for event in history.events() {
        if event.code_system.zip(event.code) != Some(LESION_PRESENCE) {
            continue;
        }
        let conditions = [
            (event.kind == "assessment", "is of kind `assessment`"),
            (
                event.value_text.is_some_and(|value| LESION_VALUES.contains(&value)),
                "has one of the values for lesions",
            ),
            (event.timepoint_id.is_some(), "names its timepoint"),
            (assessing.contains(event.event_id), "`assesses` an instance by a link"),
        ];
        for (_, expected) in conditions.iter().filter(|(holds, _)| !holds) {
            let location = row_location("events", event.event_id, event.row);
            out.report(codes::E817, location, format!("a statement on a lesion {expected}"));
        }
    }
}

//! Whether a label set is there where a profile needs one.

use crate::ReadError;
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule = Rule::new("check_label_set", Level::Semantic, check);

/// The profiles that are about classes.
const PROFILES: [&str; 3] = ["seg", "det", "cls"];

/// E301: a profile that is about classes has a label set.
#[expect(clippy::unnecessary_wraps, reason = "all rules have this form")]
fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(document) = &context.document else { return Ok(()) };
    let held: Vec<_> = PROFILES.into_iter().filter(|profile| context.holds(profile)).collect();
    if !held.is_empty() && document.label_set.is_none() {
        let message = format!("no label set, which {} needs", held.join(", "));
        out.report(codes::E301, "/meta#label_set", message);
    }
    Ok(())
}

//! The sample document `/meta`: text, structure, and what its parts must agree on.

use crate::ReadError;
use crate::validate::{Context, Findings, Level, Rule};

pub(in crate::validate) const RULE: Rule = Rule::new("check_document", Level::Structural, check);

/// E003, E004, E005, E108, E302 to E306, E603, E604, W913: what was found when the document was read for all rules.
fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    out.append(context.document_findings.clone()?);
    Ok(())
}

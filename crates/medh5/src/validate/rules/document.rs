//! The sample document `/meta`: text, structure, and what its parts must agree on.

use crate::ReadError;
use crate::validate::{Context, Findings, Level, Rule};

pub(in crate::validate) const RULE: Rule = Rule::new("check_document", Level::Structural, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let _ = (context, out);
    Ok(())
}

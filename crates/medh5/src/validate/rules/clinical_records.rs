//! Clinical events, documents and links: what their rows say.

use crate::ReadError;
use crate::validate::{Context, Findings, Level, Rule};

pub(in crate::validate) const RULE: Rule =
    Rule::new("check_clinical_records", Level::Semantic, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let _ = (context, out);
    Ok(())
}

//! That every clinical dataset has a digest.

use crate::ReadError;
use crate::validate::{Context, Findings, Level, Rule};

pub(in crate::validate) const RULE: Rule =
    Rule::new("check_clinical_digests", Level::Integrity, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let _ = (context, out);
    Ok(())
}

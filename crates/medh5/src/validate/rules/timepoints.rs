//! Grids against the timepoints that the document declares.

use crate::ReadError;
use crate::validate::{Context, Findings, Level, Rule};

pub(in crate::validate) const RULE: Rule = Rule::new("check_timepoints", Level::Semantic, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let _ = (context, out);
    Ok(())
}

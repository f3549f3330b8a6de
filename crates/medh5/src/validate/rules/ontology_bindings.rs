//! Classes in use against their ontology codes.

use std::collections::BTreeSet;

use crate::ReadError;
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule =
    Rule::new("check_ontology_bindings", Level::Semantic, check);

/// W912: every class of the label set that an annotation uses has an ontology code.
fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(set) = context.document.as_ref().and_then(|document| document.label_set.as_ref())
    else {
        return Ok(());
    };
    let mut used = BTreeSet::new();
    for annotation in context.sample.annotations()? {
        used.extend(annotation.class_set()?);
    }
    used.retain(|&id| set.class(id).is_some_and(|class| class.codes.is_empty()));
    if !used.is_empty() {
        let message = format!("classes in use without an ontology code: {used:?}");
        out.report(codes::W912, "/meta#label_set", message);
    }
    Ok(())
}

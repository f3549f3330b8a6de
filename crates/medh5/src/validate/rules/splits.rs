//! Split claims that contradict one another.

use std::collections::{BTreeMap, BTreeSet};

use crate::ReadError;
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule = Rule::new("check_splits", Level::Semantic, check);

/// W906: all claims about one set were made from the same list.
#[expect(clippy::unnecessary_wraps, reason = "all rules have this form")]
fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(document) = &context.document else { return Ok(()) };
    let mut manifests: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for claim in &document.splits {
        if let Some(manifest) = claim.manifest_sha256.as_deref().filter(|text| !text.is_empty()) {
            manifests.entry(&claim.set_id).or_default().insert(manifest);
        }
    }
    for (set, manifests) in manifests.iter().filter(|(_, manifests)| manifests.len() > 1) {
        let message = format!("set {set:?} is claimed from {} different lists", manifests.len());
        out.report(codes::W906, "/meta#splits", message);
    }
    Ok(())
}

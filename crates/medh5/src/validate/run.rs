//! Runs the rules over a sample.

use super::codes;
use super::rules::RULES;
use super::{Context, Findings, Rule};
use crate::ReadError;

/// The findings of all rules, and the names of those that ran.
pub(super) struct Outcome {
    pub(super) findings: Findings,
    pub(super) rules: Vec<&'static str>,
}

/// Runs every rule of the context's level, in the order of the table.
///
/// An unknown major version (`E002`) ends the run after the rule that finds it.
pub(super) fn run(context: &Context<'_>) -> Result<Outcome, ReadError> {
    let mut outcome =
        Outcome { findings: Findings::limited_to(context.max_findings), rules: Vec::new() };
    for rule in RULES.iter().filter(|rule| rule.level <= context.level) {
        context.checkpoint(0)?;
        outcome.findings.append(run_rule(rule, context)?);
        outcome.rules.push(rule.name);
        if outcome.findings.contains(codes::E002) {
            break;
        }
    }
    Ok(outcome)
}

/// Runs one rule. A read that fails outside a single object costs the rule all its findings.
fn run_rule(rule: &Rule, context: &Context<'_>) -> Result<Findings, ReadError> {
    let mut findings = Findings::limited_to(context.max_findings);
    findings.object("/", |out| (rule.check)(context, out))?;
    Ok(findings)
}

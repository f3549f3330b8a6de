//! Runs the rules over a sample.

use super::codes;
use super::rules::RULES;
use super::{Context, Findings, Question, Rule, What, pause};
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
        outcome.findings.append(remembered(rule, context)?);
        outcome.rules.push(rule.name);
        if outcome.findings.contains(codes::E002) {
            break;
        }
    }
    Ok(outcome)
}

/// The findings of a rule, from the memo if it has run before.
fn remembered(rule: &Rule, context: &Context<'_>) -> Result<Findings, ReadError> {
    let address = context.sample.root().address();
    let question = Question { address, what: What::Rule(rule.name, context.sample.prefix()) };
    let memo = context.observer.memo();
    if let Some(known) = memo.and_then(|memo| memo.get(&question)) {
        return Ok(known);
    }
    let findings = run_rule(rule, context)?;
    context.observer.found(&context.sample.prefix(), findings.as_slice());
    if let Some(memo) = memo {
        memo.keep(question, findings.clone());
        pause(context.observer)?;
    }
    Ok(findings)
}

/// Runs one rule. A read that fails outside a single object costs the rule all its findings.
fn run_rule(rule: &Rule, context: &Context<'_>) -> Result<Findings, ReadError> {
    let mut findings = Findings::limited_to(context.max_findings);
    findings.object("/", |out| (rule.check)(context, out))?;
    Ok(findings)
}

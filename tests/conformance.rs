//! The published suite: the verdicts it expects, and the reference's own reports at every level, finding by finding.

use std::collections::BTreeSet;
use std::fs;

use oracles::{scratch, verdicts};
use serde_json::Value;

/// As `expected.json` says: errors and warnings as sets, at the level that each case names.
#[test]
fn every_case_of_the_suite_gets_the_expected_codes() {
    let suite = scratch::folder("suite");
    let text = fs::read_to_string(suite.join("expected.json")).expect("the published cases");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let cases = document["cases"].as_array().expect("a list of cases");
    assert!(cases.len() >= 175, "{} cases", cases.len());
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let file = case["file"].as_str().expect("a file");
            let level = verdicts::LEVELS
                .iter()
                .find(|(name, _)| case["level"] == **name)
                .expect("a level")
                .1;
            let ours = verdicts::ours(&suite.join(file), level);
            let expected = [codes(&case["expect_errors"]), codes(&case["expect_warnings"])];
            let found = [found(&ours, "error"), found(&ours, "warning")];
            (found != expected).then(|| format!("{file}: expected {expected:?}, found {found:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

fn codes(list: &Value) -> BTreeSet<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn found<'v>(report: &'v Value, severity: &str) -> BTreeSet<&'v str> {
    let diagnostics = report["diagnostics"].as_array().into_iter().flatten();
    diagnostics
        .filter(|found| found["severity"] == severity)
        .filter_map(|found| found["code"].as_str())
        .collect()
}

#[test]
fn structural_reports_are_the_references() {
    compare("structural");
}

#[test]
fn semantic_reports_are_the_references() {
    compare("semantic");
}

#[test]
fn integrity_reports_are_the_references() {
    compare("integrity");
}

#[test]
fn strict_reports_are_the_references() {
    compare("strict");
}

/// File by file, code by code, location by location, in the same order.
fn compare(name: &str) {
    let suite = scratch::folder("suite");
    let level = verdicts::LEVELS.iter().find(|(known, _)| *known == name).expect("a level").1;
    let reference = verdicts::of_the_reference(&scratch::folder("verdicts"), name);
    assert!(reference.len() >= 175, "{} reports", reference.len());
    let wrong: Vec<String> = reference
        .iter()
        .filter_map(|(file, theirs)| {
            let found = verdicts::difference(theirs, &verdicts::ours(&suite.join(file), level))?;
            Some(format!("{file}: {}", found.text()))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {} files:\n{}",
        wrong.len(),
        reference.len(),
        wrong.join("\n")
    );
}

//! The code table agrees with the normative one, and every code has its page.

use std::fs;

use medh5::validate::Severity;
use medh5::validate::codes::ALL;
use oracles::scratch;
use serde_json::Value;

/// What every page has, in this order.
const HEADINGS: &[&str] = &[
    "## What it means",
    "## Why it matters",
    "## Example",
    "## How to repair",
    "## Specification",
];

/// Names, severities, domains, format versions and revisions, as the reference publishes them.
#[test]
fn the_table_is_the_published_one() {
    let path = scratch::folder("suite").join("codes.json");
    let document: Value =
        serde_json::from_str(&fs::read_to_string(path).expect("the published table"))
            .expect("JSON");
    let text = |code: &Value, key: &str| code[key].as_str().unwrap_or_default().to_owned();
    let theirs: Vec<[String; 5]> = document["codes"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|code| {
            let revision = code["revision"].to_string();
            [
                text(code, "code"),
                text(code, "severity"),
                text(code, "domain"),
                text(code, "since"),
                revision,
            ]
        })
        .collect();
    let ours: Vec<[String; 5]> = ALL
        .iter()
        .map(|code| {
            [
                code.name.to_owned(),
                code.severity.name().to_owned(),
                code.domain.name().to_owned(),
                code.since.to_owned(),
                code.revision.to_string(),
            ]
        })
        .collect();
    assert_eq!(ours, theirs);
}

#[test]
fn a_name_says_the_severity() {
    for code in ALL {
        let expected = if code.name.starts_with('E') { Severity::Error } else { Severity::Warning };
        assert_eq!(code.severity, expected, "{}", code.name);
    }
}

#[test]
fn every_code_has_a_page_with_an_example_of_it() {
    for code in ALL {
        let page = code.page;
        assert!(page.starts_with(&format!("# {}\n", code.name)), "{}: the title", code.name);
        let places: Vec<usize> = HEADINGS
            .iter()
            .map(|heading| {
                page.find(heading).unwrap_or_else(|| panic!("{}: no `{heading}`", code.name))
            })
            .collect();
        assert!(places.is_sorted(), "{}: the order of the headings", code.name);
        let example = &page[places[2]..places[3]];
        assert!(example.contains("```edit"), "{}: no edits in the example", code.name);
        assert!(
            example.contains(&format!("{} @ ", code.name)),
            "{}: the example does not give it",
            code.name
        );
    }
}

/// A page without a line in the table would never be read.
#[test]
fn every_page_has_a_code() {
    let folder = scratch::workspace().join("crates/medh5/src/validate/codes");
    for path in scratch::files(&folder, ".md") {
        let name = scratch::name_of(&path);
        assert!(
            ALL.iter().any(|code| format!("{}.md", code.name) == name),
            "{name} has no line in the table"
        );
    }
}

//! Mutants of valid files get the reference's verdict at every level.
//!
//! The quick set is made by `cargo xtask setup`; `cargo xtask differential` makes more and names their folder in
//! `MEDH5_LITE_MUTANTS`.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use oracles::scratch;
use oracles::verdicts::{self, Difference};
use serde_json::Value;

/// Locations must agree too, in all reports but one in this many.
const MISPLACED_ONE_IN: usize = 100;

fn folder() -> PathBuf {
    std::env::var_os("MEDH5_LITE_MUTANTS").map_or_else(|| scratch::folder("mutants"), PathBuf::from)
}

/// A mutant as `mutate.py` describes it.
struct Mutant {
    file: String,
    done: String,
    covered: bool,
}

fn mutants() -> Vec<Mutant> {
    let text = fs::read_to_string(folder().join("mutants.json")).expect("run `cargo xtask setup`");
    let list: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    assert!(list.len() >= 200, "only {} mutants", list.len());
    let bases: BTreeSet<&str> = list.iter().filter_map(|mutant| mutant["base"].as_str()).collect();
    assert!(bases.len() >= 20, "mutants of only {} files", bases.len());
    list.iter()
        .map(|mutant| Mutant {
            file: mutant["file"].as_str().unwrap_or_default().to_owned(),
            done: mutant["done"].to_string(),
            covered: mutant["covered"] == true,
        })
        .collect()
}

#[test]
fn mutants_get_the_references_verdict() {
    let folder = folder();
    let known = divergences();
    let mut wrong = Vec::new();
    let (mut reports, mut misplaced) = (0, Vec::new());
    for (name, level) in verdicts::LEVELS {
        let reference = verdicts::of_the_reference(&folder, name);
        for mutant in mutants() {
            let theirs = &reference[&mutant.file];
            reports += 1;
            let found =
                verdicts::difference(theirs, &verdicts::ours(&folder.join(&mutant.file), level));
            let described =
                |text: &str| format!("{name} {}: {text}\n    {}", mutant.file, mutant.done);
            match found {
                Some(Difference::Codes(text)) if !known.contains(&mutant.file) => {
                    wrong.push(described(&text));
                }
                Some(Difference::Locations(text) | Difference::Rest(text)) => {
                    misplaced.push(described(&text));
                }
                _ => {}
            }
        }
    }
    println!(
        "{reports} reports, {} with other codes, {} with other places or counts",
        wrong.len(),
        misplaced.len()
    );
    assert!(
        wrong.is_empty(),
        "{} of {reports} reports have other codes:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        misplaced.len() * MISPLACED_ONE_IN <= reports,
        "{} of {reports} reports differ in places or counts:\n{}",
        misplaced.len(),
        misplaced.join("\n")
    );
}

/// One file for each branch of a rule that chance seldom reaches: the same codes at the same places.
#[test]
fn branches_of_rules_get_the_references_verdict() {
    let folder = scratch::folder("branches");
    let mut wrong = Vec::new();
    for (name, level) in verdicts::LEVELS {
        let reference = verdicts::of_the_reference(&folder, name);
        assert!(reference.len() >= 180, "only {} files", reference.len());
        for (file, theirs) in &reference {
            let found = verdicts::difference(theirs, &verdicts::ours(&folder.join(file), level));
            wrong.extend(found.map(|difference| format!("{name} {file}: {}", difference.text())));
        }
    }
    assert!(wrong.is_empty(), "{} reports:\n{}", wrong.len(), wrong.join("\n"));
}

/// Whatever else is said of it: bytes that a digest covers have changed, so it cannot pass.
#[test]
fn a_mutant_whose_covered_bytes_changed_never_passes() {
    let mut judged = 0;
    for mutant in mutants().into_iter().filter(|mutant| mutant.covered) {
        let report =
            verdicts::ours(&folder().join(&mutant.file), medh5::validate::Level::Integrity);
        assert_eq!(report["ok"], false, "{}: {}", mutant.file, mutant.done);
        judged += 1;
    }
    assert!(judged >= 20, "only {judged} mutants");
}

/// The mutants that are allowed to differ, each with its reason in the file.
fn divergences() -> BTreeSet<String> {
    let path = scratch::workspace().join("tests/fixtures/divergences.toml");
    let text = fs::read_to_string(&path).expect("the list of divergences");
    let document: toml::Table =
        text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let entries =
        document.get("divergence").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let named = |entry: &toml::Value| -> Vec<String> {
        assert!(
            entry
                .get("reason")
                .and_then(toml::Value::as_str)
                .is_some_and(|reason| reason.len() > 20),
            "a reason: {entry}"
        );
        let mutants =
            entry.get("mutants").and_then(toml::Value::as_array).cloned().unwrap_or_default();
        mutants.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect()
    };
    entries.iter().flat_map(named).collect()
}

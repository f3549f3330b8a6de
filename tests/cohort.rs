//! The audit of a cohort with planted problems finds each of them and nothing else, and agrees with the reference.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use oracles::{program, scratch};
use serde_json::Value;

/// Found as well, in so many samples that the script does not list them: other label sets contradict each other.
const EVERYWHERE: [&str; 3] =
    ["class-means-several", "class-has-several-ids", "class-partly-examined"];

fn audit(arguments: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(program::path())
        .current_dir(scratch::folder("cohort").join("files"))
        .args([&["audit"], arguments].concat())
        .output()
        .expect("the program runs");
    (String::from_utf8(output.stdout).expect("UTF-8"), output.status.code())
}

fn found() -> Value {
    let (text, code) = audit(&["--json", "."]);
    assert_eq!(code, Some(1), "a cohort with unreadable files and conflicts is not in order");
    serde_json::from_str(&text).expect("JSON")
}

fn read(name: &str) -> Value {
    let path = scratch::folder("cohort").join(name);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// `good-1` for `./good-1.medh5`.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split(".medh5").next().unwrap_or(name)
}

/// The samples that each check found, by its name or its code.
fn by(audit: &Value, key: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut checks = BTreeMap::new();
    for check in list(&audit["checks"]).filter(|check| check["outcome"] == "found") {
        let samples = list(&check["groups"]).flat_map(|group| list(&group["samples"]));
        let paths = samples.map(|place| {
            let place = usize::try_from(place.as_u64().expect("a place")).expect("a place");
            stem(text(&audit["samples"][place]["path"])).to_owned()
        });
        checks.insert(text(&check[key]).to_owned(), paths.collect());
    }
    checks
}

#[test]
fn every_planted_problem_is_found_and_nothing_else() {
    let mut checks = by(&found(), "name");
    for name in EVERYWHERE {
        assert!(checks.remove(name).is_some_and(|samples| !samples.is_empty()), "{name}");
    }
    let expected: BTreeMap<String, BTreeSet<String>> =
        serde_json::from_value(read("expected.json")).expect("lists by check");
    for (name, samples) in &expected {
        assert_eq!(checks.get(name), Some(samples), "{name}");
    }
    assert_eq!(checks.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
}

#[test]
fn what_the_reference_asks_is_answered_alike() {
    let ours = by(&found(), "code");
    let theirs = read("reference.json");
    let codes: Vec<&str> = list(&theirs["findings"]).map(|one| text(&one["code"])).collect();
    assert!(codes.len() >= 6, "{codes:?}");
    for finding in list(&theirs["findings"]) {
        let code = text(&finding["code"]);
        let samples = ours.get(code).unwrap_or_else(|| panic!("{code} is not found"));
        // The others list examples, subjects or nothing.
        if ["C103", "C203", "C501"].contains(&code) {
            let where_: BTreeSet<String> =
                list(&finding["where"]).map(|path| stem(text(path)).to_owned()).collect();
            assert_eq!(samples, &where_, "{code}");
        }
    }
    let extra: Vec<&String> =
        ours.keys().filter(|code| !code.is_empty() && !codes.contains(&code.as_str())).collect();
    assert!(extra.is_empty(), "{extra:?} are ours alone");
}

/// The reference counts samples by class in its manifest.
#[test]
fn coverage_is_the_references() {
    let audit = found();
    for (class, theirs) in read("reference.json")["coverage"].as_object().expect("classes") {
        let id: Option<u64> = class.parse().ok();
        let rows = list(&audit["classes"]["rows"]).filter(|row| row["class_id"].as_u64() == id);
        let examined: BTreeSet<u64> = rows
            .flat_map(|row| list(&row["cells"]))
            .flat_map(|cell| list(&cell["examined"]).filter_map(Value::as_u64))
            .collect();
        assert_eq!(theirs["examined_in"].as_u64(), Some(examined.len() as u64), "class {class}");
    }
}

#[test]
fn the_numbers_are_those_of_the_files() {
    let audit = found();
    let files = scratch::files(&scratch::folder("cohort").join("files"), ".medh5");
    // The collection holds two samples.
    assert_eq!(audit["totals"]["samples"].as_u64(), Some(files.len() as u64 + 1));
    assert_eq!(audit["totals"]["unreadable"], 2);
    assert_eq!(audit["label_sets"].as_array().map(Vec::len), Some(2));
    let difference = &audit["label_differences"][0];
    for (kind, id) in [("added", 8), ("renamed", 1), ("redefined", 2), ("recolored", 1)] {
        assert_eq!(difference[kind][0]["id"], id, "{kind}");
        assert_eq!(difference[kind].as_array().map(Vec::len), Some(1), "{kind}");
    }
    assert_eq!(difference["moved"][0]["to_id"], 7);
    // Three voxels by three by one to three: what the script paints.
    let liver = &audit["classes"]["rows"][0];
    let columns = list(&audit["classes"]["columns"]).zip(list(&liver["cells"]));
    let east = columns.into_iter().find(|(column, _)| column["site_id"] == "east").expect("a site");
    assert_eq!(
        (&east.1["voxels"], east.1["present"].as_array().map(Vec::len)),
        (&18.into(), Some(2))
    );
}

#[test]
fn reports_hold_what_the_answer_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let report = |form: &str| format!("{form}={}", path(form));
    let reports = ["json", "csv", "samples", "html"].map(report);
    let mut arguments = vec!["."];
    for report in &reports {
        arguments.extend(["--report", report]);
    }
    let (shown, _) = audit(&arguments);
    let written = |name: &str| fs::read_to_string(path(name)).expect("a report");
    assert_eq!(written("json"), audit(&["--json", "."]).0);
    assert_eq!(
        written("samples").lines().count(),
        found()["samples"].as_array().map_or(0, Vec::len) + 1
    );
    let pairs: usize = list(&found()["checks"])
        .map(|check| {
            let named = list(&check["groups"]).map(|group| list(&group["samples"]).count());
            named.sum::<usize>().max(1)
        })
        .sum();
    assert_eq!(written("csv").lines().count(), pairs + 1);
    let html = written("html");
    assert!(
        !html.contains("<script") && !html.contains("http:") && !html.contains("https:"),
        "the page needs the network"
    );
    for text in [shown, html] {
        assert!(text.contains("copy.medh5") && text.contains("tumour"), "{text}");
    }
}

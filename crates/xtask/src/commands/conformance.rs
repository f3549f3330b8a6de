//! `conformance`: our verdict on every case of the published suite, scored by the reference's own scorer.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::setup;
use crate::{Failure, process, python, workspace};

/// A case as `expected.json` states it.
struct Case {
    file: String,
    level: String,
    expected: Codes,
}

/// The codes of a verdict, sorted, each once.
#[derive(Debug, PartialEq, Eq, Default)]
struct Codes {
    errors: Vec<String>,
    warnings: Vec<String>,
}

pub(super) fn run(arguments: &[String]) -> Result<(), Failure> {
    setup::run(&[])?;
    let cases = cases()?;
    let found = validate(&cases)?;
    let mut wrong = 0;
    for case in &cases {
        let ours = found.get(&case.file).ok_or_else(|| format!("{}: no verdict", case.file))?;
        let agrees = *ours == case.expected;
        wrong += usize::from(!agrees);
        if !agrees || !arguments.iter().any(|argument| argument == "--quiet") {
            print_case(case, ours);
        }
    }
    println!("{} of {} cases agree", cases.len() - wrong, cases.len());
    score(&found)
}

fn suite() -> PathBuf {
    workspace::scratch().join("suite")
}

fn cases() -> Result<Vec<Case>, Failure> {
    let path = suite().join("expected.json");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let document: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let cases = document["cases"].as_array().ok_or("expected.json has no list of cases")?;
    Ok(cases.iter().map(Case::read).collect())
}

impl Case {
    fn read(value: &Value) -> Self {
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let expected =
            Codes::new(strings(&value["expect_errors"]), strings(&value["expect_warnings"]));
        Self { file: text("file"), level: text("level"), expected }
    }
}

impl Codes {
    fn new(mut errors: Vec<String>, mut warnings: Vec<String>) -> Self {
        for codes in [&mut errors, &mut warnings] {
            codes.sort();
            codes.dedup();
        }
        Self { errors, warnings }
    }

    fn of(report: &Value) -> Self {
        let of = |severity: &str| {
            let diagnostics = report["diagnostics"].as_array().into_iter().flatten();
            let those = diagnostics.filter(|diagnostic| diagnostic["severity"] == severity);
            those.filter_map(|diagnostic| diagnostic["code"].as_str()).map(str::to_owned).collect()
        };
        Self::new(of("error"), of("warning"))
    }
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Our verdict on every case at the level it asks for, by file; one call per level.
fn validate(cases: &[Case]) -> Result<BTreeMap<String, Codes>, Failure> {
    // As the tests build it, so that it is there already after them.
    let build = ["build", "--quiet", "--workspace", "--bin", "medh5-lite"];
    process::run(process::cargo().args(build))?;
    let mut by_level: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for case in cases {
        by_level.entry(&case.level).or_default().push(&case.file);
    }
    let mut found = BTreeMap::new();
    for (level, files) in by_level {
        let program = workspace::root().join("target/debug/medh5-lite");
        let arguments = ["validate", "--json", "--level", level];
        let text = process::output(
            process::command(program).current_dir(suite()).args(arguments).args(files),
        )?;
        let reports: Vec<Value> = serde_json::from_str(&text)
            .map_err(|error| format!("validate --level {level}: {error}"))?;
        found.extend(reports.iter().map(|report| {
            (report["path"].as_str().unwrap_or_default().to_owned(), Codes::of(report))
        }));
    }
    Ok(found)
}

fn print_case(case: &Case, ours: &Codes) {
    let shown = |codes: &Codes| match [&codes.errors[..], &codes.warnings[..]].concat() {
        none if none.is_empty() => "-".to_owned(),
        some => some.join(" "),
    };
    let verdict = if *ours == case.expected { "agrees" } else { "DIFFERS" };
    print!("{verdict:<8} {:<10} {:<48} {}", case.level, case.file, shown(&case.expected));
    if *ours == case.expected { println!() } else { println!("  ours: {}", shown(ours)) }
}

/// Lets the reference count.
fn score(found: &BTreeMap<String, Codes>) -> Result<(), Failure> {
    let results: Vec<Value> = found
        .iter()
        .map(|(file, codes)| json!({"file": file, "errors": codes.errors, "warnings": codes.warnings}))
        .collect();
    let path = workspace::scratch().join("conformance-results.json");
    fs::write(&path, Value::from(results).to_string())
        .map_err(|error| format!("{}: {error}", path.display()))?;
    process::run(python::reference().args(["conformance", "score"]).arg(suite()).arg(&path))
}

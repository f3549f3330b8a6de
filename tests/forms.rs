//! Reports in every form: the same exit code, the same counts, the same bytes from run to run; JSON as the reference prints it.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;

use oracles::{program, scratch, verdicts};
use serde_json::Value;

const FORMS: &[&str] = &[
    "human", "concise", "json", "jsonl", "audit", "sarif", "junit", "github", "csv", "markdown",
    "html",
];

/// What a run printed on standard output, and its exit code.
struct Run {
    stdout: String,
    code: Option<i32>,
}

fn run(program: &Path, folder: &Path, arguments: &[&str]) -> Run {
    let output = Command::new(program)
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("the program runs");
    let stdout =
        String::from_utf8(output.stdout).unwrap_or_else(|_| panic!("{arguments:?}: not UTF-8"));
    Run { stdout, code: output.status.code() }
}

fn samples() -> std::path::PathBuf {
    scratch::workspace().join("tests/fixtures")
}

#[test]
fn the_form_does_not_change_the_exit_code() {
    let program = program::path();
    for (arguments, expected) in [
        (&["samples/clean.medh5"][..], 0),
        (&["samples"], 1),
        (&["nothing-here.medh5"], 1),
        (&["--level", "strict", "samples/clean.medh5"], 0),
        (&["--fail-on", "never", "samples"], 0),
        (&["--ignore", "E", "samples"], 0),
        (&["blosc2"], 2),
    ] {
        for form in FORMS {
            let found =
                run(&program, &samples(), &[&["validate", "--format", form], arguments].concat());
            assert_eq!(found.code, Some(expected), "--format {form} {arguments:?}");
        }
    }
}

#[test]
fn reports_are_the_same_bytes_from_run_to_run_and_for_any_number_of_jobs() {
    let program = program::path();
    let suite = scratch::folder("suite");
    for form in FORMS {
        let with = |jobs| {
            run(
                &program,
                &suite,
                &["validate", "--level", "integrity", "--format", form, "--jobs", jobs, "."],
            )
            .stdout
        };
        let first = with("1");
        assert!(first.len() > 1000, "{form}: {first}");
        assert!(first == with("2"), "--format {form} depends on the number of jobs");
        assert!(first == with("2"), "--format {form} differs from run to run");
    }
}

#[test]
fn counts_in_a_summary_are_the_rows_exported() {
    let program = program::path();
    let suite = scratch::folder("suite");
    let form = |form| run(&program, &suite, &["validate", "--format", form, "."]).stdout;
    let audit: Value = serde_json::from_str(&form("audit")).expect("JSON");
    let reports: Vec<Value> = serde_json::from_str(&form("json")).expect("JSON");
    let sum = |key: &str| reports.iter().filter_map(|report| report[key].as_u64()).sum::<u64>();
    let findings: usize =
        reports.iter().map(|report| report["diagnostics"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(audit["summary"]["errors"].as_u64(), Some(sum("errors")));
    assert_eq!(audit["summary"]["warnings"].as_u64(), Some(sum("warnings")));
    assert_eq!(audit["summary"]["files"].as_u64(), Some(reports.len() as u64));
    assert_eq!(sum("errors") + sum("warnings"), findings as u64);
    // No message of a finding holds a line break, so a row is a line.
    let rows: Vec<String> = form("csv").lines().map(str::to_owned).collect();
    let clean = reports
        .iter()
        .filter(|report| report["diagnostics"].as_array().is_some_and(Vec::is_empty))
        .count();
    let expected = [findings + 1, findings + clean + 1];
    assert!(expected.contains(&rows.len()), "{} lines of CSV for {findings} findings", rows.len());
    assert_eq!(form("jsonl").lines().count(), reports.len());
}

/// Member by member and in the same order; only what messages say is our own.
#[test]
fn json_is_what_the_reference_prints() {
    let program = program::path();
    let suite = scratch::folder("suite");
    let files: Vec<String> =
        scratch::files(&suite, ".medh5").iter().map(|path| scratch::name_of(path)).collect();
    for (level, _) in verdicts::LEVELS {
        let path = scratch::folder("verdicts").join(format!("{level}.json"));
        let theirs = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut arguments = vec!["validate", "--json", "--level", level];
        arguments.extend(files.iter().map(String::as_str));
        let ours = run(&program, &suite, &arguments).stdout;
        let differs = without_messages(&theirs)
            .zip(without_messages(&ours))
            .find(|(theirs, ours)| theirs != ours);
        assert_eq!(differs, None, "{level}");
        assert_eq!(theirs.lines().count(), ours.lines().count(), "{level}");
    }
}

fn without_messages(json: &str) -> impl Iterator<Item = &str> {
    json.lines().filter(|line| !line.trim_start().starts_with("\"message\": "))
}

/// What GitHub and editors rely on; the whole schema is not at hand without the network.
#[test]
fn sarif_results_name_rules_files_and_levels() {
    let text =
        run(&program::path(), &scratch::folder("suite"), &["validate", "--format", "sarif", "."])
            .stdout;
    let log: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert!(results.len() > 150, "{} results", results.len());
    for result in results {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result}");
        assert!(
            ["error", "warning", "note"].iter().any(|level| result["level"] == **level),
            "{result}"
        );
        assert!(
            result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()),
            "{result}"
        );
        let location = &result["locations"][0];
        assert!(location["physicalLocation"]["artifactLocation"]["uri"].is_string(), "{result}");
        assert!(location["logicalLocations"][0]["fullyQualifiedName"].is_string(), "{result}");
    }
}

//! `coverage`: how much of the core the tests reach, as a table in `spec/coverage.md`. Needs `cargo-llvm-cov` and nextest.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use serde_json::Value;

use super::setup;
use crate::{Failure, process, workspace};

/// The crates that files from strangers pass through.
const CRATES: [&str; 4] = ["codec", "blosc2", "hdf5", "medh5"];

/// Whose tests run.
const PACKAGES: [&str; 5] =
    ["medh5-lite-codec", "medh5-lite-blosc2", "medh5-lite-hdf5", "medh5-lite", "medh5-lite-tests"];

/// What runs: everything but what measures time and memory, which counting lines would spoil, and what looks at sources only.
const TESTS: &str = "not (binary(bombs) | binary(memory) | binary(architecture))";

/// Files of which fewer lines are reached are named.
const NAMED_BELOW: f64 = 90.0;

pub(super) fn run(arguments: &[String]) -> Result<(), Failure> {
    match arguments {
        [] => measure()?,
        [option] if option == "--report-only" => {}
        _ => return Err("coverage takes nothing but --report-only".into()),
    }
    report()
}

/// Runs the tests, which leave their counts in the build folder.
fn measure() -> Result<(), Failure> {
    setup::run(&[])?;
    process::run(llvm_cov().args(["clean", "--workspace"]))?;
    // Tests start the program: it is built like them, and the lines that run in it count.
    let program = ["run", "--no-report", "--package", "medh5-lite-cli", "--", "--version"];
    process::run(llvm_cov().args(program))?;
    let mut tests = llvm_cov();
    tests.args(["nextest", "--no-report", "--no-fail-fast", "--filterset", TESTS]);
    for package in PACKAGES {
        tests.args(["--package", package]);
    }
    process::run(&mut tests)
}

/// Writes the table from what the last run left.
fn report() -> Result<(), Failure> {
    let report = workspace::root().join("target/coverage.json");
    // Tests kill programs, which leave counts that cannot be read.
    let summary = ["report", "--failure-mode", "all", "--json", "--summary-only", "--output-path"];
    process::run(llvm_cov().args(summary).arg(&report))?;
    let text = fs::read_to_string(&report).map_err(|error| error.to_string())?;
    let report = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let table = table(&files(&report));
    print!("{table}");
    fs::write(workspace::root().join("spec/coverage.md"), table).map_err(|error| error.to_string())
}

fn llvm_cov() -> Command {
    let mut command = process::cargo();
    command.arg("llvm-cov");
    command
}

/// Lines of one file: all of them, and those that ran.
#[derive(Default, Clone, Copy)]
struct Lines {
    count: u64,
    covered: u64,
}

impl Lines {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.covered += other.covered;
    }

    #[expect(clippy::cast_precision_loss, reason = "a few ten thousand lines")]
    fn percent(self) -> f64 {
        if self.count == 0 { 100.0 } else { self.covered as f64 * 100.0 / self.count as f64 }
    }
}

/// The lines of each source file of the crates, by crate and path in it.
fn files(report: &Value) -> BTreeMap<(&'static str, String), Lines> {
    let mut files = BTreeMap::new();
    for file in report["data"][0]["files"].as_array().into_iter().flatten() {
        let path = file["filename"].as_str().unwrap_or_default().replace('\\', "/");
        let lines = &file["summary"]["lines"];
        let number = |name: &str| lines[name].as_u64().unwrap_or(0);
        let counted = Lines { count: number("count"), covered: number("covered") };
        for name in CRATES {
            if let Some((_, inner)) = path.split_once(&format!("/crates/{name}/src/")) {
                files.insert((name, inner.to_owned()), counted);
            }
        }
    }
    files
}

fn table(files: &BTreeMap<(&'static str, String), Lines>) -> String {
    let mut text = String::from(
        "# Coverage\n\nMade by `cargo xtask coverage`: lines of the crates that files from strangers pass through, which unit tests, those of\n\
         `tests/`, and the program that these start reach. Tests beside the code count as its lines.\n\n| crate | lines | reached |\n| --- | --- | --- |\n",
    );
    let mut all = Lines::default();
    for name in CRATES {
        let mut lines = Lines::default();
        files.iter().filter(|((of, _), _)| *of == name).for_each(|(_, file)| lines.add(*file));
        all.add(lines);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| `{name}` | {} | {:.1} % |", lines.count, lines.percent());
    }
    let _ = writeln!(text, "| all | {} | {:.1} % |", all.count, all.percent());
    let _ = writeln!(
        text,
        "\nFiles of which less than {NAMED_BELOW} % is reached:\n\n| file | lines | reached |\n| --- | --- | --- |"
    );
    for ((name, path), lines) in files.iter().filter(|(_, lines)| lines.percent() < NAMED_BELOW) {
        let _ =
            writeln!(text, "| `{name}/src/{path}` | {} | {:.1} % |", lines.count, lines.percent());
    }
    text + &kept()
}

/// What people wrote under the tables.
fn kept() -> String {
    let old = fs::read_to_string(workspace::root().join("spec/coverage.md")).unwrap_or_default();
    old.find("\n## What is not reached").map_or_else(String::new, |at| old[at..].to_owned())
}

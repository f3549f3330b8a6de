//! The program as people meet it: one file per case in `tests/cli`, with commands, exit codes and everything printed.
//!
//! A line that starts with `#: ` is a comment, one with `$ ` a command, run by no shell in `tests/fixtures`; `? N` is its exit
//! code, lines that start with `! ` are standard error, all others standard output. `MEDH5_LITE_BLESS=1` writes the files
//! again: read the difference.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use oracles::scratch;

#[test]
fn every_case_prints_what_its_file_says() {
    let program = program();
    let bless = std::env::var_os("MEDH5_LITE_BLESS").is_some();
    let mut wrong = Vec::new();
    for path in scratch::files(&scratch::workspace().join("tests/cli"), ".txt") {
        let wanted =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let found = replay(&program, &wanted);
        if found != wanted {
            if bless {
                fs::write(&path, &found)
                    .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            }
            wrong.push(format!(
                "{}:\n{}",
                scratch::name_of(&path),
                first_difference(&wanted, &found)
            ));
        }
    }
    assert!(wrong.is_empty() || bless, "{} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Builds the program of this workspace; another package's tests do not get its path from cargo.
fn program() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = ["build", "--quiet", "--locked", "--package", "medh5-lite-cli"];
    let status = Command::new(cargo)
        .args(build)
        .current_dir(scratch::workspace())
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the program does not build");
    let here = std::env::current_exe().expect("a running test has a path");
    let folder = here.ancestors().find(|folder| folder.join("medh5-lite").is_file());
    folder.expect("the program lies above its tests").join("medh5-lite")
}

/// The case with what the program really printed. Comments and commands stay.
fn replay(program: &Path, case: &str) -> String {
    let mut text = String::new();
    for line in case.lines().filter(|line| line.starts_with("#: ") || line.starts_with("$ ")) {
        text.push_str(line);
        text.push('\n');
        if let Some(command) = line.strip_prefix("$ medh5-lite ") {
            run(program, command, &mut text);
        }
    }
    text
}

fn run(program: &Path, command: &str, text: &mut String) {
    let mut child = Command::new(program);
    child.args(command.split(' ')).current_dir(scratch::workspace().join("tests/fixtures"));
    child.env("NO_COLOR", "1").env("COLUMNS", "100");
    let output = child.output().unwrap_or_else(|error| panic!("{command}: {error}"));
    let _ = writeln!(text, "? {}", output.status.code().unwrap_or(-1));
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        let _ = writeln!(text, "! {line}");
    }
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    if !text.ends_with('\n') {
        text.push_str("<no newline>\n");
    }
}

fn first_difference(wanted: &str, found: &str) -> String {
    let mut lines = wanted.lines().zip(found.lines()).enumerate();
    match lines.find(|(_, (wanted, found))| wanted != found) {
        Some((number, (wanted, found))) => {
            format!("  line {}: wanted {wanted}\n  found {found}", number + 1)
        }
        None => {
            format!("  {} lines wanted, {} found", wanted.lines().count(), found.lines().count())
        }
    }
}

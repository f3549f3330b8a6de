//! The program as people meet it: one file per case in `tests/cli`, with commands, exit codes and everything printed.
//!
//! A line that starts with `#: ` is a comment, one with `$ ` a command, run by no shell beside a fresh copy of
//! `tests/fixtures/samples`; `> NAME TEXT` and `< TEXT` before it give it a file and standard input, with `\n` for the end of
//! a line. Then follow `? N`, the exit code, lines that start with `! ` from standard error, and all others from standard
//! output. `MEDH5_LITE_BLESS=1` writes the files again: read the difference.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use oracles::{program, scratch};
use tempfile::TempDir;

#[test]
fn every_case_prints_what_its_file_says() {
    let program = program::path();
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

/// The case with what the program really printed. What is given stays.
fn replay(program: &Path, case: &str) -> String {
    let folder = samples();
    let mut text = String::new();
    let mut stdin = String::new();
    for line in case.lines() {
        let Some(("#:" | ">" | "<" | "$", given)) = line.split_once(' ') else { continue };
        text.push_str(line);
        text.push('\n');
        let given = given.replace("\\n", "\n");
        if line.starts_with('>') {
            let (name, content) = given.split_once(' ').expect("a name and a text");
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("room for a folder");
            fs::write(path, content).expect("room for a file");
        } else if line.starts_with('<') {
            stdin = given;
        } else if let Some(command) = line.strip_prefix("$ medh5-lite ") {
            let found = run(program, command, &std::mem::take(&mut stdin), folder.path());
            text.push_str(&found.replace(&folder.path().display().to_string(), "FOLDER"));
        }
    }
    text.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

/// A new folder with the samples in it.
fn samples() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let copies = folder.path().join("samples");
    fs::create_dir(&copies).expect("room for a folder");
    for sample in scratch::files(&scratch::workspace().join("tests/fixtures/samples"), ".medh5") {
        fs::copy(&sample, copies.join(scratch::name_of(&sample))).expect("room for a sample");
    }
    folder
}

fn run(program: &Path, command: &str, stdin: &str, folder: &Path) -> String {
    let mut child = Command::new(program);
    child.args(command.split(' ')).current_dir(folder).env("NO_COLOR", "1");
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap_or_else(|error| panic!("{command}: {error}"));
    // A program that does not read its input may have closed it.
    let _ = child.stdin.take().expect("a pipe").write_all(stdin.as_bytes());
    let output = child.wait_with_output().unwrap_or_else(|error| panic!("{command}: {error}"));
    let mut text = format!("? {}\n", output.status.code().unwrap_or(-1));
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        let _ = writeln!(text, "! {line}");
    }
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    if !text.ends_with('\n') {
        text.push_str("\n<no newline>\n");
    }
    text
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

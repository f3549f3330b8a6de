//! The program among other programs: pipes that close early, names that are no text, files of other formats, damage.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use oracles::{program, scratch};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(program::path());
    command.current_dir(folder).args(arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs the program, reads a little of what it prints and leaves. Gives its exit code and what it said on standard error.
fn leave_early(arguments: &[&str], stdin: &str) -> (Option<i32>, String) {
    let mut child = Command::new(program::path());
    child.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(stdin.as_bytes()).expect("a list is read whole");
    let mut out = child.stdout.take().expect("a pipe");
    out.read_exact(&mut [0; 10]).expect("some output");
    drop(out);
    let output = child.wait_with_output().expect("the program ends");
    (output.status.code(), text(&output.stderr))
}

/// A list of files that are not there.
fn names(count: u32) -> String {
    (0..count).map(|number| format!("nothing-{number}")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_reader_that_leaves_is_no_failure_and_no_verdict() {
    assert_eq!(leave_early(&["explain", "--all"], ""), (Some(0), String::new()));
    let (code, said) = leave_early(&["validate", "-"], &names(20_000));
    assert_eq!(code, Some(130), "not judged to the end");
    assert!(!said.contains("medh5-lite:"), "{said}");
}

#[test]
fn a_reader_that_leaves_costs_no_other_report() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let report = folder.path().join("all.jsonl");
    let target = format!("jsonl={}", report.display());
    let (code, _) = leave_early(&["validate", "--report", &target, "-"], &names(5_000));
    assert_eq!(code, Some(1));
    let lines = fs::read_to_string(&report).expect("the report").lines().count();
    assert_eq!(lines, 5_000);
}

#[cfg(unix)]
#[test]
fn names_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = OsStr::from_bytes(b"f\xfc.medh5");
    fs::copy(sample("clean.medh5"), folder.path().join(name)).expect("room for a copy");
    for verb in ["validate", "verify", "info", "tree", "meta", "index", "dump"] {
        let mut command = Command::new(program::path());
        command.current_dir(folder.path()).arg(verb).arg(name);
        let output = command.output().expect("the program runs");
        assert_eq!(output.status.code(), Some(0), "{verb}: {}", text(&output.stderr));
    }
    fs::write(folder.path().join("list"), name.as_bytes()).expect("room for a list");
    let output = run(folder.path(), &["validate", "--files-from", "list"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn another_hdf5_file_is_said_to_be_one() {
    let folder = scratch::folder("interop");
    let file = "links-of-all-kinds-latest.h5";
    for verb in ["info", "ls", "meta", "index", "verify", "fix"] {
        let output = run(&folder, &[verb, file]);
        assert_eq!(output.status.code(), Some(1), "{verb}");
        let said = text(&output.stderr) + &text(&output.stdout);
        assert!(said.contains("no MEDH5 file: its root has no `medh5_version`"), "{verb}: {said}");
    }
    for verb in ["tree", "dump"] {
        assert_eq!(run(&folder, &[verb, file]).status.code(), Some(0), "{verb}");
    }
}

#[test]
fn damage_is_said_with_its_place_and_the_object_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut bytes = fs::read(sample("clean.medh5")).expect("a sample");
    let name = b"modality";
    let at = bytes.windows(name.len()).position(|found| found == name).expect("an image has one");
    bytes[at] ^= 0x20;
    fs::write(folder.path().join("damaged.medh5"), &bytes).expect("room for a copy");
    let output = run(folder.path(), &["validate", "damaged.medh5"]);
    let said = text(&output.stdout);
    let line = said.lines().find(|line| line.contains("E001")).unwrap_or_else(|| panic!("{said}"));
    assert!(line.contains("at byte 0x") && line.contains("(the file is damaged"), "{line}");
    assert_eq!(line.matches("/images/CT").count(), 1, "{line}");
}

fn sample(name: &str) -> PathBuf {
    scratch::workspace().join("tests/fixtures/samples").join(name)
}

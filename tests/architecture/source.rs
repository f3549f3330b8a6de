//! What no source file may hold, and what each must.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use oracles::scratch::{name_of, workspace};

/// Left behind by somebody who was going to come back.
const UNFINISHED: &[&str] =
    &["todo!(", "unimplemented!(", "FIXME", "TODO", "XXX", "pending()", "//! placeholder"];

/// Paths of somebody's machine.
const MACHINES: &[&str] = &["/home/", "/Users/", "C:\\\\Users"];

/// Past this many lines two subjects share a file. Tables may be as long as they are.
const MAX_LINES: usize = 600;

fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for folder in ["crates", "tests"] {
        collect(&workspace().join(folder), &mut found);
    }
    assert!(found.len() > 100, "only {} files", found.len());
    found
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("a readable folder").path()) {
        if path.is_dir() && name_of(&path) != "target" {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            found.push((path, text));
        }
    }
}

#[test]
fn nothing_is_left_unfinished() {
    let own = Path::new(file!()).file_name().map(PathBuf::from);
    for (path, text) in
        sources().into_iter().filter(|(path, _)| path.file_name().map(PathBuf::from) != own)
    {
        for mark in UNFINISHED.iter().chain(MACHINES) {
            assert!(!text.contains(mark), "{} holds `{mark}`", path.display());
        }
    }
}

#[test]
fn every_file_says_what_it_is_for() {
    for (path, text) in sources() {
        assert!(
            text.starts_with("//! "),
            "{} does not start with a sentence about itself",
            path.display()
        );
    }
}

#[test]
fn no_file_holds_two_subjects() {
    for (path, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines", path.display());
    }
}

/// The format crates must build where there are no files, clocks and threads.
#[test]
fn the_format_crates_are_no_std() {
    for name in ["hdf5", "blosc2"] {
        let text = fs::read_to_string(workspace().join("crates").join(name).join("src/lib.rs"))
            .expect("a crate");
        assert!(text.contains("#![no_std]"), "{name}");
    }
}

/// `autotests` is off, since targets lie beside their shared code: a file that is not listed would never run.
#[test]
fn every_test_target_is_listed() {
    let manifest = fs::read_to_string(workspace().join("tests/Cargo.toml")).expect("a manifest");
    let listed: BTreeSet<&str> = manifest
        .lines()
        .filter_map(|line| line.strip_prefix("path = \""))
        .map(|rest| rest.trim_end_matches('"'))
        .collect();
    for entry in fs::read_dir(workspace().join("tests")).expect("a folder") {
        let path = entry.expect("a readable folder").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            assert!(listed.contains(&*name_of(&path)), "{} is in no target", path.display());
        }
    }
}

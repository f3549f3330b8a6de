//! The commands that write, on many files: side by side, as JSON, as a rehearsal, and with failures among them.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use oracles::{program, reference, scratch};
use serde_json::Value;
use tempfile::TempDir;

/// Files of a folder by name.
type Content = BTreeMap<String, Vec<u8>>;

/// Sound files that each command has something to do with, how many copies of each, and one that it must refuse.
struct Case {
    command: &'static [&'static str],
    sound: &'static [&'static str],
    refused: &'static str,
}

const CASES: [Case; 4] = [
    Case {
        command: &["index", "build", "--seed", "77"],
        sound: &["seg-layers.medh5", "seg-labelmap.medh5", "training-index.medh5"],
        refused: "W913-higher-minor-projection.medh5",
    },
    Case {
        command: &["fix", "--rewrite-digests", "--reason", "a test", "--by", "us"],
        sound: &["E701-digest-mismatch.medh5", "E702-content-id-mismatch.medh5"],
        refused: "E007-unknown-profile.medh5",
    },
    Case {
        command: &["fix", "--rebuild-index"],
        sound: &["W905-stale-index.medh5"],
        refused: "W913-higher-minor-projection.medh5",
    },
    Case {
        command: &["recompress", "--profile", "archive"],
        sound: &["medh5-2.2.3-training.medh5", "medh5-1.4.4-portable.medh5"],
        refused: "E701-digest-mismatch.medh5",
    },
];

/// Copies of each sound file.
const COPIES: usize = 3;

impl Case {
    /// A folder with the sound files, the one to be refused, and one that was cut off.
    fn folder(&self) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for name in self.sound {
            for number in 0..COPIES {
                copy(name, &folder.path().join(format!("{number}-{name}")));
            }
        }
        copy(self.refused, &folder.path().join(self.refused));
        let mut cut = fs::read(folder.path().join(self.refused)).expect("a copy");
        cut.truncate(cut.len() / 2);
        fs::write(folder.path().join("1-cut.medh5"), cut).expect("room for a file");
        folder
    }
}

#[test]
fn a_failure_leaves_its_file_and_stops_no_other() {
    for case in &CASES {
        let folder = case.folder();
        let before = content(folder.path());
        let found = run(folder.path(), &[case.command, &["--jobs", "3", "--json", "."]].concat());
        let shown = format!("{:?}: {}", case.command, text(&found.stderr));
        assert_eq!(found.status.code(), Some(1), "{shown}");
        let reports: Value = serde_json::from_slice(&found.stdout).expect("JSON");
        let after = content(folder.path());
        assert_eq!(
            after.keys().collect::<Vec<_>>(),
            before.keys().collect::<Vec<_>>(),
            "{shown}: something was left, or is gone"
        );
        assert_eq!(failed(&reports), ["1-cut.medh5", case.refused], "{shown}: {reports:#}");
        for (name, bytes) in &before {
            let is_failed = name == "1-cut.medh5" || name == case.refused;
            assert_eq!(after[name] == *bytes, is_failed, "{shown}: {name}");
        }
        let mut verify = vec!["verify".to_owned(), "--json".to_owned()];
        let sound = after.keys().filter(|name| *name != "1-cut.medh5" && *name != case.refused);
        verify.extend(sound.map(|name| folder.path().join(name).display().to_string()));
        let said: Vec<Value> = serde_json::from_slice(&reference::medh5(&verify)).expect("a list");
        assert!(said.iter().all(|one| one["ok"] == true), "{shown}: {said:#?}");
    }
}

#[test]
fn a_rehearsal_changes_nothing() {
    for case in &CASES {
        let folder = case.folder();
        for name in ["1-cut.medh5", case.refused] {
            fs::remove_file(folder.path().join(name)).expect("it was put there");
        }
        let before = content(folder.path());
        let found = run(folder.path(), &[case.command, &["--dry-run", "--json", "."]].concat());
        let reports: Value = serde_json::from_slice(&found.stdout).expect("JSON");
        assert_eq!(failed(&reports), [""; 0], "{:?}: {reports:#}", case.command);
        assert!(content(folder.path()) == before, "{:?}", case.command);
    }
}

/// The names of the files of which a report says that nothing could be done; a report is a list, or an object by name.
fn failed(reports: &Value) -> Vec<String> {
    let list: Vec<Value> = match reports {
        Value::Array(list) => list.clone(),
        Value::Object(by_name) => by_name.values().cloned().collect(),
        _ => Vec::new(),
    };
    let mut failed: Vec<String> = list
        .iter()
        .filter(|one| one["error"].is_string())
        .map(|one| scratch::name_of(Path::new(one["path"].as_str().unwrap_or_default())))
        .collect();
    failed.sort();
    failed
}

#[test]
fn a_collection_is_made_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for name in ["seg-layers.medh5", "seg-labelmap.medh5", "training-index.medh5"] {
        copy(name, &folder.join(name));
    }
    let pack = ["pack", "--jobs", "2", "--json", "--out", "all.medh5c", "."];
    let before = content(folder);
    let found = run(folder, &[&pack[..], &["--dry-run"]].concat());
    assert!(found.status.success() && content(folder) == before, "{}", text(&found.stderr));
    let found = run(folder, &pack);
    let report: Value = serde_json::from_slice(&found.stdout).expect("JSON");
    assert_eq!(report["samples"], 3, "{}", text(&found.stderr));
    // One that cannot be packed: the collection that is there stays.
    copy("W913-higher-minor-projection.medh5", &folder.join("later.medh5"));
    let before = content(folder);
    let found = run(folder, &pack);
    let said = text(&found.stderr);
    assert_eq!(found.status.code(), Some(1), "{said}");
    assert!(said.contains("later.medh5") && said.contains("newer"), "{said}");
    assert!(content(folder) == before);
}

#[test]
fn members_come_out_though_one_cannot() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let names = ["seg-layers", "seg-labelmap", "training-index"];
    for name in names {
        copy(&format!("{name}.medh5"), &folder.join(format!("{name}.medh5")));
    }
    assert!(run(folder, &["pack", "--out", "all.medh5c", "."]).status.success());
    let unpack = ["unpack", "all.medh5c", "--jobs", "2", "--json", "--out", "out"];
    let rehearsed = run(folder, &[&unpack[..], &["--dry-run"]].concat());
    assert!(rehearsed.status.success() && !folder.join("out").exists());
    // A folder is in the way of one.
    fs::create_dir_all(folder.join("out/seg-layers.medh5/x")).expect("room for a folder");
    let found = run(folder, &unpack);
    assert_eq!(found.status.code(), Some(1), "{}", text(&found.stderr));
    let report: Value = serde_json::from_slice(&found.stdout).expect("JSON");
    assert_eq!(failed(&report), ["seg-layers.medh5"], "{report:#}");
    let came = ["seg-labelmap.medh5", "training-index.medh5"];
    let paths = came.map(|name| folder.join("out").join(name).display().to_string());
    let said = reference::medh5(&[&["verify".to_owned()][..], &paths].concat());
    assert_eq!(text(&said).matches(": OK").count(), 2, "{}", text(&said));
    assert_eq!(fs::read_dir(folder.join("out")).expect("a folder").count(), 3, "nothing is left");
}

#[test]
fn what_is_there_is_replaced_on_request_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let volume = scratch::folder("volumes").join("ct.nii.gz").display().to_string();
    let image = format!("CT={volume}");
    let create = ["create", "new.medh5", "--image", &image, "--json"];
    assert!(run(folder, &[&create[..], &["--dry-run"]].concat()).status.success());
    assert!(content(folder).is_empty());
    let made = run(folder, &create);
    let report: Value = serde_json::from_slice(&made.stdout).expect("JSON");
    assert!(report["content_id"].is_string(), "{report:#}");
    let before = content(folder);
    let again = run(folder, &create);
    assert_eq!(again.status.code(), Some(2), "{}", text(&again.stderr));
    let wrong = [&create[..], &["--force", "--mask", "liver=nowhere.nii"]].concat();
    assert_eq!(run(folder, &wrong).status.code(), Some(1));
    assert!(content(folder) == before, "a failure changed what is there");
    assert!(run(folder, &[&create[..], &["--force", "--jobs", "1"]].concat()).status.success());
    assert!(content(folder) == before, "the same content, other bytes");
}

/// On a terminal a long run shows what it does.
#[test]
fn long_runs_show_how_far_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    copy("large.medh5", &folder.join("large.medh5"));
    zeros(&folder.join("zeros.npy"));
    let program = program::path();
    for (command, shown) in [
        ("recompress --jobs 1 --profile portable --out new.medh5 large.medh5", "looked at"),
        ("create --jobs 1 --image CT=zeros.npy --spacing 1,1,1 made.medh5", "read and written"),
    ] {
        let command = format!("{} {command}", program.display());
        let found = Command::new("script")
            .args(["--quiet", "--return", "--command", &command, "/dev/null"])
            .env("TERM", "xterm")
            .current_dir(folder)
            .output()
            .expect("util-linux is installed");
        let said = text(&found.stdout);
        assert!(found.status.success() && said.contains(shown), "{command}: {said:?}");
    }
}

fn run(folder: &Path, arguments: &[impl AsRef<OsStr>]) -> Output {
    let mut command = Command::new(program::path());
    command.args(arguments).current_dir(folder).output().expect("the program was built")
}

/// An array of 1 GiB that takes no room: a hole.
fn zeros(path: &Path) {
    let description = "{'descr': '|u1', 'fortran_order': False, 'shape': (1024, 1024, 1024), }";
    let header = format!("{description:<117}\n");
    fs::write(path, [b"\x93NUMPY\x01\x00\x76\x00", header.as_bytes()].concat())
        .expect("room for a header");
    let file = fs::File::options().write(true).open(path).expect("it is there");
    file.set_len(128 + (1 << 30)).expect("a file system with holes");
}

/// Copies a file of a corpus.
fn copy(name: &str, to: &Path) {
    let corpora = ["suite", "reference", "large"].map(scratch::folder);
    let from = corpora.iter().map(|corpus| corpus.join(name)).find(|path| path.is_file());
    fs::copy(from.unwrap_or_else(|| panic!("{name}")), to).expect("room for a file");
}

/// All files in a folder.
fn content(folder: &Path) -> Content {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let files = paths.filter(|path| path.is_file());
    files.map(|path| (scratch::name_of(&path), fs::read(&path).expect("a readable file"))).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

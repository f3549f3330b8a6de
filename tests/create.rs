//! Samples that we write, against the same content written by the reference: the same `content_id`, the same verdicts.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use medh5::sample::Chapter;
use medh5::storage::Profile;
use medh5::validate::Silent;
use oracles::rebuild::{kinds, open, rebuild};
use oracles::{reference, scratch};
use serde_json::Value;

#[test]
fn the_same_content_has_the_same_content_id() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut wrong, mut refused) = (Vec::new(), Vec::new());
    let mut written: Vec<(PathBuf, PathBuf)> = Vec::new();
    let (mut covered, mut versions) = (BTreeSet::new(), BTreeSet::new());
    for (number, path) in originals().into_iter().enumerate() {
        let name = scratch::name_of(&path);
        let original = open(&path);
        let mut new = match rebuild(&original) {
            Ok(new) => new,
            Err(why) => {
                refused.push(format!("{name}: {why}"));
                continue;
            }
        };
        new.storage.profile = Profile::ALL[number % Profile::ALL.len()];
        let copy = folder.path().join(&name);
        let created = match new.write(&copy, false, &Silent) {
            Ok(created) => created,
            Err(why) => {
                refused.push(format!("{name}: {why}"));
                continue;
            }
        };
        let stated = original.attributes().text("content_id").expect("readable");
        if stated.as_deref() != Some(&created.content_id) {
            wrong.push(format!("{name}: {}", difference(&path, &copy)));
        }
        covered.extend(kinds(&original, Chapter::Annotations));
        covered.extend(kinds(&original, Chapter::Transforms));
        versions.insert(created.version);
        written.push((path, copy));
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), written.len(), wrong.join("\n"));
    assert!(refused.is_empty(), "{} were refused:\n{}", refused.len(), refused.join("\n"));
    assert!(written.len() >= 40, "only {} samples were written", written.len());
    assert_eq!(covered.len(), 14 + 5, "annotations and transforms: {covered:?}");
    assert_eq!(versions.into_iter().collect::<Vec<_>>(), ["1.0", "1.1", "1.2"]);
    same_verdicts(&written);
}

/// What the reference finds in our files, it finds in its own of the same content.
fn same_verdicts(written: &[(PathBuf, PathBuf)]) {
    let (originals, copies): (Vec<_>, Vec<_>) =
        written.iter().map(|(path, copy)| (path.clone(), copy.clone())).unzip();
    let (theirs, ours) = (verdicts(&originals), verdicts(&copies));
    for ((path, _), (theirs, ours)) in written.iter().zip(theirs.iter().zip(&ours)) {
        let extra: Vec<_> = ours.difference(theirs).collect();
        assert!(extra.is_empty(), "{}: only in ours: {extra:?}", path.display());
    }
    let mut verify = vec!["verify".to_owned()];
    verify.extend(copies.iter().map(|path| path.display().to_string()));
    let said = String::from_utf8_lossy(&reference::medh5(&verify)).into_owned();
    let bad: Vec<&str> = said.lines().filter(|line| !line.contains(": OK")).collect();
    assert!(bad.is_empty() && said.lines().count() == copies.len(), "{bad:#?}");
}

/// Codes with their places, by file, at the strictest level.
fn verdicts(files: &[PathBuf]) -> Vec<BTreeSet<(String, String)>> {
    let mut arguments: Vec<String> =
        ["validate", "--level", "strict", "--json"].map(str::to_owned).to_vec();
    arguments.extend(files.iter().map(|path| path.display().to_string()));
    let reports: Vec<Value> =
        serde_json::from_slice(&reference::medh5(&arguments)).expect("the reference writes JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let codes = |report: &Value| {
        let diagnostics = report["diagnostics"].as_array().cloned().unwrap_or_default();
        diagnostics.iter().map(|one| (text(&one["code"]), text(&one["location"]))).collect()
    };
    reports.iter().map(codes).collect()
}

/// Sound samples of the reference's: those of its suite that state what they are, and those of `make_content.py`.
fn originals() -> Vec<PathBuf> {
    let suite = scratch::files(&scratch::folder("suite"), ".medh5");
    let is_sound = |path: &PathBuf| {
        let name = scratch::name_of(path);
        let is_sample = name.strip_suffix(".medh5").is_some();
        let beginnings = [
            "core-",
            "seg-",
            "det-",
            "cls-",
            "reg-",
            "longitudinal-instance",
            "multiscale",
            "clinical-",
            "training",
            "W907",
            "W909-instance-recl",
            "W910",
            "W911",
            "W914",
            "W916",
            "W917",
            "W918",
        ];
        is_sample && beginnings.iter().any(|beginning| name.starts_with(beginning))
    };
    let content = scratch::files(&scratch::folder("content"), ".medh5");
    suite.into_iter().filter(is_sound).chain(content).collect()
}

/// Where two files differ, in the words of h5py.
fn difference(path: &Path, copy: &Path) -> String {
    let arguments = [OsString::from(path), OsString::from(copy)];
    reference::script("compare_content.py", &arguments)
}

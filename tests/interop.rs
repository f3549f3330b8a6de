//! Files of other writers read here as libhdf5 reads them: object by object, attribute by attribute, value by value.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use hdf5::Object;
use oracles::{describe, open, scratch};
use serde_json::Value;

#[test]
fn the_published_suite_reads_as_libhdf5_reads_it() {
    compare("suite", ".medh5");
}

#[test]
fn files_of_every_hdf5_version_read_as_libhdf5_reads_them() {
    let read = compare("interop", ".h5");
    assert!(read >= 150, "only {read} files in the corpus");
}

#[test]
fn files_of_the_reference_and_of_the_early_writers_read_as_libhdf5_reads_them() {
    let read = compare("reference", ".medh5");
    assert_eq!(read, 12, "four codec profiles of three writers");
}

/// Compares every file of a corpus with its description by libhdf5; gives how many there were.
fn compare(corpus: &str, part: &str) -> usize {
    let descriptions = scratch::folder("descriptions").join(corpus);
    let files = scratch::files(&scratch::folder(corpus), part);
    let mut differences = Vec::new();
    let mut compared = 0;
    for path in files {
        let description = descriptions.join(format!("{}.jsonl", scratch::name_of(&path)));
        compared += 1;
        let expected: Vec<Value> = fs::read_to_string(&description)
            .unwrap_or_else(|error| panic!("{}: {error}", description.display()))
            .lines()
            .map(|line| serde_json::from_str(line).expect("describe.py writes JSON"))
            .collect();
        differences.extend(differences_of(&path, &expected));
    }

    assert!(
        differences.is_empty(),
        "{} differences in {corpus}, the first:\n{}",
        differences.len(),
        differences.iter().take(40).cloned().collect::<Vec<_>>().join("\n")
    );
    compared
}

fn differences_of(path: &Path, expected: &[Value]) -> Vec<String> {
    let name = scratch::name_of(path);
    let opened = open::path(path).and_then(|file| Ok((describe::describe(&file)?, file)));
    let (ours, file) = match opened {
        Ok(opened) => opened,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let mut found = Vec::new();
    if ours.len() != expected.len() {
        found.push(format!("{name}: {} objects, libhdf5 sees {}", ours.len(), expected.len()));
    }
    for (theirs, ours) in expected.iter().zip(&ours) {
        let object = theirs["object"].as_str().unwrap_or_default();
        for (key, value) in
            theirs.as_object().into_iter().flatten().filter(|(key, _)| *key != "windows")
        {
            if ours[key] != *value {
                found.push(difference(
                    &format!("{name}: {object}: {key}"),
                    value,
                    &ours[key],
                    &ours["reason"],
                ));
            }
        }
        let windows = theirs["windows"].as_array().into_iter().flatten();
        if let Ok(Some(Object::Dataset(dataset))) = file.root().and_then(|root| root.get(object)) {
            for window in windows {
                let ours = describe::window(&dataset, window);
                if ours != window["digest"] {
                    found.push(format!("{name}: {object}: window {window}: {ours}"));
                }
            }
        } else if windows.count() > 0 {
            found.push(format!("{name}: {object}: is no dataset when opened by its path"));
        }
    }
    found
}

/// Of two lists only the entries that differ are shown.
fn difference(place: &str, theirs: &Value, ours: &Value, reason: &Value) -> String {
    let reason = reason.as_str().map(|reason| format!(" ({reason})")).unwrap_or_default();
    if let (Value::Array(theirs), Value::Array(ours)) = (theirs, ours)
        && theirs.len() == ours.len()
        && let Some((theirs, ours)) = theirs.iter().zip(ours).find(|(theirs, ours)| theirs != ours)
    {
        return format!("{place}: libhdf5 {theirs}, ours {ours}");
    }
    format!("{place}: libhdf5 {theirs}, ours {ours}{reason}")
}

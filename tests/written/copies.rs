//! Copies hold what their originals hold, or are refused by name.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use hdf5::{Error, NewGroup, Object};
use oracles::{describe, open, reference, scratch, walk};

use super::write;

/// Copies every file of a corpus and lets libhdf5 compare; what was refused, with the reason.
fn copies(corpus: &str, part: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut pairs = String::new();
    let mut refused = Vec::new();
    for original in scratch::files(&scratch::folder(corpus), part) {
        let name = scratch::name_of(&original);
        let copy = folder.path().join(&name);
        match copy_file(&original, &copy) {
            Ok(()) => {
                let pair = serde_json::json!([original, copy]);
                writeln!(pairs, "{pair}").expect("writing to a string");
            }
            Err(error) => refused.push(format!("{name}: {error}")),
        }
    }
    let list = folder.path().join("pairs.jsonl");
    fs::write(&list, pairs).expect("a writable folder");
    let differences = reference::script("same_content.py", &[list.into_os_string()]);
    assert_eq!(differences, "", "{corpus}");
    refused
}

fn copy_file(original: &Path, copy: &Path) -> Result<(), Error> {
    let file = open::path(original)?;
    write(NewGroup::copy_of(&file.root()?)?, copy)?;
    // The reader that will read it finds the same content.
    let (ours, theirs) = (walk::everything(&open::path(copy)?), walk::everything(&file));
    assert_eq!(ours.errors.len(), theirs.errors.len(), "{}", original.display());
    Ok(())
}

#[test]
fn copies_of_the_published_suite_hold_the_same() {
    assert_eq!(copies("suite", ".medh5"), Vec::<String>::new());
}

#[test]
fn copies_of_the_reference_and_of_early_writers_hold_the_same() {
    assert_eq!(copies("reference", ".medh5"), Vec::<String>::new());
}

#[test]
fn copies_of_files_of_every_hdf5_version_hold_the_same_or_are_refused_by_name() {
    let refused = copies("interop", ".h5");
    let named = [
        "references to objects mean nothing in another file",
        "elements of other files or datasets are not copied",
        "is not supported",
    ];
    for refusal in &refused {
        assert!(named.iter().any(|reason| refusal.contains(reason)), "{refusal}");
    }
    assert!(refused.len() < 40, "{refused:#?}");
}

#[test]
fn a_member_goes_out_of_a_collection_and_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let collection = scratch::folder("suite").join("collection-two-samples.medh5c");
    let file = open::path(&collection).unwrap_or_else(|error| panic!("{error}"));
    let root = file.root().unwrap_or_else(|error| panic!("{error}"));
    let Ok(Some(Object::Group(samples))) = root.get("samples") else { panic!("no samples") };
    let mut new = NewGroup::copy_of(&root).unwrap_or_else(|error| panic!("{error}"));
    for link in samples.links().unwrap_or_else(|error| panic!("{error}")).iter() {
        let Ok(Some(Object::Group(member))) = samples.open(link) else { panic!("no member") };
        let path = folder.path().join(format!("{}.medh5", link.name()));
        let copy = NewGroup::copy_of(&member).unwrap_or_else(|error| panic!("{error}"));
        write(copy, &path).unwrap_or_else(|error| panic!("{error}"));
        let alone = open::path(&path).and_then(|file| file.root());
        let alone = alone.unwrap_or_else(|error| panic!("{error}"));
        let mut back = NewGroup::copy_of(&alone).unwrap_or_else(|error| panic!("{error}"));
        back.keep_together = true;
        let Some(samples) = new.group_mut("samples") else { panic!("no samples") };
        samples.links.insert(link.name.clone(), back.into());
    }
    let path = folder.path().join("again.medh5c");
    write(new, &path).unwrap_or_else(|error| panic!("{error}"));
    let lines = |path: &Path| {
        let file = open::path(path).unwrap_or_else(|error| panic!("{error}"));
        describe::describe(&file).unwrap_or_else(|error| panic!("{error}"))
    };
    assert_eq!(lines(&path), lines(&collection));
}

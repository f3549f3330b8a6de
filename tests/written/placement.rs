//! Opening what we wrote takes few small reads.

use std::sync::Arc;

use hdf5::{File, Group, NewGroup, Object};
use oracles::sources::Counting;
use oracles::{open, scratch};

use super::write;

/// Reads of everything but elements, of a file of 100 MiB, and their bytes.
const MAX_READS: u64 = 8;
const MAX_BYTES: u64 = 48 << 10;

#[test]
fn metadata_of_100_mib_are_few_small_reads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let original = open::path(&scratch::folder("large").join("large.medh5"));
    let root = original.and_then(|file| file.root()).and_then(|root| NewGroup::copy_of(&root));
    let path = folder.path().join("large.medh5");
    let root = root.unwrap_or_else(|error| panic!("{error}"));
    let written = write(root, &path).unwrap_or_else(|error| panic!("{error}"));
    let bytes = std::fs::read(&path).expect("the file");
    assert_eq!(written.len, bytes.len() as u64);
    assert!(written.len > 100_000_000 && written.metadata_len < 64 << 10, "{written:?}");
    let source = Arc::new(Counting::new(bytes));
    let file = open::source(Arc::clone(&source) as _).unwrap_or_else(|error| panic!("{error}"));
    let objects = list(&file).unwrap_or_else(|error| panic!("{error}"));
    assert!(objects > 10, "{objects} objects");
    let (reads, read) = (source.reads(), source.bytes());
    assert!(reads <= MAX_READS && read <= MAX_BYTES, "{read} bytes in {reads} reads");
}

/// Everything but elements: links, attributes with their texts, chunk indexes.
fn list(file: &File) -> Result<usize, hdf5::Error> {
    list_group(&file.root()?)
}

fn list_group(group: &Group) -> Result<usize, hdf5::Error> {
    let mut objects = 1;
    group.attributes()?.iter().try_for_each(|attribute| attribute.read().map(|_| ()))?;
    for link in group.links()?.iter() {
        match group.open(link)? {
            Some(Object::Group(child)) => objects += list_group(&child)?,
            Some(Object::Dataset(dataset)) => {
                objects += 1;
                dataset.attributes()?.iter().try_for_each(|a| a.read().map(|_| ()))?;
                if dataset.chunk_dims().is_some() {
                    dataset.stored_chunks()?;
                }
            }
            _ => {}
        }
    }
    Ok(objects)
}

/// What a member in the middle of a collection takes, without elements.
const MAX_MEMBER_READS: u64 = 6;
const MAX_MEMBER_BYTES: u64 = 32 << 10;

#[test]
fn a_member_of_a_collection_is_one_piece_of_its_metadata() {
    let sample = open::path(&scratch::folder("suite").join("seg-layers.medh5"))
        .and_then(|file| file.root())
        .unwrap_or_else(|error| panic!("{error}"));
    let mut samples = NewGroup::new();
    for number in 0..300 {
        let mut member = NewGroup::copy_of(&sample).unwrap_or_else(|error| panic!("{error}"));
        member.keep_together = true;
        samples = samples.group(&format!("{number:04}"), member);
    }
    let mut bytes = Vec::new();
    let registry = medh5::storage::reading();
    let root = NewGroup::new().group("samples", samples);
    hdf5::write(root, &registry, &mut bytes, &hdf5::WriteOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let source = Arc::new(Counting::new(bytes));
    let file = open::source(Arc::clone(&source) as _).unwrap_or_else(|error| panic!("{error}"));
    let root = file.root().unwrap_or_else(|error| panic!("{error}"));
    let Ok(Some(Object::Group(samples))) = root.get("samples") else { panic!("no samples") };
    let Ok(Some(link)) = samples.link("0150") else { panic!("no member") };
    let before = (source.reads(), source.bytes());
    let Ok(Some(Object::Group(member))) = samples.open(&link) else { panic!("no member") };
    let objects = list_group(&member).unwrap_or_else(|error| panic!("{error}"));
    assert!(objects > 5, "{objects} objects");
    let (reads, read) = (source.reads() - before.0, source.bytes() - before.1);
    assert!(reads <= MAX_MEMBER_READS && read <= MAX_MEMBER_BYTES, "{read} bytes in {reads} reads");
}

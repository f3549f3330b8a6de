//! Bytes that arrive late give the same result, and looking at metadata costs little.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::sync::Arc;

use hdf5::{ByteSource, Dataset, File, Group, Object};
use oracles::sources::{BLOCK_BYTES, Counting, Remote};
use oracles::{open, scratch, walk};

/// The most that opening and listing the large sample may take: of bytes, and of reads of one block each.
const MAX_BYTES: u64 = 256 << 10;
const MAX_READS: usize = 40;

/// Runs as a host does: fetch what is missing, then repeat the whole call.
fn until_resident<T>(
    remote: &Arc<Remote>,
    mut call: impl FnMut(&File) -> Result<T, hdf5::Error>,
) -> T {
    for _ in 0..10_000 {
        let source: Arc<dyn ByteSource> = Arc::clone(remote) as _;
        let result = open::source(source).and_then(|file| call(&file));
        match result {
            Ok(value) => return value,
            Err(error) => remote.fetch(error.not_resident().unwrap_or_else(|| panic!("{error}"))),
        }
    }
    panic!("the same call was repeated 10,000 times");
}

/// Reads everything; a block that is missing ends the call.
fn read_all(file: &File) -> Result<([u8; 32], Vec<String>), hdf5::Error> {
    let outcome = walk::everything(file);
    match outcome.errors.iter().find(|error| error.not_resident().is_some()) {
        Some(error) => Err(error.clone()),
        None => Ok((outcome.digest, outcome.errors.iter().map(ToString::to_string).collect())),
    }
}

#[test]
fn a_source_that_holds_nothing_at_first_gives_the_same_result() {
    for (corpus, name) in [
        ("suite", "training-index.medh5"),
        ("suite", "clinical-worked-example.medh5"),
        ("suite", "collection-two-samples.medh5c"),
        ("interop", "links-dense-v110.h5"),
        ("interop", "attributes-dense-earliest.h5"),
        ("interop", "chunks-two-unlimited-latest.h5"),
        ("interop", "chunks-one-unlimited-v110.h5"),
        ("interop", "filter-blosc2-v110.h5"),
        ("interop", "strings-variable-v108.h5"),
    ] {
        let bytes =
            std::fs::read(scratch::folder(corpus).join(name)).expect("a file of the corpus");
        let local = read_all(&open::source(Arc::new(bytes.clone())).expect("a sound file"))
            .expect("all is there");
        let remote = Arc::new(Remote::new(bytes));
        assert_eq!(until_resident(&remote, read_all), local, "{name}");
    }
}

/// Opens every object and lists its links and attributes; no element of a dataset is read.
fn list(group: &Group) -> Result<usize, hdf5::Error> {
    let mut objects = 1;
    group.attributes()?;
    for link in group.links()?.iter() {
        match group.get(&link.name())? {
            Some(Object::Group(child)) => objects += list(&child)?,
            Some(Object::Dataset(dataset)) => objects += describe(&dataset)?,
            _ => {}
        }
    }
    Ok(objects)
}

fn describe(dataset: &Dataset) -> Result<usize, hdf5::Error> {
    for attribute in dataset.attributes()?.iter() {
        attribute.read()?;
    }
    Ok(1)
}

#[test]
fn listing_a_sample_of_100_mib_fetches_at_most_40_blocks() {
    let path = scratch::folder("large").join("large.medh5");
    let bytes = std::fs::read(path).expect("the large sample");
    assert!(bytes.len() > 100_000_000, "{} bytes", bytes.len());
    let remote = Arc::new(Remote::new(bytes));
    let objects = until_resident(&remote, |file| list(&file.root()?));
    assert!(objects > 10, "{objects} objects");
    let (blocks, bytes) = (remote.fetched(), remote.fetched() as u64 * BLOCK_BYTES);
    assert!(blocks <= MAX_READS && bytes <= MAX_BYTES, "{blocks} blocks of {BLOCK_BYTES} bytes");
}

/// The same through a source that has everything: the reader's own reads.
#[test]
fn listing_a_sample_of_100_mib_reads_at_most_256_kib() {
    let path = scratch::folder("large").join("large.medh5");
    let source = Arc::new(Counting::new(std::fs::read(path).expect("the large sample")));
    let file = open::source(Arc::clone(&source) as _).expect("a sound file");
    list(&file.root().expect("a sound file")).expect("a sound file");
    assert!(source.bytes() <= MAX_BYTES, "{} bytes in {} reads", source.bytes(), source.reads());
}

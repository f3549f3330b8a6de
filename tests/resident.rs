//! Bytes that arrive late give the same result, and looking at metadata costs little.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use hdf5::{ByteSource, Dataset, File, Group, Object};
use medh5::ReadError;
use medh5::validate::{
    Finding, Level, Memo, Observer, Options, Report, open_to_validate, validate, validate_opened,
};
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

/// A host that repeats calls: it keeps what was found out, and wants its turn at every chance.
#[derive(Default)]
struct Repeating {
    memo: Memo,
    bytes: AtomicU64,
    chances: AtomicUsize,
    found: AtomicUsize,
    is_impatient: bool,
}

impl Observer for Repeating {
    fn should_pause(&self) -> bool {
        self.chances.fetch_add(1, Ordering::Relaxed);
        self.is_impatient
    }

    fn memo(&self) -> Option<&Memo> {
        Some(&self.memo)
    }

    fn found(&self, _: &str, findings: &[Finding]) {
        self.found.fetch_add(findings.len(), Ordering::Relaxed);
    }

    fn progress(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Counts what a run that is not interrupted looks at.
#[derive(Default)]
struct Patient(AtomicU64);

impl Observer for Patient {
    fn progress(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// The report of a host that repeats the call until it comes, and how often it called.
fn repeated(name: &str, remote: &Arc<Remote>, host: &Repeating) -> (Report, usize) {
    let options = Options::new(Level::Integrity).observed_by(host);
    let mut opened = None;
    for calls in 1..100_000 {
        let source = || Arc::clone(remote) as Arc<dyn ByteSource>;
        let result = match &opened {
            Some(opened) => validate_opened(name, opened, remote.len(), &options),
            None => match open_to_validate(source(), &options) {
                Ok(file) => {
                    opened = Some(file);
                    continue;
                }
                Err(error) => Err(error),
            },
        };
        match result {
            Ok(report) => return (report, calls),
            Err(ReadError::Stopped) => {}
            Err(ReadError::File(error)) => {
                remote.fetch(error.not_resident().unwrap_or_else(|| panic!("{error}")));
            }
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the same call was repeated 100,000 times");
}

#[test]
fn a_validation_that_is_interrupted_goes_on_where_it_was() {
    for name in
        ["training-index.medh5", "clinical-worked-example.medh5", "collection-two-samples.medh5c"]
    {
        let bytes =
            std::fs::read(scratch::folder("suite").join(name)).expect("a file of the suite");
        let expected = validate(name, Arc::new(bytes.clone()), &Options::new(Level::Integrity));
        let host = Repeating { is_impatient: true, ..Repeating::default() };
        let (report, calls) = repeated(name, &Arc::new(Remote::new(bytes)), &host);
        assert_eq!(Ok(report), expected, "{name}");
        assert!(calls > 10, "{name}: {calls} calls");
    }
}

#[test]
fn every_finding_is_told_once() {
    let name = "E102-non-orthonormal.medh5";
    let bytes = std::fs::read(scratch::folder("suite").join(name)).expect("a file of the suite");
    let host = Repeating { is_impatient: true, ..Repeating::default() };
    let (report, _) = repeated(name, &Arc::new(Remote::new(bytes)), &host);
    assert!(!report.findings.is_empty());
    assert_eq!(host.found.load(Ordering::Relaxed), report.findings.len());
}

/// Voxels are looked at as often as without interruptions, and chances to pause come often.
#[test]
fn a_large_sample_is_scanned_once_however_often_the_call_is_repeated() {
    let path = scratch::folder("large").join("large.medh5");
    let bytes = std::fs::read(path).expect("the large sample");
    let patient = Patient::default();
    let options = Options::new(Level::Integrity).observed_by(&patient);
    let expected = validate("large", Arc::new(bytes.clone()), &options);
    let host = Repeating::default();
    let (report, calls) = repeated("large", &Arc::new(Remote::new(bytes)), &host);
    assert_eq!(Ok(report), expected);
    let (looked, once) = (host.bytes.load(Ordering::Relaxed), patient.0.load(Ordering::Relaxed));
    assert!(looked <= once, "{looked} bytes in {calls} calls, {once} in one");
    let per_chance = looked / host.chances.load(Ordering::Relaxed).max(1) as u64;
    assert!(per_chance < 16 << 20, "{per_chance} bytes between two chances to pause");
}

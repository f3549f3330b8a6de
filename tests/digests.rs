//! The digests that other writers stored are the ones computed here, and `verify` judges as the reference does.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use medh5::integrity::{ObjectStatus, Verification, verify};
use medh5::validate::{Level, Observer, Options, Silent, validate};
use medh5::{Opened, Sample};
use oracles::{reference, scratch};
use serde_json::Value;

#[test]
fn every_digest_of_the_sound_files_is_reproduced() {
    let mut compared = 0;
    for path in scratch::files(&scratch::folder("suite"), ".medh5") {
        let name = scratch::name_of(&path);
        if is_mutated(&name) {
            continue;
        }
        for sample in samples(&path) {
            let found =
                verify(&sample, None, &Silent).unwrap_or_else(|error| panic!("{name}: {error}"));
            let wrong: Vec<_> =
                found.objects.iter().filter(|(_, status)| *status != ObjectStatus::Ok).collect();
            assert!(wrong.is_empty(), "{name}: {wrong:?}");
            assert_eq!(found.content_id_ok, Some(true), "{name}");
            assert!(found.is_ok() && found.stale_index.is_empty(), "{name}: {found:?}");
            compared += found.checked();
        }
    }
    assert!(compared > 500, "only {compared} digests in the suite");
}

#[test]
fn verify_judges_the_suite_as_the_reference_does() {
    let files = scratch::files(&scratch::folder("suite"), ".medh5");
    let mut arguments = vec!["verify".to_owned(), "--json".to_owned()];
    arguments.extend(files.iter().map(|path| path.display().to_string()));
    let verdicts: Value =
        serde_json::from_slice(&reference::medh5(&arguments)).expect("the reference writes JSON");
    let verdicts = verdicts.as_array().expect("one verdict per file");
    assert_eq!(verdicts.len(), files.len());
    let mut compared = 0;
    for (path, expected) in files.iter().zip(verdicts) {
        if expected.get("error").is_some() {
            continue;
        }
        let [sample] = &samples(path)[..] else { continue };
        let found = verify(sample, None, &Silent);
        let found = found.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(as_json(&path.display().to_string(), &found), *expected, "{}", path.display());
        compared += 1;
    }
    assert!(compared > 150, "only {compared} verdicts to compare");
}

/// Hashing a probability map answers the rule about its values, so that validation decodes no more than `verify` does.
#[test]
fn probabilities_are_looked_at_while_they_are_hashed() {
    let path = scratch::folder("content").join("encoding-soft.medh5");
    let verified = Decoded::default();
    let [sample] = &samples(&path)[..] else { panic!("one sample") };
    verify(sample, None, &verified).expect("a sound file");
    let decoded = |level| {
        let observer = Decoded::default();
        let source = Arc::new(fs::read(&path).expect("a file that the test command makes"));
        let options = Options::new(level).observed_by(&observer);
        let report = validate("soft", source, &options).expect("bytes in memory are never missing");
        assert!(report.is_ok(), "{:?}", report.findings);
        observer.0.into_inner()
    };
    let (semantic, integrity) = (decoded(Level::Semantic), decoded(Level::Integrity));
    assert_eq!(integrity - semantic, verified.0.into_inner());
}

/// Counts the decoded bytes that were looked at.
#[derive(Default)]
struct Decoded(AtomicU64);

impl Observer for Decoded {
    fn progress(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Whether the name says that the file was made wrong on purpose.
fn is_mutated(name: &str) -> bool {
    let mut letters = name.chars();
    matches!(letters.next(), Some('E' | 'W'))
        && letters.by_ref().take(3).all(|letter| letter.is_ascii_digit())
}

fn samples(path: &Path) -> Vec<Sample> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let opened = medh5::open(bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    match opened {
        Opened::Sample(sample) => vec![sample],
        Opened::Collection(collection) => {
            let keys = collection.keys().expect("a readable collection");
            keys.iter()
                .filter_map(|key| collection.sample(key).expect("a readable member"))
                .collect()
        }
    }
}

fn as_json(path: &str, found: &Verification) -> Value {
    let with = |status| found.with_status(status).collect::<Vec<_>>();
    serde_json::json!({
        "path": path,
        "ok": found.is_ok(),
        "checked": found.checked(),
        "mismatched": with(ObjectStatus::Mismatch),
        "undigested": found.undigested,
        "unattested": found.unsigned,
        "malformed": with(ObjectStatus::Malformed),
        "content_id_ok": found.content_id_ok,
        "stale_index": found.stale_index,
        "unverifiable": with(ObjectStatus::Unchecked),
    })
}

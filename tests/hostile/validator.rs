//! Damaged samples never fail the validator itself: it always reports, at every level.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use medh5::validate::{Level, Options, Report, validate};
use oracles::chance::Chance;
use oracles::scratch;

const ROUNDS: usize = 500;
const PATIENCE: Duration = Duration::from_secs(20);

fn report(name: &str, bytes: Vec<u8>) -> Report {
    let start = Instant::now();
    let options = Options::new(Level::Integrity);
    let judged = catch_unwind(AssertUnwindSafe(|| validate(name, Arc::new(bytes), &options)));
    let report = judged.unwrap_or_else(|_| panic!("{name}: the validator panicked"));
    assert!(start.elapsed() < PATIENCE, "{name}: took {:?}", start.elapsed());
    report.unwrap_or_else(|error| panic!("{name}: the validator gave up: {error}"))
}

fn damage(name: &str) {
    let whole = fs::read(scratch::folder("suite").join(name)).expect("a file of the suite");
    let mut chance = Chance::new(7 ^ whole.len() as u64);
    let mut noticed = 0;
    for round in 0..ROUNDS {
        let mut bytes = whole.clone();
        for _ in 0..=chance.below(4) {
            let at = chance.below(bytes.len());
            bytes[at] ^= 1 << chance.below(8);
        }
        if round % 10 == 0 {
            bytes.truncate(chance.below(whole.len()));
        }
        noticed +=
            usize::from(!report(&format!("{name}, round {round}"), bytes).findings.is_empty());
    }
    assert!(noticed > ROUNDS / 10, "{name}: only {noticed} of {ROUNDS} rounds were noticed");
}

#[test]
fn a_damaged_sample_is_reported_on() {
    damage("longitudinal-two-timepoints.medh5");
}

#[test]
fn a_damaged_clinical_sample_is_reported_on() {
    damage("clinical-worked-example.medh5");
}

#[test]
fn a_damaged_collection_is_reported_on() {
    damage("collection-two-samples.medh5c");
}

#[test]
fn what_is_no_file_of_ours_is_one_finding() {
    for (name, bytes) in [
        ("empty", Vec::new()),
        ("text", b"not HDF5 at all".repeat(100)),
        ("zeros", vec![0; 100_000]),
    ] {
        let report = report(name, bytes);
        assert_eq!(report.findings.len(), 1, "{name}");
        assert_eq!(
            (report.findings[0].code.name, &*report.findings[0].location),
            ("E001", "/"),
            "{name}"
        );
    }
}

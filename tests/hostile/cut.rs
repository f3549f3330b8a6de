//! Files that end early, at every length.

use std::fs;

use oracles::structures::{find, put};
use oracles::{scratch, structures};

use crate::judge;

/// Every length below this, then some.
const EVERY: usize = 4096;
const STEP: usize = 61;

fn lengths(len: usize) -> impl Iterator<Item = usize> {
    (0..len.min(EVERY)).chain((EVERY..len).step_by(STEP))
}

fn cut(corpus: &str, name: &str) {
    let bytes = fs::read(scratch::folder(corpus).join(name)).expect("a file of the corpus");
    for len in lengths(bytes.len()) {
        let errors = judge::judge(&format!("{name}, {len} bytes"), bytes[..len].to_vec());
        assert!(!errors.is_empty(), "{name}: {len} of {} bytes read without an error", bytes.len());
    }
    judge::memory_stayed_small();
}

#[test]
fn a_sample_that_ends_early_is_an_error_at_every_length() {
    cut("suite", "core-minimal.medh5");
}

#[test]
fn an_old_file_that_ends_early_is_an_error_at_every_length() {
    cut("interop", "booleans-and-enums-earliest.h5");
}

#[test]
fn a_file_behind_a_user_block_that_ends_early_is_an_error_at_every_length() {
    cut("interop", "userblock-512-v110.h5");
}

/// The superblock of an old file has no checksum: with its end-of-file address lowered too, the cut shows only further in.
#[test]
fn a_cut_that_the_superblock_hides_shows_where_the_bytes_are_missing() {
    let name = "strings-variable-earliest.h5";
    let whole = fs::read(scratch::folder("interop").join(name)).expect("a file of the corpus");
    let mut failures = 0;
    for len in lengths(whole.len()).filter(|len| *len >= 96) {
        let mut bytes = whole[..len].to_vec();
        put(&mut bytes, 40, &(len as u64).to_le_bytes());
        failures += usize::from(!judge::judge(&format!("{name}, {len} bytes"), bytes).is_empty());
    }
    assert!(failures > 3000, "only {failures} cuts were noticed");
}

/// The same for a new one, whose superblock is sealed again.
#[test]
fn a_cut_that_a_sealed_superblock_hides_shows_too() {
    let name = "attributes-dense-v110.h5";
    let whole = fs::read(scratch::folder("interop").join(name)).expect("a file of the corpus");
    assert_eq!(find(&whole, b"\x89HDF"), [0]);
    let mut failures = 0;
    for len in (48..whole.len()).step_by(97) {
        let mut bytes = whole[..len].to_vec();
        put(&mut bytes, 28, &(len as u64).to_le_bytes());
        structures::seal(&mut bytes, 0, 44);
        failures += usize::from(!judge::judge(&format!("{name}, {len} bytes"), bytes).is_empty());
    }
    assert!(failures > 200, "only {failures} cuts were noticed");
}

//! The fuzz oracles on inputs that are kept, and on valid inputs with random damage.

use std::fs;
use std::path::PathBuf;

use hdf5::{Elements, Object};
use oracles::blosc2_cases::Cases;
use oracles::oracles::{
    ALL, arrival, blosc2_decode, clinical, copied, document, encode_then_decode, filters,
    open_and_walk, read_everything, recompress_keeps_content_id, structures, validate, views,
    windows,
};
use oracles::{open, scratch};

/// Damaged versions of each valid Blosc2 input, and of each file.
const DAMAGED_FRAMES: u64 = 60;
const DAMAGED_FILES: u64 = 12;
const EDITED_FILES: u64 = 3;
const DAMAGED_DOCUMENTS: u64 = 40;
const CLINICAL_TABLES: u64 = 400;

#[test]
fn kept_inputs() {
    let folder = scratch::workspace().join("tests/fixtures/fuzz");
    for (target, oracle) in ALL {
        let Ok(entries) = fs::read_dir(folder.join(target)) else { continue };
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            oracle(&fs::read(&path).expect("a readable file"));
        }
    }
}

#[test]
fn damaged_blosc2_frames_and_chunks() {
    let mut damage = Damage::default();
    for folder in [scratch::workspace().join("tests/fixtures/blosc2"), scratch::folder("blosc2")] {
        for case in Cases::load(&folder).iter().filter(|case| case.stored.len() < 5_000) {
            blosc2_decode(case.stored);
            for _ in 0..DAMAGED_FRAMES {
                blosc2_decode(&damage.of(case.stored));
            }
        }
    }
}

#[test]
fn damaged_files() {
    let mut damage = Damage::default();
    let samples = scratch::workspace().join("tests/fixtures/samples");
    for folder in [samples, scratch::folder("suite")] {
        for path in scratch::files(&folder, ".medh5") {
            let bytes = fs::read(&path).expect("a readable file");
            open_and_walk(&bytes);
            for _ in 0..DAMAGED_FILES {
                let damaged = damage.of(&bytes);
                open_and_walk(&damaged);
                read_everything(&damaged);
                validate(&damaged);
            }
        }
    }
}

#[test]
fn copies() {
    let hostile = scratch::files(&scratch::folder("hostile"), "");
    for path in small_files().into_iter().chain(hostile) {
        let bytes = fs::read(&path).expect("a readable file");
        copied(&[&[0, 0], &bytes[..]].concat());
    }
}

#[test]
fn views_of_files_with_something_wrong() {
    let branches = scratch::files(&scratch::folder("branches"), ".medh5");
    for path in small_files().into_iter().chain(branches) {
        let bytes = fs::read(&path).expect("a readable file");
        views(&[&[0, 0], &bytes[..]].concat());
    }
}

#[test]
fn edited_structures() {
    let mut damage = Damage::default();
    for path in small_files() {
        let bytes = fs::read(&path).expect("a readable file");
        for _ in 0..EDITED_FILES {
            let mut input = damage.edits();
            input.extend_from_slice(&bytes);
            structures(&input);
            arrival(&input);
            copied(&input);
            views(&input);
            windows(&[damage.numbers(12), input].concat());
        }
    }
}

#[test]
fn clinical_tables_of_any_cells() {
    let mut damage = Damage::default();
    for _ in 0..CLINICAL_TABLES {
        let len = damage.below(600);
        clinical(&damage.numbers(len));
    }
}

#[test]
fn filters_with_any_parameters() {
    let mut damage = Damage::default();
    for _ in 0..20_000 {
        let len = damage.below(200);
        filters(&damage.numbers(len));
    }
}

#[test]
fn elements_of_any_bytes() {
    let mut damage = Damage::default();
    for _ in 0..3_000 {
        let len = 9 + damage.below(60);
        encode_then_decode(&damage.numbers(len));
    }
}

#[test]
fn recompressed_files() {
    let mut damage = Damage::default();
    // What is small has nothing to re-encode; these are large when decoded.
    for path in scratch::files(&scratch::folder("compressible"), ".medh5") {
        let bytes = fs::read(&path).expect("a readable file");
        for profile in [0, 0x11, 0x12, 3] {
            recompress_keeps_content_id(&[&[profile, 0, 0], &bytes[..]].concat());
            for _ in 0..30 {
                let input = [vec![profile], damage.edits(), bytes.clone()].concat();
                recompress_keeps_content_id(&input);
            }
        }
    }
}

#[test]
fn damaged_documents() {
    let mut damage = Damage::default();
    for path in scratch::files(&scratch::folder("suite"), ".medh5") {
        let file = open::path(&path).ok().and_then(|file| file.root().ok());
        let Some(Ok(Some(Object::Dataset(meta)))) = file.map(|root| root.get("meta")) else {
            continue;
        };
        let Ok(Elements::Strings(texts)) = meta.read().map(|array| array.elements) else {
            continue;
        };
        for text in &texts {
            document(text);
            (0..DAMAGED_DOCUMENTS).for_each(|_| document(&damage.of(text)));
        }
    }
}

/// Files of every version of the format and every index, and whole samples.
fn small_files() -> Vec<PathBuf> {
    let corpora = ["interop", "suite"].map(|corpus| scratch::files(&scratch::folder(corpus), ""));
    let is_small =
        |path: &PathBuf| path.metadata().is_ok_and(|found| found.is_file() && found.len() < 40_000);
    corpora.into_iter().flatten().filter(is_small).collect()
}

/// Random damage, the same in every run.
struct Damage {
    state: u64,
}

impl Default for Damage {
    fn default() -> Self {
        Self { state: 0x9e37_79b9_7f4a_7c15 }
    }
}

impl Damage {
    /// Some bytes changed, more of them near the start, where headers are; now and then cut off.
    fn of(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        if self.below(8) == 0 {
            bytes.truncate(self.below(bytes.len() + 1));
        }
        for _ in 0..=self.below(3) {
            let region = bytes.len() >> (2 * self.below(4));
            if region == 0 {
                continue;
            }
            let place = self.below(region);
            let bit = self.below(8);
            let value = u8::try_from(self.below(256)).expect("below 256");
            bytes[place] = match self.below(4) {
                0 => bytes[place] ^ (1 << bit),
                1 => 0xff,
                2 => bytes[place].wrapping_add(1),
                _ => value,
            };
        }
        bytes
    }

    /// Some edits as the oracles of edited files read them.
    fn edits(&mut self) -> Vec<u8> {
        let count = 1 + self.below(3);
        let kind = self.numbers(1);
        [kind, vec![u8::try_from(count).expect("a few")], self.numbers(8 * count)].concat()
    }

    fn numbers(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| u8::try_from(self.below(256)).expect("below 256")).collect()
    }

    fn below(&mut self, n: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.state >> 33).expect("31 bits") % n
    }
}

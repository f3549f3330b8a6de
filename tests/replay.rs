//! The fuzz oracles on inputs that are kept, and on valid inputs with random damage.

use std::fs;

use oracles::blosc2_cases::Cases;
use oracles::oracles::{blosc2_decode, open_and_walk, read_everything, validate};
use oracles::scratch;

type Oracle = fn(&[u8]);

/// Damaged versions of each valid Blosc2 input, and of each file.
const DAMAGED_FRAMES: u64 = 60;
const DAMAGED_FILES: u64 = 12;

#[test]
fn kept_inputs() {
    let folder = scratch::workspace().join("tests/fixtures/fuzz");
    let targets: [(&str, Oracle); 4] = [
        ("blosc2_decode", blosc2_decode),
        ("open_and_walk", open_and_walk),
        ("read_everything", read_everything),
        ("validate", validate),
    ];
    for (target, oracle) in targets {
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

    fn below(&mut self, n: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.state >> 33).expect("31 bits") % n
    }
}

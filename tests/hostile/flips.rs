//! Random damage: 20,000 flips over ten files, in old structures that nothing guards and in new ones with checksums.

use std::fs;

use oracles::chance::Chance;
use oracles::scratch;

use crate::judge;

const FLIPS_PER_FILE: usize = 2_000;

fn flip(corpus: &str, name: &str) {
    let bytes = fs::read(scratch::folder(corpus).join(name)).expect("a file of the corpus");
    let mut chance = Chance::new(0x5eed ^ bytes.len() as u64);
    assert_eq!(judge::judge(name, bytes.clone()), [], "the undamaged file");
    let mut noticed = 0;
    for round in 0..FLIPS_PER_FILE {
        let mut damaged = bytes.clone();
        let mut places = Vec::new();
        for _ in 0..=chance.below(3) {
            // Half of the damage near the start, where metadata is dense.
            let end = if chance.below(2) == 0 { bytes.len().min(4096) } else { bytes.len() };
            let at = chance.below(end);
            damaged[at] ^= u8::try_from(1 + chance.below(255)).expect("below 256");
            places.push(at);
        }
        let errors = judge::judge(&format!("{name}, round {round}, bytes {places:?}"), damaged);
        noticed += usize::from(!errors.is_empty());
    }
    assert!(
        noticed > FLIPS_PER_FILE / 20,
        "{name}: only {noticed} of {FLIPS_PER_FILE} flips were noticed"
    );
    judge::memory_stayed_small();
}

macro_rules! flips {
    ($($test:ident: $corpus:literal / $name:literal,)*) => { $(
        #[test]
        fn $test() {
            flip($corpus, $name);
        }
    )* };
}

flips! {
    symbol_tables: "interop" / "links-deleted-earliest.h5",
    old_attributes: "interop" / "attributes-rewritten-earliest.h5",
    old_chunks: "interop" / "filter-masks-earliest.h5",
    old_datatypes: "interop" / "committed-types-earliest.h5",
    heaps: "interop" / "references-and-sequences-earliest.h5",
    chunk_arrays: "interop" / "edge-chunks-unfiltered-v110.h5",
    trees: "interop" / "userblock-512-v108.h5",
    creation_order: "interop" / "links-in-creation-order-latest.h5",
    a_sample: "suite" / "training-index.medh5",
    clinical_tables: "suite" / "clinical-worked-example.medh5",
}

//! How we store data is how the reference stores it.

use std::collections::BTreeMap;

use hdf5::Object;
use medh5::storage::{ChunkBudget, guessed_chunk, spatial_chunk};
use oracles::chance::Chance;
use oracles::{open, reference, scratch};
use serde_json::{Value, json};

/// Extents, patch hint, bytes of an element, share of the cache.
type Question = (Vec<u64>, Option<Vec<i64>>, u64, u64);

#[test]
fn chunks_of_grids() {
    let mut chance = Chance::new(14);
    let asked: Vec<Question> = (0..400)
        .map(|_| {
            let rank = 2 + chance.below(2);
            let longest = [40, 200, 700, 3000][chance.below(4)];
            let extents = (0..rank).map(|_| 1 + chance.below(longest) as u64).collect();
            let hints: Vec<i64> = (0..rank)
                .map(|_| i64::try_from(1 + chance.below(260)).expect("a small number"))
                .collect();
            let size = [1, 2, 4, 8][chance.below(4)];
            let share = [100 << 10, 1_441_792, 2 << 20, 4 << 20, 16 << 20][chance.below(5)];
            (extents, (chance.below(3) > 0).then_some(hints), size, share)
        })
        .collect();
    let questions = asked.iter().map(|(extents, patch, size, share)| {
        json!({ "shape": extents, "patch": patch, "itemsize": size, "share": share })
    });
    let answers = ask(questions);
    for ((extents, patch, size, share), expected) in asked.iter().zip(answers) {
        let budget = ChunkBudget::of_cache_share(*share);
        let found = spatial_chunk(extents, patch.as_deref(), *size, budget);
        assert_eq!(found, expected, "{extents:?}, patch {patch:?}, {size} bytes, share {share}");
    }
}

#[test]
fn chunks_of_other_data() {
    let mut chance = Chance::new(15);
    let asked: Vec<(Vec<u64>, u64)> = std::iter::repeat_with(|| {
        let rank = 1 + chance.below(4);
        let longest = [20, 300, 5000, 100_000][chance.below(4)];
        let shape: Vec<u64> = (0..rank).map(|_| 1 + chance.below(longest) as u64).collect();
        (shape, [1_u64, 2, 4, 8][chance.below(4)])
    })
    .filter(|(shape, size)| {
        let bytes = shape.iter().fold(*size, |bytes: u64, extent| bytes.saturating_mul(*extent));
        (64 << 10..1 << 40).contains(&bytes)
    })
    .take(200)
    .collect();
    let answers =
        ask(asked.iter().map(|(shape, size)| json!({ "shape": shape, "itemsize": size })));
    for ((shape, size), expected) in asked.iter().zip(answers) {
        assert_eq!(guessed_chunk(shape, *size), expected, "{shape:?} of {size} bytes");
    }
}

/// The blocks that a reader may ask for alone are those in which the C filter wrote.
#[test]
fn blocks_of_chunks() {
    let files =
        [("compressible", ".medh5"), ("bulk", "blosc2.medh5"), ("interop", "filter-blosc2")];
    let mut compared = 0;
    for path in files.iter().flat_map(|(name, part)| scratch::files(&scratch::folder(name), part)) {
        let file = open::path(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let said = reference::script("blocks_of.py", &[path.as_os_str().to_owned()]);
        let expected: BTreeMap<String, Option<Vec<u64>>> =
            serde_json::from_str(&said).expect("a list for each dataset");
        for (name, expected) in expected {
            let object = file.root().and_then(|root| root.get(&name));
            let Ok(Some(Object::Dataset(data))) = object else { panic!("{path:?} has no {name}") };
            let found = data.block_dims().unwrap_or_else(|error| panic!("{path:?}: {error}"));
            assert_eq!(found, expected, "{name} in {path:?}");
            compared += usize::from(found.is_some());
        }
    }
    assert!(compared > 50, "only {compared} datasets in blocks");
}

fn ask(questions: impl Iterator<Item = Value>) -> Vec<Vec<u64>> {
    let questions: Vec<String> = questions.map(|question| question.to_string()).collect();
    let questions = questions.join("\n") + "\n";
    let answers = reference::script_with_input("chunk_shapes.py", &[], &questions);
    answers.lines().map(|line| serde_json::from_str(line).expect("a list of numbers")).collect()
}

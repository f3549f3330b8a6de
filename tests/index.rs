//! The sampling index that we compute, against the one that the reference computes.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use medh5::annotations::AnnotationView;
use medh5::index::{IndexOptions, IndexTables};
use medh5::validate::Silent;
use medh5::{Opened, Sample};
use oracles::scratch;
use serde_json::{Value, json};

/// As in `index_tables.py`.
const OPTIONS: IndexOptions = IndexOptions { max_coords: 7, occupancy: Some(3), seed: 0 };

#[test]
fn counts_boxes_and_occupancy_are_the_reference_s() {
    let tables = scratch::folder("index");
    let mut compared = 0;
    for corpus in ["suite", "reference"] {
        for path in scratch::files(&scratch::folder(corpus), ".medh5") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let Ok(theirs) = fs::read(tables.join(format!("{name}.json"))) else { continue };
            let theirs: Value = serde_json::from_slice(&theirs).expect("the script writes JSON");
            // A class in two layers breaks the format; the reference counts one of them, we both.
            if name == "E404-class-in-two-layers" {
                continue;
            }
            let Some(sample) = sample(&path) else { continue };
            for annotation in sample.annotations().unwrap_or_default() {
                let expected = &theirs[annotation.name()];
                if expected["class_ids"].is_null() {
                    continue;
                }
                assert_eq!(ours(&annotation), *expected, "{name}: {}", annotation.name());
                compared += 1;
            }
        }
    }
    assert!(compared > 130, "only {compared} annotations were compared");
}

#[test]
fn what_is_stored_of_a_large_class_depends_on_nothing_but_its_voxels() {
    let path = &scratch::files(&scratch::folder("large"), "large.medh5")[0];
    let sample = sample(path).expect("the script writes a sample");
    let annotation = &sample.annotations().expect("sound annotations")[0];
    let compute = |seed| {
        let options = IndexOptions { seed, ..IndexOptions::default() };
        IndexTables::compute(annotation, options, &Silent).expect("readable labels")
    };
    let tables = compute(5);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    assert!(tables == one_thread.install(|| compute(5)), "the number of threads matters");
    assert!(tables != compute(6), "the seed does not matter");
    for class in &tables.classes {
        assert_eq!(class.coordinates.len() as u64, class.voxel_count.min(4096));
        assert!(class.coordinates.is_sorted_by(|a, b| a < b), "in C order, each once");
        spread(class.class_id, class.bounds.as_deref().expect("a box"), &class.coordinates);
    }
}

/// The chosen voxels come from all parts of the class's box, not from one end of it.
fn spread(class: i64, bounds: &[[u64; 2]], coordinates: &[Vec<u32>]) {
    for (axis, [low, high]) in bounds.iter().enumerate() {
        let middle = u32::midpoint(to_u32(*low), to_u32(*high));
        let below = coordinates.iter().filter(|voxel| voxel[axis] <= middle).count();
        let share = below * 100 / coordinates.len();
        assert!(
            (20..=80).contains(&share),
            "class {class}, axis {axis}: {share} % below the middle"
        );
    }
}

fn to_u32(place: u64) -> u32 {
    u32::try_from(place).expect("a place on an axis")
}

fn ours(annotation: &AnnotationView) -> Value {
    let tables = IndexTables::compute(annotation, OPTIONS, &Silent)
        .unwrap_or_else(|error| panic!("{}: {error}", annotation.path()));
    let bounds = |[low, high]: &[u64; 2]| {
        json!([f64::from(to_u32(*low)) - 0.5, f64::from(to_u32(*high)) + 0.5])
    };
    let bbox =
        |bounds_by_axis: &Vec<[u64; 2]>| bounds_by_axis.iter().map(bounds).collect::<Vec<_>>();
    let occupancy = tables.occupancy.expect("as asked for");
    let occupied =
        occupancy.blocks.iter().enumerate().filter(|(_, block)| **block).map(|(at, _)| at);
    let classes = &tables.classes;
    json!({
        "class_ids": classes.iter().map(|class| class.class_id).collect::<Vec<_>>(),
        "voxel_counts": classes.iter().map(|class| class.voxel_count).collect::<Vec<_>>(),
        "class_bboxes": classes.iter().map(|class| class.bounds.as_ref().map(bbox)).collect::<Vec<_>>(),
        "stored": classes.iter().map(|class| class.coordinates.len()).collect::<Vec<_>>(),
        "occupancy_shape": occupancy.shape,
        "occupied": occupied.collect::<Vec<_>>(),
    })
}

fn sample(path: &Path) -> Option<Sample> {
    let source = hdf5::FileSource::open(path).ok()?;
    match medh5::open(source).ok()? {
        Opened::Sample(sample) => Some(sample),
        Opened::Collection(_) => None,
    }
}

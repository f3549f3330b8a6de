//! Draws, judged by the labels as the reference reads them; and patches, by the voxels that they stand for.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use hdf5::Elements;
use medh5::sampling::{Edge, Patch, PatchSampler, SamplingOptions, Strategy};
use medh5::validate::Silent;
use medh5::{Opened, Sample};
use oracles::{program, reference, scratch};

#[test]
fn every_draw_lies_in_its_class_and_classes_come_alike() {
    let program = program::path();
    let draw = |path: &Path, annotation: &str, more: &[&str]| {
        let mut command = std::process::Command::new(&program);
        command.arg("sample").arg(path).args(["--annotation", annotation, "--json"]).args(more);
        let output = command.output().expect("the program was built");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}", path.display());
        output.stdout
    };
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("draws.json");
    let mut judged = 0;
    for path in annotated() {
        for annotation in sample(&path).annotations().expect("a sound sample") {
            if !annotation.is_of_classes_of_voxels().expect("a kind") {
                continue;
            }
            let options =
                ["--n", "300", "--strategy", "foreground", "--patch", "5", "--seed", "11"];
            fs::write(&report, draw(&path, annotation.name(), &options))
                .expect("room for a report");
            let arguments = [path.clone().into_os_string(), report.clone().into_os_string()];
            let faults = reference::script("judge_draws.py", &arguments);
            let (faults, name) = (faults.trim(), annotation.name());
            assert!(faults.is_empty(), "{}, {name}:\n{faults}", path.display());
            judged += 1;
        }
    }
    assert!(judged >= 15, "only {judged} annotations were judged");
}

#[test]
fn the_index_is_used_when_current_and_only_then() {
    let suite = scratch::folder("suite");
    let used = |name: &str, strategy| {
        let options = SamplingOptions { patch: vec![4], strategy, ..SamplingOptions::default() };
        let sampler = PatchSampler::open(&sample(&suite.join(name)), None, None, &options, &Silent);
        let patches = sampler.expect("a sound sample").draws(1, 0..20).expect("readable labels");
        patches.iter().map(|patch| patch.used_index).collect::<Vec<_>>()
    };
    assert_eq!(used("training-index.medh5", Strategy::Foreground), [Some(true); 20]);
    assert_eq!(used("integrity-index-sha512.medh5", Strategy::Foreground), [Some(true); 20]);
    assert_eq!(used("W905-stale-index.medh5", Strategy::Foreground), [Some(false); 20]);
    assert_eq!(used("training-index.medh5", Strategy::Uniform), [None; 20]);
    let both = used("training-index.medh5", Strategy::Balanced);
    assert!(both.contains(&None) && both.contains(&Some(true)));
}

#[test]
fn draws_may_be_taken_in_any_order() {
    let path = scratch::folder("suite").join("W905-stale-index.medh5");
    let options = SamplingOptions { patch: vec![4], ..SamplingOptions::default() };
    let sampler = PatchSampler::open(&sample(&path), None, None, &options, &Silent).expect("sound");
    let all = sampler.draws(9, 0..40).expect("readable labels");
    let rest = sampler.draws(9, 25..40).expect("readable labels");
    assert_eq!(all[25..], rest);
    assert_ne!(all, sampler.draws(10, 0..40).expect("readable labels"));
}

#[test]
fn patches_hold_the_voxels_of_their_place_and_padding() {
    let path = scratch::folder("suite").join("training-index.medh5");
    let sample = sample(&path);
    let image = &sample.images().expect("a sound sample")[0];
    let whole = image.data().expect("readable").expect("values").read().expect("readable");
    let annotation = sample.annotation("organs").expect("readable").expect("the index is of it");
    for edge in [Edge::Clamp, Edge::Pad] {
        let options =
            SamplingOptions { patch: vec![20, 9, 30], edge, ..SamplingOptions::default() };
        let sampler =
            PatchSampler::open(&sample, Some("organs"), None, &options, &Silent).expect("sound");
        for patch in sampler.draws(4, 0..30).expect("readable") {
            let found = patch.image(image, -77.0).expect("readable");
            assert_eq!(found.shape, [20, 9, 30]);
            compare(&patch, &whole, &found);
            let labels = patch.labels(&annotation, None).expect("readable");
            assert_eq!(labels.shape, [20, 9, 30]);
            if let Some(class) = patch.class_id {
                let (_, mask) = labels.iter().find(|(id, _)| *id == class).expect("its class");
                let at = |axis: &medh5::sampling::PatchAxis| axis.center + axis.pad[0] - axis.start;
                let [z, y, x] = [0, 1, 2].map(|axis| at(&patch.axes[axis]));
                assert_eq!(mask[to_usize((z * 9 + y) * 30 + x)], 1, "{patch:?}");
            }
        }
    }
}

fn compare(patch: &Patch, whole: &hdf5::Array, found: &hdf5::Array) {
    let (Elements::I16(whole_values), Elements::I16(values)) = (&whole.elements, &found.elements)
    else {
        panic!("the suite's images are int16")
    };
    for (place, value) in (0..).zip(values) {
        let coordinates = [place / 270, place / 30 % 9, place % 30];
        let voxel: Option<Vec<u64>> = coordinates
            .iter()
            .zip(&patch.axes)
            .map(|(at, axis)| {
                (*at >= axis.pad[0] && at - axis.pad[0] + axis.start < axis.stop)
                    .then(|| at - axis.pad[0] + axis.start)
            })
            .collect();
        let expected = voxel.map_or(-77, |voxel| {
            let at = (voxel[0] * whole.shape[1] + voxel[1]) * whole.shape[2] + voxel[2];
            whole_values[to_usize(at)]
        });
        assert_eq!(*value, expected, "{coordinates:?} of {patch:?}");
    }
}

/// Sound samples with annotations of voxels: every encoding, with and without an index.
fn annotated() -> Vec<PathBuf> {
    let clean = scratch::workspace().join("tests/fixtures/samples/clean.medh5");
    let reference = scratch::folder("reference").join("medh5-2.2.3-balanced.medh5");
    let suite = scratch::files(&scratch::folder("suite"), ".medh5");
    let is_sound = |path: &PathBuf| {
        let name = scratch::name_of(path);
        ["seg-", "training-", "longitudinal", "integrity-index"]
            .iter()
            .any(|kind| name.starts_with(kind))
            && fs::metadata(path).is_ok()
    };
    [clean, reference].into_iter().chain(suite.into_iter().filter(is_sound)).collect()
}

fn sample(path: &Path) -> Sample {
    let source = hdf5::FileSource::open(path).expect("a file");
    match medh5::open(source).unwrap_or_else(|error| panic!("{}: {error}", path.display())) {
        Opened::Sample(sample) => sample,
        Opened::Collection(_) => panic!("{}: a collection", path.display()),
    }
}

fn to_usize(place: u64) -> usize {
    usize::try_from(place).expect("a small array")
}

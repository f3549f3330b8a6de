//! Our Blosc2 decoder gives the bytes that the C library gives, whole and in windows.

use std::path::Path;

use blosc2::Scratch;
use oracles::blosc2_cases::Cases;
use oracles::scratch;

/// Windows of each case.
const WINDOWS: u64 = 3;

#[test]
fn chunks_of_the_c_filters() {
    compare(&scratch::folder("blosc2"));
}

#[test]
fn frames_of_the_python_library() {
    compare(&scratch::workspace().join("tests/fixtures/blosc2"));
}

fn compare(folder: &Path) {
    let cases = Cases::load(folder);
    let mut scratch = Scratch::new();
    let mut seed = 1;
    for case in cases.iter() {
        let corner = vec![0; case.shape.len()];
        let found = case.decode_box(&corner, case.shape, &mut scratch);
        assert!(found.as_deref() == Ok(case.decoded), "{}: {:?}", case.name, found.err());
        for _ in 0..if case.decoded.is_empty() { 0 } else { WINDOWS } {
            let (start, shape) = window(case.shape, &mut seed);
            let found = case.decode_box(&start, &shape, &mut scratch);
            let expected = case.expected_box(&start, &shape);
            assert!(found == Ok(expected), "{}: {shape:?} elements from {start:?}", case.name);
        }
    }
}

/// A box inside an array of this shape, never empty.
fn window(shape: &[usize], seed: &mut u64) -> (Vec<usize>, Vec<usize>) {
    let mut below = |n: usize| {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(*seed >> 33).expect("31 bits") % n
    };
    shape
        .iter()
        .map(|n| {
            let start = below(*n);
            (start, 1 + below(n - start))
        })
        .unzip()
}

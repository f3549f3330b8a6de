//! Windows of datasets against the whole.

use std::sync::Arc;

use hdf5::{ByteSource, ChunkCache, Dataset, Elements, File, Object, OpenOptions, Window};

use super::edited;
use super::open_and_walk::walk;
use crate::{describe, open};

/// Elements of a dataset that is looked at.
const MAX_ELEMENTS: u64 = 1 << 14;

/// Room for a few chunks of small files.
const CACHE_BYTES: usize = 1 << 16;

/// Datasets that are looked at.
const MAX_OBJECTS: usize = 40;

/// Axes that the input has numbers for; others are read whole.
const AXES: usize = 4;

/// Reads a window of every dataset. Input: for each of four axes the start, extent and step (a byte each), then a file with
/// edits ([`edited`]).
///
/// With a cache of chunks and without one: where the whole can be read, so can every window in it, with the same elements; a window that does not lie in the dataset is
/// an error.
pub fn windows(data: &[u8]) {
    let Some((numbers, rest)) = data.split_at_checked(3 * AXES) else { return };
    let Some(bytes) = edited(rest) else { return };
    let bytes: Arc<dyn ByteSource> = Arc::new(bytes);
    let cached = OpenOptions {
        chunk_cache: Some(Arc::new(ChunkCache::new(CACHE_BYTES))),
        ..open::options()
    };
    for options in [open::options(), cached] {
        let Ok(file) = File::open_with(Arc::clone(&bytes), options) else { return };
        let Ok(root) = file.root() else { return };
        let mut left = MAX_OBJECTS;
        walk(&root, 0, &mut left, &mut |object| {
            if let Object::Dataset(dataset) = object {
                check(dataset, numbers);
            }
        });
    }
}

fn check(dataset: &Dataset, numbers: &[u8]) {
    let shape = dataset.shape();
    let elements = shape.iter().try_fold(1_u64, |n, extent| n.checked_mul(*extent));
    if elements.is_none_or(|n| n > MAX_ELEMENTS) {
        return;
    }
    let axis = |axis: usize, extent: u64| match numbers.get(3 * axis..3 * axis + 3) {
        Some(numbers) => [numbers[0], numbers[1], numbers[2] % 8].map(u64::from),
        None => [0, extent, 1],
    };
    let axes: Vec<[u64; 3]> =
        shape.iter().enumerate().map(|(at, extent)| axis(at, *extent)).collect();
    let part = |which: usize| axes.iter().map(|axis| axis[which]).collect::<Vec<_>>();
    let window = Window::new(&part(0), &part(1)).with_step(&part(2));
    let found = dataset.read_window(&window);
    assert_eq!(dataset.read_window(&window).is_ok(), found.is_ok(), "asked twice");
    let found = found.and_then(|_| dataset.read_window(&window));
    let fits = axes.iter().zip(shape).all(|([start, count, step], extent)| {
        *step > 0
            && if *count == 0 { start <= extent } else { start + (count - 1) * step < *extent }
    });
    if !fits {
        assert!(found.is_err(), "{}: a window outside was read", dataset.path());
        return;
    }
    let Ok(whole) = dataset.read() else { return };
    let found =
        found.unwrap_or_else(|error| panic!("{}: the whole can be read: {error}", dataset.path()));
    assert_eq!(found.shape, part(1), "{}", dataset.path());
    let places = places(&axes, shape);
    let expected = pick(&whole.elements, &places);
    assert_eq!(
        describe::digest(&found.elements),
        describe::digest(&expected),
        "{}",
        dataset.path()
    );
}

/// Where the window's elements are in the whole, in order.
fn places(axes: &[[u64; 3]], shape: &[u64]) -> Vec<usize> {
    if axes.iter().any(|[_, count, _]| *count == 0) {
        // Another axis may be of any extent.
        return Vec::new();
    }
    let mut places = vec![0_u64];
    for ([start, count, step], extent) in axes.iter().zip(shape) {
        let along = |base: u64| (0..*count).map(move |at| base * extent + start + at * step);
        places = places.into_iter().flat_map(along).collect();
    }
    places.into_iter().map(|place| usize::try_from(place).expect("few elements")).collect()
}

fn pick(elements: &Elements, places: &[usize]) -> Elements {
    macro_rules! by_type {
        ($($variant:ident),*) => {
            match elements {
                $(Elements::$variant(all) => {
                    Elements::$variant(places.iter().map(|place| all[*place].clone()).collect())
                })*
                Elements::Raw { element_size, bytes } => {
                    let element = |place: &usize| &bytes[place * element_size..][..*element_size];
                    Elements::Raw { element_size: *element_size, bytes: places.iter().flat_map(element).copied().collect() }
                }
                _ => panic!("elements of a new kind"),
            }
        };
    }
    by_type!(I8, U8, I16, U16, I32, U32, I64, U64, F16, F32, F64, Strings)
}

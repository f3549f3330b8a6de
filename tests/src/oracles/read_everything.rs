//! HDF5 files made of any bytes: their elements.

use std::sync::Arc;

use hdf5::{Dataset, Object, Window};

use super::open_and_walk::walk;
use crate::open;

/// Elements of a dataset that are read whole.
const MAX_ELEMENTS: u64 = 1 << 16;

/// Datasets that are read.
const MAX_OBJECTS: usize = 200;

/// Opens `data` as a file and reads every dataset: all of a small one, a corner of a large one.
///
/// Nothing panics, and no read gives more than was asked for.
pub fn read_everything(data: &[u8]) {
    let Ok(file) = open::source(Arc::new(data.to_vec())) else { return };
    let Ok(root) = file.root() else { return };
    let mut left = MAX_OBJECTS;
    walk(&root, 0, &mut left, &mut |object| {
        if let Object::Dataset(dataset) = object {
            read(dataset);
        }
    });
}

fn read(dataset: &Dataset) {
    let shape = dataset.shape();
    let elements = shape.iter().try_fold(1_u64, |n, extent| n.checked_mul(*extent));
    if elements.is_some_and(|n| n <= MAX_ELEMENTS) {
        if let Ok(array) = dataset.read() {
            assert_eq!(array.shape, shape, "{}", dataset.path());
        }
        return;
    }
    let corner: Vec<u64> = shape.iter().map(|n| n / 2).collect();
    let extent: Vec<u64> = shape.iter().zip(&corner).map(|(n, first)| (n - first).min(5)).collect();
    if let Ok(array) = dataset.read_window(&Window::new(&corner, &extent)) {
        assert_eq!(array.shape, extent, "{}", dataset.path());
    }
}

//! Files that we write, read and changed by libhdf5, and copies compared with their originals.
#![expect(clippy::panic, reason = "a test fails by panicking")]

#[path = "written/copies.rs"]
mod copies;
#[path = "written/h5wasm.rs"]
mod h5wasm;
#[path = "written/placement.rs"]
mod placement;
#[path = "written/trees.rs"]
mod trees;

use std::path::Path;

use hdf5::{FileSink, NewGroup, WriteOptions, Written};

/// Writes a file with every filter that we can encode.
fn write(root: NewGroup, path: &Path) -> Result<Written, hdf5::Error> {
    let file = std::fs::File::create(path).unwrap_or_else(|error| panic!("{error}"));
    let registry = medh5::storage::reading();
    hdf5::write(root, &registry, &mut FileSink::new(file), &WriteOptions::default())
}

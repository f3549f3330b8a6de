//! Opening files with everything this project can decode.

use std::path::Path;
use std::sync::Arc;

use hdf5::{ByteSource, Error, File, OpenOptions};

/// Opens a file by its path, from memory.
///
/// # Errors
/// As [`File::open_with`].
pub fn path(path: &Path) -> Result<File, Error> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    source(Arc::new(bytes))
}

/// Opens a source.
///
/// # Errors
/// As [`File::open_with`].
pub fn source(source: Arc<dyn ByteSource>) -> Result<File, Error> {
    File::open_with(source, options())
}

/// The default limits and every filter this project knows.
pub fn options() -> OpenOptions {
    OpenOptions { filters: medh5::storage::reading(), ..OpenOptions::default() }
}

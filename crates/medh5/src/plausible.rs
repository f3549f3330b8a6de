//! Whether a dataset's extent is one that somebody may have written.
//!
//! A few bytes can declare 2^80 elements, all of them the fill value: looking at each would never end, and no memory would
//! hold them.

use hdf5::{Dataset, Window};

use crate::ReadError;

/// Decoded bytes that are always read at once (16 MiB); as numbers of 64 bits they take up to eight times as much.
const READ_BYTES: u64 = 16 << 20;

/// Decoded bytes per stored byte that need no further reason where data are looked through in pieces.
const PLAUSIBLE_SCAN: u64 = 2048;

/// The same where they are read at once: columns of coordinates and identifiers, which compress less than masks.
const PLAUSIBLE_READ: u64 = 16;

/// Refuses to look through a dataset that is out of all proportion to what is stored of it.
///
/// # Errors
/// [`ReadError::Limit`] for such a dataset, [`ReadError::File`] when its chunks cannot be listed.
pub(crate) fn require_plausible_scan(dataset: &Dataset) -> Result<(), ReadError> {
    let max = dataset.limits().max_unstored_bytes;
    require(dataset, PLAUSIBLE_SCAN, "max_unstored_bytes", max)
}

/// The same before a dataset is read as a whole.
///
/// # Errors
/// As [`require_plausible_scan`].
pub(crate) fn require_plausible_read(dataset: &Dataset) -> Result<(), ReadError> {
    require(dataset, PLAUSIBLE_READ, "bytes read at once", READ_BYTES)
}

fn require(
    dataset: &Dataset,
    plausible: u64,
    limit: &'static str,
    max: u64,
) -> Result<(), ReadError> {
    let element_bytes = u64::from(dataset.datatype().size);
    let decoded =
        dataset.dataspace().element_count().and_then(|count| count.checked_mul(element_bytes));
    match decoded {
        Some(decoded) if decoded <= max => return Ok(()),
        Some(decoded) if decoded / plausible <= stored_bytes(dataset)? => return Ok(()),
        _ => {}
    }
    let (path, shape) = (dataset.path(), dataset.shape());
    let what = format!("bytes of {path}, {shape:?} elements of which next to nothing is stored");
    Err(ReadError::Limit { what, found: decoded.unwrap_or(u64::MAX), limit, max })
}

fn stored_bytes(dataset: &Dataset) -> Result<u64, ReadError> {
    if dataset.chunk_dims().is_some() {
        let chunks = dataset.stored_chunks()?;
        let lengths = chunks.iter().map(|chunk| chunk.range.end.saturating_sub(chunk.range.start));
        return Ok(lengths.fold(0, u64::saturating_add));
    }
    // Contiguous data are stored as a whole or not at all.
    let first = Window::new(&vec![0; dataset.shape().len()], &vec![1; dataset.shape().len()]);
    let is_stored = !dataset.plan(&first)?.ranges().is_empty();
    Ok(if is_stored { u64::MAX } else { 0 })
}

//! Whether a dataset's extent is one that somebody may have written.
//!
//! A few bytes can declare 2^80 elements, all of them the fill value: looking at each would never end, and no memory would
//! hold them.

use hdf5::{Dataset, Window};

use crate::ReadError;

/// Decoded bytes that are always looked through in pieces, even if nothing of them is stored (16 GiB).
const SCANNED_BYTES: u64 = 16 << 30;

/// Decoded bytes that are always read at once (256 MiB).
const READ_BYTES: u64 = 256 << 20;

/// Decoded bytes per stored byte that the codecs reach on real data, and then some.
const MOST_DECODED_PER_STORED: u64 = 4096;

/// Refuses to look through a dataset that is out of all proportion to what is stored of it.
///
/// # Errors
/// [`ReadError::Value`] for such a dataset, [`ReadError::File`] when its chunks cannot be listed.
pub(crate) fn require_plausible_scan(dataset: &Dataset) -> Result<(), ReadError> {
    require(dataset, SCANNED_BYTES)
}

/// The same before a dataset is read as a whole.
///
/// # Errors
/// As [`require_plausible_scan`].
pub(crate) fn require_plausible_read(dataset: &Dataset) -> Result<(), ReadError> {
    require(dataset, READ_BYTES)
}

fn require(dataset: &Dataset, always: u64) -> Result<(), ReadError> {
    let element_bytes = u64::from(dataset.datatype().size);
    let decoded =
        dataset.dataspace().element_count().and_then(|count| count.checked_mul(element_bytes));
    match decoded {
        Some(decoded) if decoded <= always => return Ok(()),
        Some(decoded) if decoded / MOST_DECODED_PER_STORED <= stored_bytes(dataset)? => {
            return Ok(());
        }
        _ => {}
    }
    let (path, shape) = (dataset.path(), dataset.shape());
    Err(ReadError::value(format!("{path}: {shape:?} elements, of which next to nothing is stored")))
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

//! A dataset's line: type, extent, storage, and its elements as a whole and in windows.

use hdf5::{Class, Dataset, Dataspace, Error, StorageKind, Window};
use serde_json::{Value, json};

use super::{failed, types, values};

/// As `describe_dataset` in `describe.py`, except for the windows: those are chosen there, see [`window`].
pub(super) fn describe(dataset: &Dataset) -> Value {
    let storage = match dataset.storage() {
        StorageKind::Compact => "compact",
        StorageKind::Contiguous => "contiguous",
        StorageKind::Chunked => "chunked",
        StorageKind::Virtual => "virtual",
        StorageKind::External => "external",
    };
    let filters: Vec<u16> = dataset.filters().iter().map(|filter| filter.id).collect();
    let mut line = json!({
        "type": types::describe(dataset.datatype()),
        "shape": types::shape(dataset.dataspace()),
        "storage": storage,
        "chunk": dataset.chunk_dims(),
        "filters": filters,
    });
    if !values::comparable(dataset.datatype(), dataset.dataspace()) {
        line["digest"] = Value::Null;
        return line;
    }
    match dataset.read() {
        Ok(array) => line["digest"] = values::digest(&array.elements).into(),
        // Refused by name, as opposed to broken.
        Err(error) if error.class() == Class::Unsupported => {
            line["refused"] = true.into();
            line["reason"] = error.to_string().into();
        }
        Err(error) => line["digest"] = failed(&error),
    }
    line
}

/// The digest of one window that `describe.py` chose: `{start, shape, step}`.
pub fn window(dataset: &Dataset, wanted: &Value) -> Value {
    let axis = |key: &str| -> Vec<u64> {
        wanted[key].as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
    };
    let window = Window::new(&axis("start"), &axis("shape")).with_step(&axis("step"));
    match read(dataset, &window) {
        Ok(digest) => digest.into(),
        Err(error) => failed(&error),
    }
}

/// Reads a window in each way that its type allows; they must agree.
fn read(dataset: &Dataset, window: &Window) -> Result<String, Error> {
    let digest = values::digest(&dataset.read_window(window)?.elements);
    if dataset.datatype().number().is_some() && *dataset.dataspace() != Dataspace::Null {
        let count: u64 = window.shape.iter().product();
        let mut bytes =
            vec![0; usize::try_from(count).unwrap_or(0) * dataset.datatype().size as usize];
        dataset.read_bytes(window, &mut bytes)?;
        if values::digest_bytes(&bytes) != digest {
            return Ok("read_bytes differs from read_window".to_owned());
        }
    }
    Ok(digest)
}

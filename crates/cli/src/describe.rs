//! Objects of a file in words and as JSON.

use hdf5::{Dataset, Datatype, FilterDescription, Object, StorageKind};
use medh5::ReadError;
use medh5::attributes::Attributes;
use medh5::integrity::canonical_attribute;
use serde_json::{Map, Value};

/// `16x24x24`, or `scalar`.
pub(crate) fn extent(shape: &[u64]) -> String {
    if shape.is_empty() {
        return "scalar".into();
    }
    shape.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}

/// The name of a type, with its byte order where that is unusual.
pub(crate) fn type_name(datatype: &Datatype) -> String {
    let name = medh5::values::dtype_name(datatype);
    match datatype.byte_order() {
        Some(hdf5::ByteOrder::Big) if datatype.size > 1 => format!("{name} big-endian"),
        _ => name.into_owned(),
    }
}

/// `contiguous`, or the chunk's extent and its filters.
pub(crate) fn storage(dataset: &Dataset) -> String {
    let word = match dataset.storage() {
        StorageKind::Compact => "compact",
        StorageKind::Contiguous => "contiguous",
        StorageKind::Chunked => "chunked",
        StorageKind::Virtual => "virtual",
        StorageKind::External => "external",
    };
    let Some(chunk) = dataset.chunk_dims() else { return word.into() };
    let filters: Vec<_> = dataset.filters().iter().map(filter).collect();
    match filters.is_empty() {
        true => format!("chunks {}", extent(chunk)),
        false => format!("chunks {} {}", extent(chunk), filters.join("+")),
    }
}

/// The name of a filter; for Blosc2 also its codec.
fn filter(filter: &FilterDescription) -> String {
    const CODECS: [&str; 6] = ["blosclz", "lz4", "lz4hc", "", "zlib", "zstd"];
    let known = match filter.id {
        1 => "deflate",
        2 => "shuffle",
        3 => "fletcher32",
        4 => "szip",
        5 => "nbit",
        6 => "scaleoffset",
        32000 => "lzf",
        32001 => "blosc",
        32004 => "lz4",
        32008 => "bitshuffle",
        32015 => "zstd",
        32026 => {
            let codec = filter.client_data.get(6).and_then(|&code| CODECS.get(code as usize));
            return codec.map_or_else(|| "blosc2".into(), |codec| format!("blosc2-{codec}"));
        }
        id => return filter.name.clone().unwrap_or_else(|| format!("filter {id}")),
    };
    known.into()
}

/// All attributes of an object as JSON values; text that is no JSON number, list or text is described.
///
/// # Errors
/// When the storage of the attributes is broken. One that cannot be read becomes an object with its `error`.
pub(crate) fn attributes(attributes: &Attributes) -> Result<Map<String, Value>, ReadError> {
    let mut object = Map::new();
    for attribute in attributes.list()? {
        let value = match attribute.read() {
            Ok(array) => {
                let text = canonical_attribute(&attribute.datatype, &array);
                serde_json::from_str(&text).unwrap_or(Value::String(text))
            }
            Err(error) => serde_json::json!({ "error": error.to_string() }),
        };
        object.insert(attribute.name.clone(), value);
    }
    Ok(object)
}

/// The attributes of an object.
pub(crate) fn attributes_of(object: &Object) -> Result<Map<String, Value>, ReadError> {
    attributes(&Attributes::of(object.clone()))
}

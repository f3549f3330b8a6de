//! Types and storage in words.

use hdf5::{ByteOrder, Dataset, Datatype, FilterDescription, StorageKind};

use crate::values::dtype_name;

/// `16x24x24`, or `scalar`.
pub fn extent_text(shape: &[u64]) -> String {
    if shape.is_empty() {
        return "scalar".into();
    }
    shape.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}

/// The name of a type, with its byte order where that is unusual.
pub fn type_text(datatype: &Datatype) -> String {
    let name = dtype_name(datatype);
    match datatype.byte_order() {
        Some(ByteOrder::Big) if datatype.size > 1 => format!("{name} big-endian"),
        _ => name.into_owned(),
    }
}

/// `contiguous`, or the chunk's extent and its filters.
pub fn storage_text(dataset: &Dataset) -> String {
    let word = match dataset.storage() {
        StorageKind::Compact => "compact",
        StorageKind::Contiguous => "contiguous",
        StorageKind::Chunked => "chunked",
        StorageKind::Virtual => "virtual",
        StorageKind::External => "external",
    };
    let Some(chunk) = dataset.chunk_dims() else { return word.into() };
    let filters: Vec<_> = dataset.filters().iter().map(filter_text).collect();
    format!("chunks {} {}", extent_text(chunk), filters.join("+")).trim_end().to_owned()
}

/// The name of a filter; for Blosc2 also its codec.
fn filter_text(filter: &FilterDescription) -> String {
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

//! How large datasets are stored.

use hdf5::{Dataset, DatatypeClass};

use crate::ReadError;
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule =
    Rule::new("check_bulk_storage", Level::Structural, check);

/// Data from this size on should be chunked and filtered.
const BULK_BYTES: u64 = 1 << 20;

/// W902: large data are in chunks, with some filter. The document and the derived index are left alone.
fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    for (path, dataset) in context.sample.walk()?.datasets() {
        // An extent that cannot be counted cannot be stored either.
        let bytes = decoded_bytes(dataset).unwrap_or(0);
        let is_plain = dataset.chunk_dims().is_none() || dataset.filters().is_empty();
        if is_plain && bytes >= BULK_BYTES && path != "meta" && !path.starts_with("index/") {
            let message = format!("{bytes} bytes without chunks, or without a filter");
            out.report(codes::W902, format!("/{path}"), message);
        }
    }
    Ok(())
}

fn decoded_bytes(dataset: &Dataset) -> Option<u64> {
    let element_bytes = match dataset.datatype().class {
        // As a pointer, whatever the texts hold.
        DatatypeClass::VariableString { .. } => 8,
        _ => u64::from(dataset.datatype().size),
    };
    dataset.dataspace().element_count()?.checked_mul(element_bytes)
}

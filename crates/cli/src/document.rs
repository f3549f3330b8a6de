//! The sample document as the commands show it.

use medh5::document::Document;
use medh5::json::parse;
use medh5::{ReadError, Sample};
use serde_json::Value;

/// The document as JSON; null when there is none.
///
/// # Errors
/// When it is there and is not JSON.
pub(crate) fn value_of(sample: &Sample) -> Result<Value, ReadError> {
    let Some(text) = text_of(sample)? else { return Ok(Value::Null) };
    serde_json::from_str(&text)
        .map_err(|error| ReadError::value(format!("/meta is not JSON: {error}")))
}

/// The document, if it can be used.
///
/// # Errors
/// When it is there and cannot be read.
pub(crate) fn of(sample: &Sample) -> Result<Option<Document>, ReadError> {
    let Some(text) = text_of(sample)? else { return Ok(None) };
    Ok(parse(&text).ok().and_then(|value| Document::parse(&value).ok()))
}

fn text_of(sample: &Sample) -> Result<Option<String>, ReadError> {
    let Some(dataset) = sample.dataset("meta")? else { return Ok(None) };
    match dataset.read()?.elements {
        hdf5::Elements::Strings(strings) => {
            Ok(strings.first().map(|text| String::from_utf8_lossy(text).into_owned()))
        }
        _ => Ok(None),
    }
}

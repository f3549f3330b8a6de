//! What needs no file: codes, their pages, and versions.

use medh5::validate::codes;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Thrown, refused};

#[derive(Serialize)]
struct CodeEntry {
    code: &'static str,
    severity: &'static str,
    domain: &'static str,
    since: &'static str,
    revision: u8,
    summary: &'static str,
}

/// The table of diagnostic codes, as JSON.
#[wasm_bindgen]
pub fn codes() -> String {
    let entries = codes::ALL.iter().map(|code| CodeEntry {
        code: code.name,
        severity: code.severity.name(),
        domain: code.domain.name(),
        since: code.since,
        revision: code.revision,
        summary: code.summary,
    });
    json(&entries.collect::<Vec<_>>())
}

/// The page of a code, as Markdown.
///
/// # Errors
/// An object of class `request` when there is no such code.
#[wasm_bindgen]
pub fn explain(code: &str) -> Result<String, Thrown> {
    codes::find(code)
        .map(|code| code.page.to_owned())
        .ok_or_else(|| refused(&format!("there is no code `{code}`")))
}

/// The version triple of a report, as JSON.
#[wasm_bindgen]
pub fn version() -> String {
    json(&medh5::ABOUT)
}

/// JSON of values that always serialize: no maps with other keys than text.
pub(crate) fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

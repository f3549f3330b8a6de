//! The audit of a cohort: entries come as JSON from wherever files were surveyed.

use medh5::cohort::{Audit, CohortEntry, audit};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Thrown, refused};

/// A cohort as it comes in.
#[wasm_bindgen]
#[derive(Default)]
pub struct CoreAudit {
    entries: Vec<CohortEntry>,
    found: Option<Audit>,
}

#[wasm_bindgen]
impl CoreAudit {
    /// Of no file yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the entries that `CoreFile.survey` gave.
    ///
    /// # Errors
    /// An object of class `request` for other JSON.
    pub fn add(&mut self, entries: &str) -> Result<(), Thrown> {
        let entries: Vec<CohortEntry> = serde_json::from_str(entries)
            .map_err(|error| refused(&format!("these are no entries of a cohort: {error}")))?;
        self.entries.extend(entries);
        self.found = None;
        Ok(())
    }

    /// The audit in a form of the command line: `json`, `csv`, `samples` or `html`.
    ///
    /// # Errors
    /// An object of class `request` for another form.
    pub fn report(&mut self, form: &str) -> Result<String, Thrown> {
        let entries = &self.entries;
        let found = self.found.get_or_insert_with(|| audit(entries));
        Ok(match form {
            "json" => report::cohort::json(found),
            "csv" => report::cohort::findings_csv(found),
            "samples" => report::cohort::samples_csv(found),
            "html" => report::cohort::html(found),
            _ => return Err(refused(&format!("there is no form `{form}` of an audit"))),
        })
    }
}

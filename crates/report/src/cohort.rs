//! The audit of a cohort. JSON is its own form; these are for spreadsheets and people.

mod csv;
mod html;

use medh5::cohort::Audit;

pub use csv::{findings_csv, samples_csv};
pub use html::{change_lines, html};

/// The audit as JSON, and a final newline.
pub fn json(audit: &Audit) -> String {
    // Numbers, texts and lists of them: nothing that JSON cannot hold.
    serde_json::to_string_pretty(audit).unwrap_or_default() + "\n"
}

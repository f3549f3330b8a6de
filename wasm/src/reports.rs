//! Reports to take away, in the forms of the command line, from the JSON of single files.

use medh5::validate::{Level, Options, Report, from_json, to_json};
use report::{Form, Summary, Verdict};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Thrown, refused};

/// A report as it is written, file by file.
#[wasm_bindgen]
pub struct CoreReport {
    writer: Box<dyn report::Report>,
    summary: Summary,
}

#[wasm_bindgen]
impl CoreReport {
    /// A report of this form on `expected` files. The forms for people list `max_findings` of one code per file; 0 lists all.
    ///
    /// # Errors
    /// An object of class `request` for a form that is not there.
    #[wasm_bindgen(constructor)]
    pub fn new(form: &str, expected: usize, max_findings: usize) -> Result<Self, Thrown> {
        let form = Form::parse(form)
            .ok_or_else(|| refused(&format!("there is no form `{form}` of a report")))?;
        Ok(Self { writer: form.report(max_findings), summary: Summary::of(expected) })
    }

    /// Adds one file, in the order of the report: a list with its report as JSON, and its length in bytes. `suppressed` says of
    /// each finding whether it is. Gives the next part of the text.
    ///
    /// # Errors
    /// An object of class `request` for other JSON.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "JavaScript hands values over, not references"
    )]
    pub fn add(
        &mut self,
        report: &str,
        byte_length: f64,
        suppressed: Option<Vec<u8>>,
        fingerprint: Option<String>,
    ) -> Result<String, Thrown> {
        let mut part = Vec::new();
        for report in from_json(report).map_err(|error| refused(&error.to_string()))? {
            let given = suppressed.as_deref().unwrap_or_default();
            let muted = (0..report.findings.len()).map(|at| given.get(at) == Some(&1)).collect();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a length below 2^53; the cast saturates"
            )]
            let bytes = byte_length as u64;
            let verdict = Verdict { report, muted, bytes, fingerprint: fingerprint.clone() };
            self.summary.add(&verdict);
            self.writer
                .file(&verdict, &mut part)
                .map_err(|error| refused(&format!("the report cannot be written: {error}")))?;
        }
        Ok(text(part))
    }

    /// The rest of the text.
    ///
    /// # Errors
    /// An object of class `request` when it cannot be written.
    pub fn finish(&mut self) -> Result<String, Thrown> {
        let mut part = Vec::new();
        self.writer
            .finish(&self.summary, &mut part)
            .map_err(|error| refused(&format!("the report cannot be written: {error}")))?;
        Ok(text(part))
    }
}

/// Every form writes UTF-8.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| error.to_string())
}

/// The report, as JSON, on a file that could not be validated at all.
///
/// # Errors
/// An object of class `request` for an unknown level.
#[wasm_bindgen(js_name = refusedReport)]
pub fn refused_report(path: &str, level: &str, reason: &str) -> Result<String, Thrown> {
    let level: Level = level.parse().map_err(|error| refused(&format!("{error}")))?;
    Ok(to_json([&Report::refused(path, &Options::new(level), reason)]))
}

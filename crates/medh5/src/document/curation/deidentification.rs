//! How names and dates were taken out.

use crate::document::Flaw;
use crate::document::members::Members;
use crate::document::time::is_timestamp;
use crate::json::Value;
use crate::validate::codes;

/// How the sample was de-identified.
#[derive(Debug, Clone, PartialEq)]
pub struct Deidentification {
    /// The method.
    pub method: String,
    /// The profile of the method.
    pub profile: Option<String>,
    /// By how many days dates were shifted.
    pub date_shift_days: Option<i64>,
    /// `external`, `irreversible` or `none`.
    pub id_mapping: Option<String>,
    /// The agent that did it.
    pub performed_by: Option<String>,
    /// When it was done.
    pub date: Option<String>,
    /// Whether text inside the pictures was looked for.
    pub burned_in_annotation_checked: Option<bool>,
}

impl Deidentification {
    pub(crate) fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "`deidentification`")?;
        let record = Self {
            method: members.required_text("method")?,
            profile: members.text("profile"),
            date_shift_days: members.truncated("date_shift_days")?,
            id_mapping: members.text("id_mapping"),
            performed_by: members.text("performed_by"),
            date: members.text("date"),
            burned_in_annotation_checked: members
                .optional("burned_in_annotation_checked")
                .map(|value| *value == Value::Bool(true)),
        };
        match &record.date {
            Some(date) if !is_timestamp(date) => {
                let message = format!("`deidentification` has the date {date:?}");
                Err(Flaw::new(codes::E604, message))
            }
            _ => Ok(record),
        }
    }
}

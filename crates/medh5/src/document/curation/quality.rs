//! How good an object is, and who says so.

use std::collections::BTreeMap;

use crate::document::Flaw;
use crate::document::members::{Members, as_number};
use crate::document::vocabulary::{ISSUE_SEVERITY, QUALITY_STATUS};
use crate::json::{Map, Value};

/// A judgement about one object.
#[derive(Debug, Clone, PartialEq)]
pub struct QualityRecord {
    /// `draft`, `submitted`, `reviewed`, `approved`, `rejected` or `deprecated`.
    pub status: String,
    /// From 0 to 1.
    pub confidence: Option<f64>,
    /// The agents that reviewed it.
    pub reviewed_by: Vec<String>,
    /// How far it agrees with others.
    pub agreement: Vec<Agreement>,
    /// What is wrong with it.
    pub issues: Vec<Issue>,
    /// Time spent on editing, in seconds.
    pub edit_effort_s: Option<f64>,
}

/// How far two objects agree.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// The measure.
    pub metric: String,
    /// Its value.
    pub value: f64,
    /// The other object.
    pub against: Option<String>,
    /// The value per class.
    pub per_class: BTreeMap<String, f64>,
}

/// Something that is wrong with an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Issue {
    /// A short name.
    pub code: String,
    /// `info`, `warning` or `error`.
    pub severity: Option<String>,
    /// Free text.
    pub note: Option<String>,
    /// The classes it concerns.
    pub class_ids: Vec<i64>,
}

const RECORD_MEMBERS: &[&str] =
    &["status", "confidence", "reviewed_by", "agreement", "issues", "edit_effort_s"];

/// Reads all records, by the name that objects refer to.
pub(in crate::document) fn parse(records: &Map) -> Result<BTreeMap<String, QualityRecord>, Flaw> {
    records
        .iter()
        .map(|(name, value)| Ok((name.to_owned(), QualityRecord::parse(value)?)))
        .collect()
}

impl QualityRecord {
    fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "a quality record")?;
        members.only(RECORD_MEMBERS)?;
        let status = members.required_text("status")?;
        members.check_word("status", &status, QUALITY_STATUS).map_err(Flaw::structure)?;
        let agreement = members.items("agreement").iter().map(Agreement::parse);
        let issues = members.items("issues").iter().map(Issue::parse);
        Ok(Self {
            status,
            confidence: members.number("confidence")?,
            reviewed_by: members.texts("reviewed_by"),
            agreement: agreement.collect::<Result<_, _>>()?,
            issues: issues.collect::<Result<_, _>>()?,
            edit_effort_s: members.number("edit_effort_s")?,
        })
    }
}

impl Agreement {
    fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "an agreement")?;
        let per_class =
            members.object("per_class").iter().map(class_value).collect::<Result<_, _>>()?;
        let metric = members.required_text("metric")?;
        members.required("value")?;
        let value = members
            .number("value")?
            .ok_or_else(|| Flaw::structure("`value` of an agreement is null"))?;
        Ok(Self { metric, value, against: members.text("against"), per_class })
    }
}

fn class_value((class, value): (&str, &Value)) -> Result<(String, f64), Flaw> {
    let value = as_number(value).ok_or_else(|| {
        Flaw::structure(format!("an agreement has the value {value} for class {class}"))
    })?;
    Ok((class.to_owned(), value))
}

impl Issue {
    fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "an issue")?;
        let code = members.required_text("code")?;
        let severity = members.given_word("severity", ISSUE_SEVERITY)?;
        let class_ids = members.integers("class_ids")?;
        Ok(Self { code, severity, note: members.text("note"), class_ids })
    }
}

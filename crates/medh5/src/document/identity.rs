//! Whom the sample is about, and where it comes from.

use super::Flaw;
use super::members::Members;
use super::vocabulary::{LATERALITY, SEX};
use crate::json::Value;

/// The sample and its subject.
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    /// Name of the sample in its data set.
    pub sample_id: String,
    /// Pseudonym of the subject.
    pub subject_id: String,
    /// `F`, `M`, `O` or `unknown`.
    pub sex: Option<String>,
    /// `left`, `right` or `bilateral`.
    pub laterality: Option<String>,
    /// The part of the body that is shown.
    pub bodypart: Option<String>,
}

impl Identity {
    pub(super) fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "`identity`")?;
        let filled = |name: &str| match members.required_text(name)? {
            text if text.is_empty() => {
                Err(Flaw::structure(format!("`{name}` of `identity` is empty")))
            }
            text => Ok(text),
        };
        Ok(Self {
            sample_id: filled("sample_id")?,
            subject_id: filled("subject_id")?,
            sex: members.word("sex", SEX)?,
            laterality: members.word("laterality", LATERALITY)?,
            bodypart: members.text("bodypart"),
        })
    }
}

/// The collection effort that the sample belongs to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cohort {
    /// The data set.
    pub dataset_id: Option<String>,
    /// The site that acquired the data.
    pub site_id: Option<String>,
    /// The scanner.
    pub scanner_id: Option<String>,
    /// The group of subjects.
    pub group_id: Option<String>,
    /// The protocol of acquisition.
    pub acquisition_protocol: Option<String>,
}

impl Cohort {
    pub(super) fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "`cohort`")?;
        Ok(Self {
            dataset_id: members.text("dataset_id"),
            site_id: members.text("site_id"),
            scanner_id: members.text("scanner_id"),
            group_id: members.text("group_id"),
            acquisition_protocol: members.text("acquisition_protocol"),
        })
    }
}

//! A verification as values, in the words of the reference.

use serde::Serialize;

use crate::integrity::{ObjectStatus, Verification};

/// What `verify` found in one sample.
#[derive(Debug, Clone, Serialize)]
pub struct VerificationSummary {
    /// Whether everything that was looked at is in order.
    pub ok: bool,
    /// Datasets whose digest was compared.
    pub checked: usize,
    /// Datasets whose data do not give their digest.
    pub mismatched: Vec<String>,
    /// Datasets without a digest.
    pub undigested: Vec<String>,
    /// Datasets that no line of `content_id` covers.
    pub unattested: Vec<String>,
    /// Datasets whose digest is not spelled as one, and paths asked for where there is no dataset.
    pub malformed: Vec<String>,
    /// Whether `content_id` agrees; `None` when it was not looked at.
    pub content_id_ok: Option<bool>,
    /// Entries of the sampling index that are stale.
    pub stale_index: Vec<String>,
    /// Datasets whose type has no digest.
    pub unverifiable: Vec<String>,
}

impl From<&Verification> for VerificationSummary {
    fn from(found: &Verification) -> Self {
        let paths = |status| found.with_status(status).map(str::to_owned).collect::<Vec<_>>();
        Self {
            ok: found.is_ok(),
            checked: found.checked(),
            mismatched: paths(ObjectStatus::Mismatch),
            undigested: found.undigested.clone(),
            unattested: found.unsigned.clone(),
            malformed: [paths(ObjectStatus::Malformed), paths(ObjectStatus::Missing)].concat(),
            content_id_ok: found.content_id_ok,
            stale_index: found.stale_index.clone(),
            unverifiable: paths(ObjectStatus::Unchecked),
        }
    }
}

//! States anew what a file's digests are, on somebody's word.

use super::document::record;
use super::stamp::is_stamped;
use super::{Author, Edit, WriteError};
use crate::integrity::{ObjectStatus, Verification};
use crate::json::{Map, Value};

impl Edit {
    /// Has every object digested anew, and records who wanted that and why.
    ///
    /// `found` is what a verification of the file found; what did not match or had no digest is named in the record. This says
    /// nothing about whether the data are right.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when the document cannot be read.
    pub fn rewrite_digests(
        &mut self,
        found: &Verification,
        author: &Author,
        tool: &str,
        reason: &str,
    ) -> Result<(), WriteError> {
        let mut document = self.document()?;
        let bad = [ObjectStatus::Mismatch, ObjectStatus::Malformed];
        let mut restamped: Vec<&str> =
            bad.into_iter().flat_map(|status| found.with_status(status)).collect();
        restamped
            .extend(found.undigested.iter().map(String::as_str).filter(|path| is_stamped(path)));
        restamped.sort_unstable();
        let params: Map = [
            ("reason", Value::from(reason)),
            ("restamped", restamped.into_iter().map(Value::from).collect()),
            ("verified_content", Value::Bool(false)),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
        record(&mut document, author, "other", tool, params);
        self.set_document(&document)?;
        self.restamp();
        Ok(())
    }
}

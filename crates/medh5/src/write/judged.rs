//! What the validator says of a file that is complete, before it takes its name.

use std::path::Path;
use std::sync::Arc;

use hdf5::FileSource;

use super::WriteError;
use crate::validate::{Finding, Level, Observer, Options, Severity, validate};

/// What is found in the file at `complete`, which will be `path`.
pub(super) fn findings(
    complete: &Path,
    path: &Path,
    observer: &dyn Observer,
) -> Result<Vec<Finding>, WriteError> {
    let source = FileSource::open(complete)
        .map_err(|source| WriteError::System { path: complete.to_owned(), source })?;
    let options = Options::new(Level::Semantic).observed_by(observer);
    Ok(validate(&path.display().to_string(), Arc::new(source), &options)?.findings)
}

/// The errors among them.
pub(super) fn errors(
    complete: &Path,
    path: &Path,
    observer: &dyn Observer,
) -> Result<Vec<Finding>, WriteError> {
    let mut found = findings(complete, path, observer)?;
    found.retain(is_error);
    Ok(found)
}

pub(super) fn is_error(finding: &Finding) -> bool {
    finding.code.severity == Severity::Error
}

/// A finding in one line.
pub(super) fn text(finding: &Finding) -> String {
    format!("{} at {}: {}", finding.code.name, finding.location, finding.message)
}

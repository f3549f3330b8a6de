//! The first thing that keeps a document from being used.

use crate::validate::{Code, codes};

/// Why a document cannot be used, with the code that this has in a report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Flaw {
    /// `E005`, or a code of its own.
    pub code: &'static Code,
    /// What is wrong, and in which part.
    pub message: String,
}

impl Flaw {
    pub(crate) fn new(code: &'static Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// A flaw of structure, without a code of its own.
    pub(crate) fn structure(message: impl Into<String>) -> Self {
        Self::new(codes::E005, message)
    }
}

//! Why a part of a sample could not be read.

use crate::validate::Code;

/// A part of a sample could not be read, or the reading was interrupted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file's structures or bytes.
    #[error(transparent)]
    File(#[from] hdf5::Error),
    /// What is stored is readable, but not the value that is needed.
    #[error("{message}")]
    Value {
        /// The diagnostic code that this failure has of its own.
        code: Option<&'static Code>,
        /// What was found and what is needed.
        message: String,
    },
    /// The host asked to stop.
    #[error("stopped on request")]
    Stopped,
}

impl ReadError {
    /// A stored value that is not the one needed.
    pub fn value(message: impl Into<String>) -> Self {
        Self::Value { code: None, message: message.into() }
    }

    /// The same, with a diagnostic code of its own.
    pub fn coded(code: &'static Code, message: impl Into<String>) -> Self {
        Self::Value { code: Some(code), message: message.into() }
    }

    /// The diagnostic code that this failure has of its own.
    pub fn code(&self) -> Option<&'static Code> {
        match self {
            Self::Value { code, .. } => *code,
            _ => None,
        }
    }

    /// Whether this says nothing about the file: bytes must be fetched first, or the host wants to stop.
    pub fn is_interruption(&self) -> bool {
        match self {
            Self::File(error) => error.not_resident().is_some(),
            Self::Stopped => true,
            Self::Value { .. } => false,
        }
    }
}

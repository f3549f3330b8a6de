//! Why a part of a sample could not be read.

use hdf5::Class;

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
    /// Beyond one of our own limits.
    #[error("{what}: {found} is over the limit `{limit}` of {max}")]
    Limit {
        /// What was counted.
        what: String,
        /// How much the file asks for.
        found: u64,
        /// Name of the field of [`crate::Limits`] or [`hdf5::Limits`].
        limit: &'static str,
        /// Its value.
        max: u64,
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

    /// What went wrong in a sentence, with whose fault it is where that helps.
    pub fn sentence(&self) -> String {
        match self {
            Self::File(error) => format!("{error}{}", remark(error)),
            Self::Limit { .. } => format!("{self}{REFUSED}"),
            _ => self.to_string(),
        }
    }

    /// The same for a report that says anyway that this is about the object at `location`, from the sample's root.
    pub(crate) fn sentence_at(&self, location: &str) -> String {
        match self {
            Self::File(hdf5::Error::Object { path, source }) if path.ends_with(location) => {
                format!("{source}{}", remark(source))
            }
            _ => self.sentence(),
        }
    }

    /// Whether this says nothing about the file: bytes must be fetched first, or the host wants to stop.
    pub fn is_interruption(&self) -> bool {
        match self {
            Self::File(hdf5::Error::Stopped) | Self::Stopped => true,
            Self::File(error) => error.not_resident().is_some(),
            Self::Value { .. } | Self::Limit { .. } => false,
        }
    }
}

const REFUSED: &str = " (refused to protect this computer)";

/// Whose fault it is.
fn remark(error: &hdf5::Error) -> &'static str {
    match error.class() {
        // No word on damage when this was never such a file.
        Class::Malformed if is_about_superblock(error) => "",
        Class::Malformed => " (the file is damaged or was cut off)",
        Class::Unsupported => " (legal, but not supported by this program)",
        Class::Limit => REFUSED,
        Class::Source | Class::Request => "",
    }
}

fn is_about_superblock(error: &hdf5::Error) -> bool {
    matches!(error, hdf5::Error::Format(error) if error.structure == "superblock")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdf5::{Error, FormatError, Problem};

    fn broken(structure: &'static str) -> Error {
        let problem = Problem::EndsEarly;
        let format = FormatError {
            structure: structure.into(),
            field: None,
            start: 64,
            offset: 64,
            problem,
        };
        Error::from(format)
    }

    #[test]
    fn a_sentence_says_where_and_whose_fault() {
        let error = ReadError::File(broken("object header").in_object("/images/CT"));
        let what = "object header at byte 0x40: the structure ends early (the file is damaged or was cut off)";
        assert_eq!(error.sentence(), format!("/images/CT: {what}"));
        assert_eq!(error.sentence_at("/images/CT"), what, "the report names the object");
        assert_eq!(error.sentence_at("/images"), format!("/images/CT: {what}"));
        assert!(!ReadError::File(broken("superblock")).sentence().contains("damaged"));
    }
}

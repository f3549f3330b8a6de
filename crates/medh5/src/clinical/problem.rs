//! What is wrong with stored clinical tables.

use crate::validate::Code;

/// One thing that does not follow the encoding.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Problem {
    pub(crate) code: &'static Code,
    /// The column, cell or member, from the sample's root.
    pub(crate) location: String,
    pub(crate) message: String,
    /// Whether a later minor version of the format may define it.
    pub(crate) may_be_newer: bool,
}

impl Problem {
    pub(crate) fn new(
        code: &'static Code,
        location: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self { code, location: location.into(), message: message.into(), may_be_newer: false }
    }

    /// The same, as something that a later minor version may define.
    pub(crate) fn or_newer(self) -> Self {
        Self { may_be_newer: true, ..self }
    }
}

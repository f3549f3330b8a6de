//! What a file says about its version, and what follows from that.

use super::{Findings, codes};
use crate::ReadError;
use crate::attributes::Attributes;
use crate::values::Value;

/// The major version that this validator knows, as it must be spelled.
const MAJOR: &str = "1";

/// The latest minor version that this validator knows.
const LATEST_MINOR: u32 = 2;

/// The version that a root states.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Version {
    /// The text, whatever was stored; `None` when the attribute is absent.
    pub(crate) text: Option<String>,
    /// Whether it is stored as one string, as it must be.
    pub(crate) is_string: bool,
}

/// How a file of some version is validated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// No version is stated: everything is judged as if it were the latest.
    Unstated,
    /// Another major version: nothing is judged.
    Unsupported,
    /// A version that this validator knows.
    Known,
    /// A later minor version, or one that is misspelled: only what this validator knows is judged.
    Projection,
}

impl Version {
    /// Reads the attribute `medh5_version`.
    pub(crate) fn read(root: &Attributes) -> Result<Self, ReadError> {
        let Some(value) = root.value("medh5_version")? else { return Ok(Self::default()) };
        let string = value.scalar_string();
        let is_string = string.is_some();
        Ok(Self { text: Some(string.unwrap_or_else(|| rendered(&value))), is_string })
    }

    /// What is stated, unless it is blank.
    pub(crate) fn stated(&self) -> Option<&str> {
        self.text.as_deref().filter(|text| !text.trim().is_empty())
    }

    /// Refuses what is no sample, and samples of another major version: nothing can be said of them.
    pub(crate) fn supported(&self) -> Result<(), ReadError> {
        match self.standing() {
            Standing::Unstated => Err(ReadError::coded(
                codes::E001,
                "it states no `medh5_version`: this is no MEDH5 file",
            )),
            Standing::Unsupported => {
                let text = self.text.as_deref().unwrap_or_default();
                Err(ReadError::coded(codes::E002, format!("version {text:?} is not supported")))
            }
            Standing::Known | Standing::Projection => Ok(()),
        }
    }

    /// How a file of this version is validated.
    pub(crate) fn standing(&self) -> Standing {
        let Some(text) = self.stated() else { return Standing::Unstated };
        if text.split('.').next() != Some(MAJOR) {
            return Standing::Unsupported;
        }
        match self.numbers() {
            Some((_, minor)) if minor <= LATEST_MINOR => Standing::Known,
            _ => Standing::Projection,
        }
    }

    /// E001, E002, W913: the version is stated, as a string, and known.
    pub(crate) fn judge(&self, out: &mut Findings) {
        match &self.text {
            None => out.report(codes::E001, "/", "there is no `medh5_version`"),
            Some(_) if self.stated().is_none() => {
                out.report(codes::E001, "/", "`medh5_version` is empty");
            }
            Some(text) if !self.is_string => {
                out.report(codes::E001, "/", format!("`medh5_version` is {text}, not a string"));
            }
            Some(_) => {}
        }
        let text = self.stated().unwrap_or_default();
        let known = format!("this validator knows {MAJOR}.0 to {MAJOR}.{LATEST_MINOR}");
        match self.standing() {
            Standing::Unsupported => {
                out.report(codes::E002, "/", format!("version {text:?}; {known}"));
            }
            Standing::Projection => {
                let message =
                    format!("version {text:?}; {known}, so only what these define was judged");
                out.report(codes::W913, "/", message);
            }
            Standing::Unstated | Standing::Known => {}
        }
    }

    /// Major and minor version, if spelled as digits, a point, and digits; the minor version may be left out.
    pub(crate) fn numbers(&self) -> Option<(u32, u32)> {
        let text = self.stated()?;
        let (major, minor) = text.split_once('.').unwrap_or((text, "0"));
        Some((digits(major)?, digits(minor)?))
    }
}

/// An array of strings is no version, however short.
fn rendered(value: &Value) -> String {
    match value.strings().as_slice() {
        [] => value.text(),
        strings => format!("{strings:?}"),
    }
}

/// Digits as a number; what is beyond 32 bits is none.
fn digits(text: &str) -> Option<u32> {
    let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| all_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(text: &str) -> Standing {
        Version { text: Some(text.to_owned()), is_string: true }.standing()
    }

    #[test]
    fn spelling_decides() {
        for known in ["1", "1.0", "1.2", "1.02"] {
            assert_eq!(standing(known), Standing::Known, "{known:?}");
        }
        for projection in ["1.3", "1.", "1.x", "1.0.0", "1.0 ", "1.99999999999999999999999"] {
            assert_eq!(standing(projection), Standing::Projection, "{projection:?}");
        }
        for other in ["2.0", "01.0", " 1.0", "x", "[1]"] {
            assert_eq!(standing(other), Standing::Unsupported, "{other:?}");
        }
        for blank in ["", " ", "\u{a0}"] {
            assert_eq!(standing(blank), Standing::Unstated, "{blank:?}");
        }
    }
}

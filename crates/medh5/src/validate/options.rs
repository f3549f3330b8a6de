//! What a caller asks of a validation.

use hdf5::FilterRegistry;

use super::codes;
use super::profiles::{PROFILES, is_profile};
use super::{Level, Observer, Silent};
use crate::Limits;

/// What a caller asks of a validation.
#[derive(Clone)]
pub struct Options<'a> {
    /// How deep to go.
    pub level: Level,
    /// Caps on what the file may ask of us.
    pub limits: Limits,
    /// The filters that chunks may use.
    pub filters: FilterRegistry,
    /// Hears of progress, and may ask to stop.
    pub observer: &'a dyn Observer,
    profiles: Vec<String>,
    codes_revision: u8,
}

/// A request that no validation can meet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// There is no such profile.
    #[error("`{name}` is no profile (known: {})", PROFILES.join(", "))]
    UnknownProfile {
        /// The name asked for.
        name: String,
    },
    /// The code table has no such revision.
    #[error("the code table has no revision {revision} (known: 1 to {})", codes::REVISION)]
    UnknownRevision {
        /// The revision asked for.
        revision: i64,
    },
}

impl<'a> Options<'a> {
    /// Validates at `level`, with the profiles that files declare and the latest code table.
    pub fn new(level: Level) -> Self {
        Self {
            level,
            limits: Limits::default(),
            filters: crate::storage::validating(),
            observer: &Silent,
            profiles: Vec::new(),
            codes_revision: codes::REVISION,
        }
    }

    /// Has an observer follow the run.
    #[must_use]
    pub fn observed_by(self, observer: &'a dyn Observer) -> Self {
        Self { observer, ..self }
    }

    /// Holds files to this profile too, beside those they declare.
    ///
    /// # Errors
    /// [`OptionsError::UnknownProfile`].
    pub fn require(mut self, profile: &str) -> Result<Self, OptionsError> {
        if !is_profile(profile) {
            return Err(OptionsError::UnknownProfile { name: profile.to_owned() });
        }
        self.profiles.push(profile.to_owned());
        Ok(self)
    }

    /// Reports only codes that this revision of the table has, so that a verdict does not move when the table grows.
    ///
    /// # Errors
    /// [`OptionsError::UnknownRevision`].
    pub fn pin(self, revision: i64) -> Result<Self, OptionsError> {
        match u8::try_from(revision) {
            Ok(codes_revision @ 1..=codes::REVISION) => Ok(Self { codes_revision, ..self }),
            _ => Err(OptionsError::UnknownRevision { revision }),
        }
    }

    /// The profiles asked for.
    pub fn profiles(&self) -> &[String] {
        &self.profiles
    }

    /// The revision of the code table that is reported.
    pub fn codes_revision(&self) -> u8 {
        self.codes_revision
    }
}

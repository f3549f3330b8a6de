//! How deep a validation goes.

use core::fmt;
use core::str::FromStr;

/// How deep a validation goes. Each level runs the rules of those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Level {
    /// Each object by itself.
    Structural,
    /// Objects against one another and against the document.
    #[default]
    Semantic,
    /// Stored values against their digests.
    Integrity,
    /// The same rules; warnings count as errors.
    Strict,
}

impl Level {
    /// Every level, the shallowest first.
    pub const ALL: [Self; 4] = [Self::Structural, Self::Semantic, Self::Integrity, Self::Strict];

    /// The word that options and reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Structural => "structural",
            Self::Semantic => "semantic",
            Self::Integrity => "integrity",
            Self::Strict => "strict",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no level (known: structural, semantic, integrity, strict)")]
pub struct UnknownLevel(String);

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|level| level.name() == word)
            .ok_or_else(|| UnknownLevel(word.into()))
    }
}

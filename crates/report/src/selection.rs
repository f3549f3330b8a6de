//! Which findings count: the rest is muted, still counted and still exported.

use std::error::Error;
use std::fmt;

use medh5::validate::codes::ALL;
use medh5::validate::{Code, Report};

use crate::verdict::Verdict;

/// Which codes count.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    select: Vec<String>,
    ignore: Vec<String>,
}

/// A prefix with which no code begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownPrefix(pub String);

impl fmt::Display for UnknownPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no code begins with `{}`", self.0)
    }
}

impl Error for UnknownPrefix {}

impl Selection {
    /// Findings count whose code begins with one of `select` (all, if empty) and with none of `ignore`.
    ///
    /// # Errors
    /// [`UnknownPrefix`].
    pub fn new(select: &[String], ignore: &[String]) -> Result<Self, UnknownPrefix> {
        Ok(Self { select: known(select)?, ignore: known(ignore)? })
    }

    /// Whether a finding of this code is muted.
    pub fn mutes(&self, code: &Code) -> bool {
        let hits = |prefixes: &[String]| {
            prefixes.iter().any(|prefix| code.name.starts_with(prefix.as_str()))
        };
        (!self.select.is_empty() && !hits(&self.select)) || hits(&self.ignore)
    }

    /// The verdict on a file of `bytes` bytes, of which `report` tells.
    pub fn judge(&self, report: Report, bytes: u64) -> Verdict {
        let muted = report.findings.iter().map(|found| self.mutes(found.code)).collect();
        Verdict { report, muted, bytes, fingerprint: None }
    }
}

/// The prefixes in capitals, if codes begin with each.
fn known(prefixes: &[String]) -> Result<Vec<String>, UnknownPrefix> {
    prefixes.iter().map(|prefix| codes_with(prefix).map(|(prefix, _)| prefix)).collect()
}

/// A prefix in capitals, and the codes that begin with it.
///
/// # Errors
/// [`UnknownPrefix`] when there is none.
pub fn codes_with(prefix: &str) -> Result<(String, Vec<&'static Code>), UnknownPrefix> {
    let wanted = prefix.to_ascii_uppercase();
    let begins = |code: &&Code| !wanted.is_empty() && code.name.starts_with(&wanted);
    let found: Vec<_> = ALL.iter().copied().filter(begins).collect();
    if found.is_empty() {
        return Err(UnknownPrefix(prefix.to_owned()));
    }
    Ok((wanted, found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use medh5::validate::codes::{E202, W902, W912};

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn ignore_wins_over_select() {
        let selection = Selection::new(&words(&["e", "W9"]), &words(&["W912"])).unwrap();
        assert!(!selection.mutes(E202) && !selection.mutes(W902));
        assert!(selection.mutes(W912));
    }

    #[test]
    fn an_unknown_prefix_is_refused() {
        assert_eq!(Selection::new(&words(&["E9"]), &[]).unwrap_err(), UnknownPrefix("E9".into()));
    }
}

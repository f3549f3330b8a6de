//! Which findings count: the rest is muted, still counted and still exported.

use glob::Pattern;
use medh5::validate::Code;
use medh5::validate::codes::ALL;

use crate::exit::Failure;

/// Which findings count.
#[derive(Debug, Clone, Default)]
pub(crate) struct Selection {
    select: Vec<String>,
    ignore: Vec<String>,
    per_file: Vec<(Pattern, Vec<String>)>,
}

impl Selection {
    /// Findings count whose code begins with one of `select` (all, if empty) and with none of `ignore`.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a prefix that no code has.
    pub(crate) fn new(select: &[String], ignore: &[String]) -> Result<Self, Failure> {
        let (select, ignore) = (known(select)?, known(ignore)?);
        Ok(Self { select, ignore, per_file: Vec::new() })
    }

    /// Also mutes codes in files whose path matches a glob.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a malformed glob or a prefix that no code has.
    pub(crate) fn with_file_rule(
        mut self,
        files: &str,
        ignore: &[String],
    ) -> Result<Self, Failure> {
        let ignore = known(ignore)?;
        let pattern = Pattern::new(files).map_err(|error| {
            Failure::Usage(format!("`{files}` is no file pattern: {}", error.msg))
        })?;
        self.per_file.push((pattern, ignore));
        Ok(self)
    }

    /// Whether a finding of this code in this file is muted.
    pub(crate) fn mutes(&self, path: &str, code: &Code) -> bool {
        let hits = |prefixes: &[String]| {
            prefixes.iter().any(|prefix| code.name.starts_with(prefix.as_str()))
        };
        (!self.select.is_empty() && !hits(&self.select))
            || hits(&self.ignore)
            || self.per_file.iter().any(|(pattern, ignore)| pattern.matches(path) && hits(ignore))
    }
}

/// The prefixes in capitals, if codes begin with each.
fn known(prefixes: &[String]) -> Result<Vec<String>, Failure> {
    prefixes.iter().map(|prefix| with_prefix(prefix).map(|(prefix, _)| prefix)).collect()
}

/// A prefix in capitals, and the codes that begin with it.
///
/// # Errors
/// [`Failure::Usage`] when there is none.
pub(crate) fn with_prefix(prefix: &str) -> Result<(String, Vec<&'static Code>), Failure> {
    let wanted = prefix.to_ascii_uppercase();
    let found: Vec<_> = ALL
        .iter()
        .copied()
        .filter(|code| !wanted.is_empty() && code.name.starts_with(&wanted))
        .collect();
    if found.is_empty() {
        let message = format!("no code begins with `{prefix}`; `medh5-lite codes` lists them");
        return Err(Failure::Usage(message));
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
        assert!(!selection.mutes("a.medh5", E202));
        assert!(!selection.mutes("a.medh5", W902));
        assert!(selection.mutes("a.medh5", W912));
    }

    #[test]
    fn a_file_rule_holds_for_its_files() {
        let selection = Selection::default().with_file_rule("old/*", &words(&["W"])).unwrap();
        assert!(selection.mutes("old/a.medh5", W902));
        assert!(!selection.mutes("new/a.medh5", W902));
    }

    #[test]
    fn an_unknown_prefix_is_refused() {
        assert!(matches!(Selection::new(&words(&["E9"]), &[]), Err(Failure::Usage(_))));
    }
}

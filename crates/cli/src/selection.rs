//! Which findings count: the rest is muted, still counted and still exported.

use glob::Pattern;
use medh5::validate::Code;
use report::UnknownPrefix;

use crate::exit::Failure;

/// Which findings count, over all files and in some.
#[derive(Debug, Clone, Default)]
pub(crate) struct Selection {
    everywhere: report::Selection,
    per_file: Vec<(Pattern, report::Selection)>,
}

impl Selection {
    /// Findings count whose code begins with one of `select` (all, if empty) and with none of `ignore`.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a prefix that no code has.
    pub(crate) fn new(select: &[String], ignore: &[String]) -> Result<Self, Failure> {
        let everywhere = report::Selection::new(select, ignore).map_err(|error| usage(&error))?;
        Ok(Self { everywhere, per_file: Vec::new() })
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
        let selection = report::Selection::new(&[], ignore).map_err(|error| usage(&error))?;
        let pattern = Pattern::new(files).map_err(|error| {
            Failure::Usage(format!("`{files}` is no file pattern: {}", error.msg))
        })?;
        self.per_file.push((pattern, selection));
        Ok(self)
    }

    /// Whether a finding of this code in this file is muted.
    pub(crate) fn mutes(&self, path: &str, code: &Code) -> bool {
        let in_file = |(pattern, selection): &(Pattern, report::Selection)| {
            pattern.matches(path) && selection.mutes(code)
        };
        self.everywhere.mutes(code) || self.per_file.iter().any(in_file)
    }
}

/// A prefix in capitals, and the codes that begin with it.
///
/// # Errors
/// [`Failure::Usage`] when there is none.
pub(crate) fn with_prefix(prefix: &str) -> Result<(String, Vec<&'static Code>), Failure> {
    report::codes_with(prefix).map_err(|error| usage(&error))
}

fn usage(error: &UnknownPrefix) -> Failure {
    Failure::Usage(format!("{error}; `medh5-lite codes` lists them"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use medh5::validate::codes::W902;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
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

//! `medh5-lite.toml`: the options of `validate` that a project wants to keep.

use std::path::{Path, PathBuf};

use medh5::validate::Level;
use serde::Deserialize;

use crate::batch::JOBS;
use crate::exit::Failure;
use crate::output::{FailOn, Form, GroupBy};

/// Name of the file that is looked for.
const NAME: &str = "medh5-lite.toml";

/// What the file may say; anything else in it is refused.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Config {
    /// As `--level`.
    pub(crate) level: Option<LevelName>,
    /// As `--profile`.
    pub(crate) profiles: Vec<String>,
    /// As `--codes-revision`.
    pub(crate) codes_revision: Option<i64>,
    /// As `--select`.
    pub(crate) select: Vec<String>,
    /// As `--ignore`; options on the command line add to it.
    pub(crate) ignore: Vec<String>,
    /// Codes to ignore in some files.
    pub(crate) per_file: Vec<PerFile>,
    /// As `--fail-on`.
    pub(crate) fail_on: Option<FailOn>,
    /// As `--format`.
    pub(crate) format: Option<Form>,
    /// As `--group-by`.
    pub(crate) group_by: Option<GroupBy>,
    /// As `--max-findings`.
    pub(crate) max_findings: Option<usize>,
    /// As `--jobs`.
    pub(crate) jobs: Option<Jobs>,
}

/// `[[per-file]]`: codes to ignore in the files that match.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PerFile {
    /// A glob over paths as they are given.
    pub(crate) files: String,
    /// Prefixes of codes.
    pub(crate) ignore: Vec<String>,
}

/// A level by its name.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct LevelName(pub(crate) Level);

impl TryFrom<String> for LevelName {
    type Error = medh5::validate::UnknownLevel;

    fn try_from(word: String) -> Result<Self, Self::Error> {
        word.parse().map(Self)
    }
}

/// A number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "u16")]
pub(crate) struct Jobs(pub(crate) u16);

impl TryFrom<u16> for Jobs {
    type Error = String;

    fn try_from(jobs: u16) -> Result<Self, Self::Error> {
        if JOBS.contains(&jobs.into()) {
            Ok(Self(jobs))
        } else {
            Err(format!("{jobs} is not in {}..={}", JOBS.start(), JOBS.end()))
        }
    }
}

impl Config {
    /// Reads `file`, or the nearest `medh5-lite.toml` from the current folder upwards; without one, nothing is configured.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the file cannot be read, or says something that is not understood.
    pub(crate) fn load(file: Option<&Path>, isolated: bool) -> Result<Self, Failure> {
        let found = match file {
            Some(file) => Some(file.to_owned()),
            None if isolated => None,
            None => find(),
        };
        let Some(path) = found else { return Ok(Self::default()) };
        let usage = |what: String| Failure::Usage(format!("{}: {what}", path.display()));
        let text = std::fs::read_to_string(&path).map_err(|error| usage(error.to_string()))?;
        toml::from_str(&text).map_err(|error| usage(error.to_string().trim_end().to_owned()))
    }
}

fn find() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_read() {
        let text = r#"
            level = "integrity"
            profiles = ["seg"]
            codes-revision = 1
            select = ["E"]
            ignore = ["W912"]
            fail-on = "warning"
            format = "concise"
            group-by = "code"
            max-findings = 0
            jobs = 2
            [[per-file]]
            files = "old/*"
            ignore = ["W903"]
        "#;
        let config: Config = toml::from_str(text).unwrap();
        assert_eq!(config.level, Some(LevelName(Level::Integrity)));
        assert_eq!(config.fail_on, Some(FailOn::Warning));
        assert_eq!(config.per_file[0].files, "old/*");
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in [
            "jobs = 0",
            "jobs = 2000",
            "levle = 'strict'",
            "level = 'deep'",
            "[[per-file]]\nfiles = 'a'\ncodes = []",
        ] {
            assert!(toml::from_str::<Config>(text).is_err(), "{text}");
        }
    }
}

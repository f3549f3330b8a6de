//! The verdict on one file.

mod json;
mod parse;
mod text;

use super::{Finding, Findings, Level, Options, Severity, codes};

pub use json::{ReportObject, to_json};
pub use parse::{NoReport, from_json};
pub use text::to_text;

/// The verdict on one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The file, as the caller named it.
    pub path: String,
    /// How deep the validation went.
    pub level: Level,
    /// The profiles that the sample was held to; none for a collection or a file that did not open.
    pub profiles: Vec<String>,
    /// What was found: errors before warnings, then by code, then by location.
    pub findings: Vec<Finding>,
    /// What was looked at.
    pub checked: Checked,
}

/// What a validation looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// Nothing: the file did not open.
    Nothing,
    /// One sample.
    Sample {
        /// The rules that ran.
        rules: Vec<&'static str>,
        /// Whether `/meta` could be read, so that its structure was judged.
        schema_checked: bool,
    },
    /// The samples of a collection.
    Collection {
        /// Where they are: `/samples/KEY`.
        samples: Vec<String>,
    },
}

/// How many findings a verdict counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Findings that make the file fail.
    pub errors: usize,
    /// The other findings.
    pub warnings: usize,
    /// Warnings that count as errors at this level.
    pub promoted: usize,
}

impl Report {
    pub(super) fn new(
        path: &str,
        options: &Options<'_>,
        mut findings: Findings,
        checked: Checked,
    ) -> Self {
        findings.report_left_out();
        let mut findings = findings.into_sorted();
        findings.retain(|found| found.code.revision <= options.codes_revision());
        Self {
            path: path.to_owned(),
            level: options.level,
            profiles: Vec::new(),
            findings,
            checked,
        }
    }

    /// The report on a file that cannot be validated at all: it does not exist, is no HDF5 file, or is not self-contained.
    pub fn refused(path: &str, options: &Options<'_>, reason: &str) -> Self {
        let mut findings = Findings::new();
        findings.report(codes::E001, "/", reason);
        Self::new(path, options, findings, Checked::Nothing)
    }

    /// Whether nothing that was found counts as an error at this level.
    pub fn is_ok(&self) -> bool {
        self.counts().errors == 0
    }

    /// How many findings count as what.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for found in &self.findings {
            let fails = found.code.severity.fails_at(self.level);
            counts.errors += usize::from(fails);
            counts.warnings += usize::from(!fails);
            counts.promoted += usize::from(fails && found.code.severity == Severity::Warning);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(options: &Options<'_>) -> Report {
        let mut findings = Findings::new();
        findings.report(codes::W917, "/grids", "");
        findings.report(codes::W903, "/meta#deidentification", "");
        findings.report(codes::E111, "/grids", "");
        Report::new("a", options, findings, Checked::Nothing)
    }

    #[test]
    fn strict_counts_warnings_as_errors() {
        let counts = report(&Options::new(Level::Strict)).counts();
        assert_eq!(counts, Counts { errors: 3, warnings: 0, promoted: 2 });
        let counts = report(&Options::new(Level::Semantic)).counts();
        assert_eq!(counts, Counts { errors: 1, warnings: 2, promoted: 0 });
    }

    #[test]
    fn a_pin_takes_later_codes_away() {
        let options = Options::new(Level::Strict).pin(1).unwrap();
        let report = report(&options);
        let names: Vec<_> = report.findings.iter().map(|found| found.code.name).collect();
        assert_eq!(names, ["E111", "W903"]);
        assert!(Options::new(Level::Strict).pin(3).is_err());
    }

    #[test]
    fn a_refused_file_has_one_finding() {
        let report = Report::refused("a", &Options::new(Level::Semantic), "no such file");
        assert!(!report.is_ok());
        assert_eq!(report.findings.len(), 1);
    }
}

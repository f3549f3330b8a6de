//! Reports on standard output and in files: the forms that follow a terminal, and those that the page gives, too.

mod concise;
mod human;

use clap::ValueEnum;
use serde::Deserialize;

pub(crate) use report::Report;

use crate::terminal::Paint;

/// A form of report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Form {
    /// One line per file, one per finding; coloured on a terminal
    #[default]
    Human,
    /// One line per finding: path, location, code, message
    Concise,
    /// A list with one object per file, in the shape of `medh5 validate --json`
    Json,
    /// The same objects, one per line, each written as soon as its file is judged
    Jsonl,
    /// One object: versions, options, summary, and the files with length and fingerprint
    Audit,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// `JUnit` XML, one test case per file
    Junit,
    /// Annotations of a GitHub workflow
    Github,
    /// Comma-separated values, one row per finding
    Csv,
    /// Markdown, for pull requests and wikis
    Markdown,
    /// A page that needs no network
    Html,
}

/// What findings are listed under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum GroupBy {
    /// File by file
    #[default]
    File,
    /// Code by code, over all files
    Code,
}

/// Which findings make the exit code 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FailOn {
    /// What counts as an error at the level asked for
    #[default]
    Error,
    /// Warnings too
    Warning,
    /// Nothing: the report tells
    Never,
}

/// How a report is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// Whether to colour it.
    pub(crate) paint: Paint,
    /// Whether to say what each code means.
    pub(crate) verbose: bool,
    /// What findings are listed under.
    pub(crate) group_by: GroupBy,
    /// How many findings of one code are listed per file before the rest is folded into a count; 0 lists all.
    pub(crate) max_findings: usize,
}

impl Style {
    /// For a file: no colour.
    pub(crate) fn plain(self) -> Self {
        Self { paint: Paint(false), ..self }
    }
}

impl Form {
    /// A report of this form.
    pub(crate) fn report(self, style: Style) -> Box<dyn Report> {
        let form = match self {
            Self::Human => return human::report(style),
            Self::Concise => return Box::new(concise::Concise::new(style)),
            Self::Json => report::Form::Json,
            Self::Jsonl => report::Form::Jsonl,
            Self::Audit => report::Form::Audit,
            Self::Sarif => report::Form::Sarif,
            Self::Junit => report::Form::Junit,
            Self::Github => report::Form::Github,
            Self::Csv => report::Form::Csv,
            Self::Markdown => report::Form::Markdown,
            Self::Html => report::Form::Html,
        };
        form.report(style.max_findings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use medh5::validate::codes::{E202, W912};
    use medh5::validate::{Checked, Finding, Level};
    use report::{Summary, Verdict};

    /// A verdict with one error, one warning and one muted warning.
    fn sample(level: Level) -> Verdict {
        let found = |code, location: &str| Finding {
            code,
            location: location.into(),
            message: "8 × 16, its grid <8 & 15>".into(),
        };
        let report = medh5::validate::Report {
            path: "data/case 1.medh5".into(),
            level,
            profiles: vec!["core".into(), "seg".into()],
            findings: vec![
                found(E202, "/images/CT"),
                found(W912, "/meta#label_set"),
                found(W912, "/meta#label_set"),
            ],
            checked: Checked::Sample { rules: vec!["check_container"], schema_checked: true },
        };
        let muted = vec![false, false, true];
        Verdict { report, muted, bytes: 1234, fingerprint: Some("blake3:ab12".into()) }
    }

    /// The whole report of one verdict.
    pub(super) fn written(form: Form, style: Style, level: Level) -> String {
        let mut report = form.report(style);
        let mut out = Vec::new();
        let verdict = sample(level);
        let mut summary = Summary::of(1);
        summary.add(&verdict);
        report.file(&verdict, &mut out).unwrap();
        report.finish(&summary, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// No colour, one file after the other, no folding.
    pub(super) const PLAIN: Style =
        Style { paint: Paint(false), verbose: false, group_by: GroupBy::File, max_findings: 0 };

    #[test]
    fn every_form_names_each_finding_and_ends_in_a_newline() {
        for form in Form::value_variants() {
            let text = written(*form, PLAIN, Level::Semantic);
            assert!(text.contains("E202") && text.contains("W912"), "{form:?}: {text}");
            assert!(text.ends_with('\n'), "{form:?}: {text}");
        }
    }

    #[test]
    fn an_empty_run_is_still_a_report() {
        for form in Form::value_variants() {
            let mut out = Vec::new();
            form.report(PLAIN).finish(&Summary::of(0), &mut out).unwrap();
            let silent = matches!(form, Form::Human | Form::Concise | Form::Jsonl | Form::Github);
            assert_eq!(out.is_empty(), silent, "{form:?}");
        }
    }
}

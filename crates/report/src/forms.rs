//! The forms of a report on validated files, one per file.

mod audit;
mod csv;
mod fold;
mod github;
mod html;
mod json;
mod jsonl;
mod junit;
mod markdown;
mod sarif;

use std::io::{self, Write};

pub use fold::{Folded, fold};

use crate::verdict::{Summary, Verdict};

/// A form of report that knows no terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A list with one object per file, in the shape of `medh5 validate --json`.
    Json,
    /// The same objects, one per line.
    Jsonl,
    /// One object: versions, options, summary, and the files with length and fingerprint.
    Audit,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// `JUnit` XML, one test case per file.
    Junit,
    /// Annotations of a GitHub workflow.
    Github,
    /// Comma-separated values, one row per finding.
    Csv,
    /// Markdown, for pull requests and wikis.
    Markdown,
    /// A page that needs no network.
    Html,
}

/// Writes one report. Verdicts come in the order of the inputs.
pub trait Report {
    /// One more verdict.
    ///
    /// # Errors
    /// Those of `out`.
    fn file(&mut self, verdict: &Verdict, out: &mut dyn Write) -> io::Result<()>;

    /// After the last one.
    ///
    /// # Errors
    /// Those of `out`.
    fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()>;
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Json,
        Self::Jsonl,
        Self::Audit,
        Self::Sarif,
        Self::Junit,
        Self::Github,
        Self::Csv,
        Self::Markdown,
        Self::Html,
    ];

    /// The word for it on the command line and in the package.
    pub fn word(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Audit => "audit",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
            Self::Github => "github",
            Self::Csv => "csv",
            Self::Markdown => "markdown",
            Self::Html => "html",
        }
    }

    /// The form of this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.word() == word)
    }

    /// A report of this form. The forms for people list `max_findings` of one code per file and count the rest; 0 lists all.
    pub fn report(self, max_findings: usize) -> Box<dyn Report> {
        match self {
            Self::Json => Box::new(json::Json::default()),
            Self::Jsonl => Box::new(jsonl::Jsonl),
            Self::Audit => Box::new(audit::Audit::default()),
            Self::Sarif => Box::new(sarif::Sarif::default()),
            Self::Junit => Box::new(junit::Junit::default()),
            Self::Github => Box::new(github::GitHub::new(max_findings)),
            Self::Csv => Box::new(csv::Csv::default()),
            Self::Markdown => Box::new(markdown::Markdown::new(max_findings)),
            Self::Html => Box::new(html::Html::new(max_findings)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::tests::sample;
    use medh5::validate::Level;

    /// The whole report of one verdict, nothing folded.
    pub(super) fn written(form: Form, level: Level) -> String {
        let mut report = form.report(0);
        let mut out = Vec::new();
        let verdict = sample(level);
        let mut summary = Summary::of(1);
        summary.add(&verdict);
        report.file(&verdict, &mut out).unwrap();
        report.finish(&summary, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_form_has_a_word_of_its_own() {
        assert!(Form::ALL.iter().all(|form| Form::parse(form.word()) == Some(*form)));
        assert_eq!(Form::parse("human"), None);
    }
}

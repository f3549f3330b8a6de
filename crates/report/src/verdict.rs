//! What was found in one input, and in all of them, as every output form sees it.

use medh5::validate::{Checked, Finding, Report, Severity};

/// The judgement of one input, and what the user asked not to hear of.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// What was found.
    pub report: Report,
    /// For each finding of the report, whether it is muted: exported and counted, and without weight.
    pub muted: Vec<bool>,
    /// Length of the file.
    pub bytes: u64,
    /// Fingerprint of the file's bytes, when asked for.
    pub fingerprint: Option<String>,
}

/// The findings that count, by weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Findings that count as errors at the level asked for.
    pub errors: usize,
    /// The other ones that count.
    pub warnings: usize,
    /// Those of the errors that are warnings by their code.
    pub promoted: usize,
    /// Findings that were muted.
    pub muted: usize,
}

impl Verdict {
    /// The input as it was given: `PATH` or `PATH::KEY`.
    pub fn name(&self) -> &str {
        &self.report.path
    }

    /// Every finding, and whether it is muted.
    pub fn findings(&self) -> impl Iterator<Item = (&Finding, bool)> {
        self.report.findings.iter().zip(self.muted.iter().copied())
    }

    /// The findings that count.
    pub fn audible(&self) -> impl Iterator<Item = &Finding> {
        self.findings().filter(|(_, muted)| !muted).map(|(found, _)| found)
    }

    /// How many findings weigh what.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for (found, muted) in self.findings() {
            if muted {
                counts.muted += 1;
            } else if self.fails(found) {
                counts.errors += 1;
                counts.promoted += usize::from(self.is_promoted(found));
            } else {
                counts.warnings += 1;
            }
        }
        counts
    }

    /// Whether this finding counts as an error at the level asked for.
    pub fn fails(&self, found: &Finding) -> bool {
        found.code.severity.fails_at(self.report.level)
    }

    /// Whether this finding is a warning that the level makes an error.
    pub fn is_promoted(&self, found: &Finding) -> bool {
        found.code.severity == Severity::Warning && self.fails(found)
    }

    /// Whether nothing that counts is an error.
    pub fn is_ok(&self) -> bool {
        self.counts().errors == 0
    }

    /// Whether the file could not even be opened.
    pub fn is_unreadable(&self) -> bool {
        self.report.checked == Checked::Nothing
    }

    /// `OK` or `FAILED`.
    pub fn word(&self) -> &'static str {
        if self.is_ok() { "OK" } else { "FAILED" }
    }
}

/// All verdicts of a run, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Inputs that were judged.
    pub files: usize,
    /// Inputs that were to be judged; more than `files` after an interruption.
    pub expected: usize,
    /// Inputs without an error.
    pub ok: usize,
    /// Inputs with an error.
    pub failed: usize,
    /// Those of them that could not even be opened.
    pub unreadable: usize,
    /// Findings that count, over all inputs.
    pub counts: Counts,
}

impl Summary {
    /// Before the first of `expected` inputs.
    pub fn of(expected: usize) -> Self {
        Self { expected, ..Self::default() }
    }

    /// Counts one more verdict.
    pub fn add(&mut self, verdict: &Verdict) {
        let counts = verdict.counts();
        self.files += 1;
        self.ok += usize::from(verdict.is_ok());
        self.failed += usize::from(!verdict.is_ok());
        self.unreadable += usize::from(!verdict.is_ok() && verdict.is_unreadable());
        self.counts.errors += counts.errors;
        self.counts.warnings += counts.warnings;
        self.counts.promoted += counts.promoted;
        self.counts.muted += counts.muted;
    }

    /// Whether the run ended before all inputs were judged.
    pub fn is_interrupted(&self) -> bool {
        self.files < self.expected
    }

    /// One line for people.
    pub fn line(&self) -> String {
        let counts = &self.counts;
        let promoted = match counts.promoted {
            0 => String::new(),
            promoted => format!(" ({promoted} promoted to errors)"),
        };
        let muted = match counts.muted {
            0 => String::new(),
            muted => format!(", {muted} suppressed"),
        };
        let left = match self.expected - self.files {
            0 => String::new(),
            left => format!("; interrupted, {} not judged", plural(left, "file")),
        };
        let unreadable = match self.unreadable {
            0 => String::new(),
            unreadable => format!(" ({unreadable} unreadable)"),
        };
        format!(
            "{}: {} ok, {} failed{unreadable}; {}, {}{promoted}{muted}{left}",
            plural(self.files, "file"),
            self.ok,
            self.failed,
            plural(counts.errors, "error"),
            plural(counts.warnings, "warning"),
        )
    }
}

/// `1 file`, `2 files`.
pub fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use medh5::validate::Level;
    use medh5::validate::codes::{E202, W912};

    /// A verdict with one error, one warning and one muted warning.
    pub(crate) fn sample(level: Level) -> Verdict {
        let found = |code, location: &str| Finding {
            code,
            location: location.into(),
            message: "8 × 16, its grid <8 & 15>".into(),
        };
        let report = Report {
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
        Verdict {
            report,
            muted: vec![false, false, true],
            bytes: 1234,
            fingerprint: Some("blake3:ab12".into()),
        }
    }

    #[test]
    fn strict_promotes_warnings() {
        let counts = sample(Level::Semantic).counts();
        assert_eq!(counts, Counts { errors: 1, warnings: 1, promoted: 0, muted: 1 });
        let counts = sample(Level::Strict).counts();
        assert_eq!(counts, Counts { errors: 2, warnings: 0, promoted: 1, muted: 1 });
    }

    #[test]
    fn the_summary_names_what_is_left() {
        let mut summary = Summary::of(3);
        summary.add(&sample(Level::Strict));
        assert_eq!(
            summary.line(),
            "1 file: 0 ok, 1 failed; 2 errors, 0 warnings (1 promoted to errors), 1 suppressed; \
             interrupted, 2 files not judged"
        );
    }
}

//! What was found in one input, and in all of them, as every output form sees it.

use medh5::validate::{Code, Level, Severity};

/// The judgement of one input.
#[derive(Debug, Clone)]
pub(crate) struct Verdict {
    /// The input as it was given: `PATH` or `PATH::KEY`.
    pub(crate) name: String,
    /// How deep it was judged.
    pub(crate) level: Level,
    /// The profiles it was held to.
    pub(crate) profiles: Vec<String>,
    /// Everything found, muted or not, in the order of a report.
    pub(crate) findings: Vec<Found>,
    /// What was looked at.
    pub(crate) checked: Checked,
    /// Length of the file.
    pub(crate) bytes: u64,
    /// BLAKE3 of the file's bytes, when asked for.
    pub(crate) fingerprint: Option<String>,
}

/// What the judgement covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Checked {
    /// Nothing: the file could not be opened.
    Nothing,
    /// One sample.
    Sample {
        /// The rules that ran.
        rules: Vec<&'static str>,
        /// Whether the document was there to be held against its schema.
        schema_checked: bool,
    },
    /// A collection.
    Collection {
        /// Locations of the samples that were judged.
        samples: Vec<String>,
    },
}

/// One finding, and whether the user asked not to hear of it.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// What is wrong.
    pub(crate) code: &'static Code,
    /// Where.
    pub(crate) location: String,
    /// What was found there.
    pub(crate) message: String,
    /// Muted findings are exported and counted, and weigh nothing.
    pub(crate) muted: bool,
}

/// The findings that count, by weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    /// Findings that count as errors at the level asked for.
    pub(crate) errors: usize,
    /// The other ones that count.
    pub(crate) warnings: usize,
    /// Those of the errors that are warnings by their code.
    pub(crate) promoted: usize,
    /// Findings that were muted.
    pub(crate) muted: usize,
}

impl Verdict {
    /// The findings that count.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for found in &self.findings {
            match (found.muted, found.code.severity, self.level) {
                (true, ..) => counts.muted += 1,
                (false, Severity::Error, _) => counts.errors += 1,
                (false, Severity::Warning, Level::Strict) => {
                    counts.errors += 1;
                    counts.promoted += 1;
                }
                (false, Severity::Warning, _) => counts.warnings += 1,
            }
        }
        counts
    }

    /// Whether nothing that counts is an error.
    pub(crate) fn is_ok(&self) -> bool {
        self.counts().errors == 0
    }

    /// Whether the file could not even be opened.
    pub(crate) fn is_unreadable(&self) -> bool {
        self.checked == Checked::Nothing
    }

    /// `OK` or `FAILED`.
    pub(crate) fn word(&self) -> &'static str {
        if self.is_ok() { "OK" } else { "FAILED" }
    }
}

impl Found {
    /// Whether this is a warning that the level makes an error.
    pub(crate) fn is_promoted(&self, level: Level) -> bool {
        self.code.severity == Severity::Warning && self.code.severity.fails_at(level)
    }
}

/// All verdicts of a run, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Summary {
    /// Inputs that were judged.
    pub(crate) files: usize,
    /// Inputs that were to be judged; more than `files` after an interruption.
    pub(crate) expected: usize,
    /// Inputs without an error.
    pub(crate) ok: usize,
    /// Inputs with an error that could be opened.
    pub(crate) failed: usize,
    /// Inputs that could not be opened.
    pub(crate) unreadable: usize,
    /// Findings that count, over all inputs.
    pub(crate) counts: Counts,
}

impl Summary {
    /// Before the first of `expected` inputs.
    pub(crate) fn of(expected: usize) -> Self {
        Self { expected, ..Self::default() }
    }

    /// Counts one more verdict.
    pub(crate) fn add(&mut self, verdict: &Verdict) {
        let counts = verdict.counts();
        self.files += 1;
        match (verdict.is_ok(), verdict.is_unreadable()) {
            (true, _) => self.ok += 1,
            (false, true) => self.unreadable += 1,
            (false, false) => self.failed += 1,
        }
        self.counts.errors += counts.errors;
        self.counts.warnings += counts.warnings;
        self.counts.promoted += counts.promoted;
        self.counts.muted += counts.muted;
    }

    /// Whether the run ended before all inputs were judged.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.files < self.expected
    }

    /// One line for people.
    pub(crate) fn line(&self) -> String {
        let mut line = format!(
            "{}: {} ok, {} failed, {} unreadable; {}, {}",
            plural(self.files, "file"),
            self.ok,
            self.failed,
            self.unreadable,
            plural(self.counts.errors, "error"),
            plural(self.counts.warnings, "warning"),
        );
        if self.counts.promoted > 0 {
            line.push_str(&format!(" ({} promoted to errors)", self.counts.promoted));
        }
        if self.counts.muted > 0 {
            line.push_str(&format!(", {} suppressed", self.counts.muted));
        }
        if self.is_interrupted() {
            let left = self.expected - self.files;
            line.push_str(&format!("; interrupted, {} not judged", plural(left, "file")));
        }
        line
    }
}

/// `1 file`, `2 files`.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use medh5::validate::codes::{E202, W912};

    /// A verdict with one error, one warning and one muted warning.
    pub(crate) fn sample(level: Level) -> Verdict {
        let found = |code, location: &str, muted| Found {
            code,
            location: location.into(),
            message: "8 × 16, its grid <8 & 15>".into(),
            muted,
        };
        Verdict {
            name: "data/case 1.medh5".into(),
            level,
            profiles: vec!["core".into(), "seg".into()],
            findings: vec![
                found(E202, "/images/CT", false),
                found(W912, "/meta#label_set", false),
                found(W912, "/meta#label_set", true),
            ],
            checked: Checked::Sample { rules: vec!["check_container"], schema_checked: true },
            bytes: 1234,
            fingerprint: Some("ab12".into()),
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
            "1 file: 0 ok, 1 failed, 0 unreadable; 2 errors, 0 warnings (1 promoted to errors), 1 suppressed; \
             interrupted, 2 files not judged"
        );
    }
}

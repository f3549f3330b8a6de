//! One question to a cohort, and its answer.

use serde::Serialize;

/// How much it weighs when the answer is not as hoped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// A result computed from this cohort would be wrong.
    Error,
    /// Somebody should look.
    Warning,
    /// Worth knowing.
    Info,
}

impl Weight {
    /// The word that reports use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// What a question led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Something to look at.
    Found,
    /// Asked, and nothing found.
    Clean,
    /// The question does not arise; the sentence says why. Not a pass.
    NotApplicable,
}

/// One question to the cohort, and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// A stable name.
    pub name: &'static str,
    /// The code under which the reference's `dataset check` asks the same, if it does.
    pub code: Option<&'static str>,
    /// How much it weighs.
    pub weight: Weight,
    /// What is asked, for people.
    pub title: &'static str,
    /// What came of it.
    pub outcome: Outcome,
    /// The answer: how many of how many, or why the question does not arise.
    pub sentence: String,
    /// What was found, each with its samples.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
}

/// Samples that have something in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// What they have in common.
    pub label: String,
    /// Places in the list of samples, ascending.
    pub samples: Vec<usize>,
}

impl Group {
    pub(super) fn new(label: impl Into<String>, samples: Vec<usize>) -> Self {
        Self { label: label.into(), samples }
    }
}

/// A question that waits for its answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question {
    pub(super) name: &'static str,
    pub(super) code: Option<&'static str>,
    pub(super) weight: Weight,
    pub(super) title: &'static str,
}

impl Question {
    pub(super) fn found(self, sentence: impl Into<String>, groups: Vec<Group>) -> Check {
        self.answer(Outcome::Found, sentence.into(), groups)
    }

    pub(super) fn clean(self, sentence: impl Into<String>) -> Check {
        self.answer(Outcome::Clean, sentence.into(), Vec::new())
    }

    pub(super) fn not_applicable(self, reason: impl Into<String>) -> Check {
        self.answer(Outcome::NotApplicable, reason.into(), Vec::new())
    }

    /// Found, if there is any group, otherwise clean.
    pub(super) fn by_groups(
        self,
        groups: Vec<Group>,
        found: impl FnOnce(&[Group]) -> String,
        clean: impl Into<String>,
    ) -> Check {
        if groups.is_empty() { self.clean(clean) } else { self.found(found(&groups), groups) }
    }

    /// Found, if there is any sample, otherwise clean.
    pub(super) fn by_places(
        self,
        label: &str,
        places: Vec<usize>,
        found: String,
        clean: impl Into<String>,
    ) -> Check {
        let groups = if places.is_empty() { Vec::new() } else { vec![Group::new(label, places)] };
        self.by_groups(groups, |_| found, clean)
    }

    fn answer(self, outcome: Outcome, sentence: String, groups: Vec<Group>) -> Check {
        let Self { name, code, weight, title } = self;
        Check { name, code, weight, title, outcome, sentence, groups }
    }
}

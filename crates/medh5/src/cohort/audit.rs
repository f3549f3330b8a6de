//! The audit of a cohort: what its files say about one another.

use std::collections::BTreeSet;

use serde::Serialize;

use super::check::{Check, Outcome, Weight};
use super::checks;
use super::classes::{ClassMatrix, matrix};
use super::entry::CohortEntry;
use super::geometry::{GeometryGroup, groups};
use super::labels::{LabelDifference, LabelSetUse, differences, label_sets};
use super::members::{Members, counted, samples};
use crate::{ABOUT, About};

/// Name and version of the shape that an audit has as JSON.
const SCHEMA: &str = "medh5-lite.cohort/1";

/// What the files of a cohort say about one another. Lists of samples hold places in [`Audit::samples`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Audit {
    /// Name and version of this shape.
    pub schema: &'static str,
    /// The versions that decide what it says.
    pub tool: About,
    /// How much was looked at.
    pub totals: Totals,
    /// The questions and their answers.
    pub checks: Vec<Check>,
    /// The vocabularies, the one that most samples use first.
    pub label_sets: Vec<LabelSetUse>,
    /// How the other vocabularies differ from the first whose classes are known.
    pub label_differences: Vec<LabelDifference>,
    /// Classes by site and part of a split.
    pub classes: ClassMatrix,
    /// Images that agree in spacing, shape or orientation.
    pub geometry: Vec<GeometryGroup>,
    /// All samples, readable or not, sorted by path.
    pub samples: Vec<SampleLine>,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// All samples, readable or not.
    pub samples: usize,
    /// Those that could not be opened.
    pub unreadable: usize,
    /// Those that were read in part.
    pub incomplete: usize,
    /// Different subjects.
    pub subjects: usize,
    /// Different sites.
    pub sites: usize,
    /// Images.
    pub images: usize,
    /// Annotations.
    pub annotations: usize,
}

/// One sample on one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SampleLine {
    /// The file as the caller named it, and `::KEY` for a member of a collection.
    pub path: String,
    /// Whether it could be opened.
    pub is_open: bool,
    /// What could not be read, and why.
    pub problems: Vec<String>,
    /// Name of the sample in its data set.
    pub sample_id: Option<String>,
    /// Pseudonym of the subject.
    pub subject_id: Option<String>,
    /// The site.
    pub site_id: Option<String>,
    /// Its claims to be in splits, as `SET:PARTITION` and `SET:PARTITION:FOLD`.
    pub splits: Vec<String>,
}

/// Audits a cohort: a pure function of its entries, whatever their order.
pub fn audit(entries: &[CohortEntry]) -> Audit {
    let members = Members::new(entries);
    let label_sets = label_sets(&members);
    let classes = matrix(&members);
    let geometry = groups(&members);
    Audit {
        schema: SCHEMA,
        tool: ABOUT,
        totals: Totals::of(&members),
        checks: checks::run(&checks::Cohort {
            members: &members,
            label_sets: &label_sets,
            classes: &classes,
            geometry: &geometry,
        }),
        label_differences: differences(&members, &label_sets),
        label_sets,
        classes,
        geometry,
        samples: members.all().map(|(_, entry)| SampleLine::of(entry)).collect(),
    }
}

impl Audit {
    /// Whether no question of the weight of an error led to anything, and every file was read.
    pub fn is_ok(&self) -> bool {
        self.checks
            .iter()
            .all(|check| check.outcome != Outcome::Found || check.weight != Weight::Error)
    }

    /// How many questions of this weight led to something.
    pub fn found(&self, weight: Weight) -> usize {
        let is_found = |check: &&Check| check.outcome == Outcome::Found && check.weight == weight;
        self.checks.iter().filter(is_found).count()
    }
}

impl Totals {
    fn of(members: &Members<'_>) -> Self {
        let open = || members.open().map(|(_, entry)| entry);
        let distinct = |name: fn(&CohortEntry) -> Option<&String>| {
            open().filter_map(name).collect::<BTreeSet<_>>().len()
        };
        Self {
            samples: members.len(),
            unreadable: members.len() - open().count(),
            incomplete: open().filter(|entry| !entry.problems.is_empty()).count(),
            subjects: distinct(|entry| entry.subject_id.as_ref()),
            sites: distinct(|entry| entry.site_id.as_ref()),
            images: open().map(|entry| entry.images.len()).sum(),
            annotations: open().map(|entry| entry.annotations.len()).sum(),
        }
    }
}

impl Totals {
    /// One line for people.
    pub fn line(&self) -> String {
        format!(
            "{}: {} unreadable, {} read in part; {}, {}, {}, {}",
            samples(self.samples),
            self.unreadable,
            self.incomplete,
            counted(self.subjects, "subject"),
            counted(self.sites, "site"),
            counted(self.images, "image"),
            counted(self.annotations, "annotation"),
        )
    }
}

impl SampleLine {
    fn of(entry: &CohortEntry) -> Self {
        let problems = entry.problems.iter();
        let splits = entry.splits.iter().map(|claim| match claim.fold {
            Some(fold) => format!("{}:{}:{fold}", claim.set_id, claim.partition),
            None => format!("{}:{}", claim.set_id, claim.partition),
        });
        Self {
            path: entry.path.clone(),
            is_open: entry.is_open,
            problems: problems.map(|one| format!("{}: {}", one.location, one.message)).collect(),
            sample_id: entry.sample_id.clone(),
            subject_id: entry.subject_id.clone(),
            site_id: entry.site_id.clone(),
            splits: splits.collect(),
        }
    }
}

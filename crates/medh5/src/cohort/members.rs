//! The entries in the order of the audit, and ways to put them in groups.

use std::collections::BTreeMap;

use super::check::Group;
use super::entry::CohortEntry;

/// The entries of an audit, sorted by path; their places are what groups hold.
pub(super) struct Members<'a> {
    entries: Vec<&'a CohortEntry>,
}

impl<'a> Members<'a> {
    pub(super) fn new(entries: &'a [CohortEntry]) -> Self {
        let mut entries: Vec<&CohortEntry> = entries.iter().collect();
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Self { entries }
    }

    /// All samples, readable or not, with their places.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, &'a CohortEntry)> {
        self.entries.iter().copied().enumerate()
    }

    /// The samples that could be opened.
    pub(super) fn open(&self) -> impl Iterator<Item = (usize, &'a CohortEntry)> {
        self.all().filter(|(_, entry)| entry.is_open)
    }

    pub(super) fn entry(&self, place: usize) -> Option<&'a CohortEntry> {
        self.entries.get(place).copied()
    }

    /// The number of all samples: the denominator of every answer.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// `3 of 12 samples`.
    pub(super) fn part(&self, count: usize) -> String {
        format!("{count} of {}", samples(self.len()))
    }

    /// Opened samples by what `keys` names of each, in the order of the keys; a sample may be in several groups.
    pub(super) fn by<K: Ord, I: IntoIterator<Item = K>>(
        &self,
        keys: impl Fn(&'a CohortEntry) -> I,
    ) -> BTreeMap<K, Vec<usize>> {
        let mut groups: BTreeMap<K, Vec<usize>> = BTreeMap::new();
        for (place, entry) in self.open() {
            for key in keys(entry) {
                let group = groups.entry(key).or_default();
                if group.last() != Some(&place) {
                    group.push(place);
                }
            }
        }
        groups
    }

    /// Places of the opened samples for which `holds`.
    pub(super) fn places(&self, holds: impl Fn(&CohortEntry) -> bool) -> Vec<usize> {
        self.open().filter(|(_, entry)| holds(entry)).map(|(place, _)| place).collect()
    }
}

/// How many different samples are in any of the groups.
pub(super) fn distinct(groups: &[Group]) -> usize {
    let mut places: Vec<usize> = groups.iter().flat_map(|group| &group.samples).copied().collect();
    places.sort_unstable();
    places.dedup();
    places.len()
}

/// `1 sample`, `2 samples`.
pub(super) fn samples(count: usize) -> String {
    counted(count, "sample")
}

/// `1 group`, `2 groups`, `2 classes`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    let plural = if noun.ends_with('s') { "es" } else { "s" };
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}{plural}") }
}

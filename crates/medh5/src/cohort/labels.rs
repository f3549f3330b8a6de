//! The vocabularies of a cohort, and how each differs from the one that most samples use.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::entry::{ClassEntry, LabelSetEntry};
use super::members::Members;

/// A vocabulary and the samples that use it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LabelSetUse {
    /// Its name.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Digest of its meaning, bare hexadecimal.
    pub digest: String,
    /// Whether its classes are at an address and so not known here.
    pub is_reference: bool,
    /// Number of its classes.
    pub classes: usize,
    /// Places in the list of samples, ascending.
    pub samples: Vec<usize>,
}

/// How a vocabulary differs from the one that most samples use.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct LabelDifference {
    /// Place of the common vocabulary in the list of vocabularies.
    pub from: usize,
    /// Place of the other one.
    pub to: usize,
    /// Classes that only the other one has.
    pub added: Vec<ClassEntry>,
    /// Classes that only the common one has.
    pub removed: Vec<ClassEntry>,
    /// Classes of one key and id with another name.
    pub renamed: Vec<RenamedClass>,
    /// Ids that stand for another key.
    pub redefined: Vec<RenamedClass>,
    /// Classes of one key and id with another colour.
    pub recolored: Vec<ClassEntry>,
    /// Keys that have another id.
    pub moved: Vec<MovedClass>,
}

/// One id before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub struct RenamedClass {
    pub id: i64,
    pub from_key: String,
    pub from_name: String,
    pub to_key: String,
    pub to_name: String,
}

/// One key before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub struct MovedClass {
    pub key: String,
    pub from_id: i64,
    pub to_id: i64,
}

impl LabelDifference {
    /// Whether only the names of the sets, or what this does not list, differ.
    pub fn is_empty(&self) -> bool {
        *self == Self { from: self.from, to: self.to, ..Self::default() }
    }
}

/// The vocabularies, the one that most samples use first.
pub(super) fn label_sets(members: &Members<'_>) -> Vec<LabelSetUse> {
    let mut sets: Vec<LabelSetUse> = by_digest(members)
        .into_values()
        .map(|(set, samples)| LabelSetUse {
            id: set.id.clone(),
            version: set.version.clone(),
            digest: set.digest.clone(),
            is_reference: set.is_reference,
            classes: set.classes.len(),
            samples,
        })
        .collect();
    // Stable: among equals the order of the digests stays.
    sets.sort_by_key(|set| Reverse(set.samples.len()));
    sets
}

fn by_digest<'a>(members: &Members<'a>) -> BTreeMap<&'a str, (&'a LabelSetEntry, Vec<usize>)> {
    let mut sets = BTreeMap::new();
    for (place, entry) in members.open() {
        let Some(set) = &entry.label_set else { continue };
        let (_, samples) = sets.entry(set.digest.as_str()).or_insert((set, Vec::new()));
        samples.push(place);
    }
    sets
}

/// Each other vocabulary against the first one whose classes are known.
pub(super) fn differences(members: &Members<'_>, sets: &[LabelSetUse]) -> Vec<LabelDifference> {
    let entries = by_digest(members);
    let entry = |set: &LabelSetUse| entries.get(set.digest.as_str()).map(|(entry, _)| *entry);
    let mut known = sets.iter().enumerate().filter(|(_, set)| !set.is_reference);
    let Some((from, base)) = known.next() else { return Vec::new() };
    let Some(base) = entry(base) else { return Vec::new() };
    let others = known.filter_map(|(to, set)| Some((to, entry(set)?)));
    others.map(|(to, other)| LabelDifference { from, to, ..difference(base, other) }).collect()
}

/// Keys are compared first: a key that both have is the same class, whatever its id.
fn difference(base: &LabelSetEntry, other: &LabelSetEntry) -> LabelDifference {
    let mut found = LabelDifference::default();
    let by_key = |set: &'_ LabelSetEntry, key: &str| {
        set.classes.iter().find(|class| class.key == key).cloned()
    };
    let mut lost = Vec::new();
    for class in &base.classes {
        match by_key(other, &class.key) {
            Some(same) if same.id != class.id => found.moved.push(MovedClass {
                key: class.key.clone(),
                from_id: class.id,
                to_id: same.id,
            }),
            Some(same) => {
                if same.name != class.name {
                    found.renamed.push(renamed(class, &same));
                }
                if same.color != class.color {
                    found.recolored.push(same);
                }
            }
            None => lost.push(class.clone()),
        }
    }
    let is_new = |class: &&ClassEntry| by_key(base, &class.key).is_none();
    for class in other.classes.iter().filter(is_new) {
        match lost.iter().position(|old| old.id == class.id) {
            Some(at) => found.redefined.push(renamed(&lost.remove(at), class)),
            None => found.added.push(class.clone()),
        }
    }
    found.removed = lost;
    found
}

fn renamed(from: &ClassEntry, to: &ClassEntry) -> RenamedClass {
    RenamedClass {
        id: from.id,
        from_key: from.key.clone(),
        from_name: from.name.clone(),
        to_key: to.key.clone(),
        to_name: to.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(classes: &[(i64, &str, &str)]) -> LabelSetEntry {
        let class = |&(id, key, name): &(i64, &str, &str)| ClassEntry {
            id,
            key: key.into(),
            name: name.into(),
            color: Vec::new(),
        };
        LabelSetEntry {
            id: "a".into(),
            version: "1".into(),
            digest: String::new(),
            is_reference: false,
            classes: classes.iter().map(class).collect(),
        }
    }

    #[test]
    fn each_kind_of_change_is_told_apart() {
        let base = set(&[
            (1, "liver", "Liver"),
            (2, "spleen", "Spleen"),
            (3, "kidney", "Kidney"),
            (4, "aorta", "Aorta"),
        ]);
        let mut other = set(&[
            (1, "liver", "Hepar"),
            (2, "lung", "Lung"),
            (5, "kidney", "Kidney"),
            (7, "bone", "Bone"),
        ]);
        other.classes[2].color = vec![1, 2, 3, 4];
        let found = difference(&base, &other);
        assert_eq!(found.renamed.iter().map(|one| one.id).collect::<Vec<_>>(), [1]);
        assert_eq!(found.redefined, [renamed(&base.classes[1], &other.classes[1])]);
        assert_eq!(found.moved, [MovedClass { key: "kidney".into(), from_id: 3, to_id: 5 }]);
        assert_eq!(found.added, [other.classes[3].clone()]);
        assert_eq!(found.removed, [base.classes[3].clone()]);
        assert!(found.recolored.is_empty(), "a moved class is not compared further");
        assert!(difference(&base, &base).is_empty());
    }
}

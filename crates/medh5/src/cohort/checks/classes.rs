//! Was every class looked for, and is it there where it is needed?

use std::collections::{BTreeMap, BTreeSet};

use super::Cohort;
use crate::cohort::check::{Check, Group, Question, Weight};
use crate::cohort::classes::{Cell, ClassRow, Column};
use crate::cohort::members::counted;

const NO_CLASS: &str = "no annotation names a class";

/// C301: classes that were looked for in some samples only; where they were not, their absence means nothing.
pub(super) fn partly_examined(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "class-partly-examined",
        code: Some("C301"),
        weight: Weight::Warning,
        title: "Classes examined in part of the cohort",
    };
    if cohort.classes.rows.is_empty() {
        return question.not_applicable(NO_CLASS);
    }
    let open: BTreeSet<usize> = cohort.members.open().map(|(place, _)| place).collect();
    let groups: Vec<Group> = by_id(cohort)
        .into_iter()
        .filter_map(|(id, (name, examined))| {
            let others: Vec<usize> = open.difference(&examined).copied().collect();
            let is_partial = !examined.is_empty() && !others.is_empty();
            is_partial.then(|| Group::new(format!("{id} {name}: not examined"), others))
        })
        .collect();
    let sentence = |groups: &[Group]| {
        let classes = counted(groups.len(), "class");
        format!("{classes} examined in some samples only; the others are no negative examples")
    };
    question.by_groups(
        groups,
        sentence,
        "every class that was examined was examined in all samples",
    )
}

/// C302: classes that annotations could express and nobody looked for.
pub(super) fn never_examined(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "class-never-examined",
        code: Some("C302"),
        weight: Weight::Info,
        title: "Classes examined nowhere",
    };
    if cohort.classes.rows.is_empty() {
        return question.not_applicable(NO_CLASS);
    }
    let never = |row: &&ClassRow| row.cells.iter().all(|cell| cell.examined.is_empty());
    let examined: BTreeSet<i64> =
        cohort.classes.rows.iter().filter(|row| !never(row)).map(|row| row.class_id).collect();
    let rows =
        cohort.classes.rows.iter().filter(|row| never(row) && !examined.contains(&row.class_id));
    let groups: Vec<Group> = rows
        .map(|row| Group::new(title(row), merged(row.cells.iter().map(|cell| &cell.declared))))
        .collect();
    let sentence = |groups: &[Group]| {
        let classes = counted(groups.len(), "class");
        format!("{classes} named by annotations and examined in no sample")
    };
    question.by_groups(groups, sentence, "every class that annotations name was examined somewhere")
}

/// Classes that are present somewhere, and in some part of a split nowhere although they were looked for.
pub(super) fn nowhere_present(cohort: &Cohort<'_>) -> Check {
    let question = Question {
        name: "class-absent-in-partition",
        code: None,
        weight: Weight::Warning,
        title: "Classes missing from a part of a split",
    };
    let matrix = cohort.classes;
    if matrix.columns.iter().all(|column| column.partition.is_none()) {
        return question.not_applicable("no sample claims to be in a split");
    }
    if matrix.rows.iter().flat_map(|row| &row.cells).all(|cell| cell.present.is_empty()) {
        return question.not_applicable("no current sampling index counts a voxel");
    }
    let mut groups = Vec::new();
    for row in &matrix.rows {
        let is_somewhere = row.cells.iter().any(|cell| !cell.present.is_empty());
        for (part, cells) in by_part(&matrix.columns, row) {
            let is_known =
                cells.iter().all(|cell| cell.unknown.is_empty() && cell.present.is_empty());
            let examined = merged(cells.iter().map(|cell| &cell.examined));
            if is_somewhere && is_known && !examined.is_empty() {
                groups.push(Group::new(format!("{}: nowhere in {part}", title(row)), examined));
            }
        }
    }
    let sentence = |groups: &[Group]| {
        let gaps = counted(groups.len(), "gap");
        format!(
            "{gaps}: a class that others hold was looked for in a part of a split and is not there"
        )
    };
    question.by_groups(
        groups,
        sentence,
        "every class that is present is present in each part that was examined for it",
    )
}

/// What each id is called, and where it was looked for.
fn by_id<'a>(cohort: &Cohort<'a>) -> BTreeMap<i64, (&'a str, BTreeSet<usize>)> {
    let mut found: BTreeMap<i64, (&str, BTreeSet<usize>)> = BTreeMap::new();
    for row in &cohort.classes.rows {
        let (name, examined) = found.entry(row.class_id).or_default();
        if let Some(key) = &row.key {
            *name = key;
        }
        examined.extend(row.cells.iter().flat_map(|cell| &cell.examined));
    }
    found
}

/// The cells of a row by part of a split, over all sites.
fn by_part<'a>(columns: &[Column], row: &'a ClassRow) -> BTreeMap<String, Vec<&'a Cell>> {
    let mut parts: BTreeMap<String, Vec<&Cell>> = BTreeMap::new();
    for (column, cell) in columns.iter().zip(&row.cells) {
        if let (Some(set), Some(partition)) = (&column.set_id, &column.partition) {
            parts.entry(format!("{partition} of `{set}`")).or_default().push(cell);
        }
    }
    parts
}

fn title(row: &ClassRow) -> String {
    match &row.key {
        Some(key) => format!("{} {key}", row.class_id),
        None => format!("{} (unnamed)", row.class_id),
    }
}

fn merged<'a>(lists: impl Iterator<Item = &'a Vec<usize>>) -> Vec<usize> {
    lists.flatten().copied().collect::<BTreeSet<_>>().into_iter().collect()
}

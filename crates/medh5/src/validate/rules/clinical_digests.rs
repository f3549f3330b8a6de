//! Digests of the clinical tables.

use std::collections::HashSet;

use hdf5::{Group, Object};

use crate::ReadError;
use crate::clinical::CLINICAL;
use crate::sample::ChapterState;
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule =
    Rule::new("check_clinical_digests", Level::Integrity, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    if !context.holds(CLINICAL) {
        return Ok(());
    }
    match ChapterState::of(context.sample.root(), CLINICAL)? {
        ChapterState::Group(group) => every_dataset(group, out),
        _ => Ok(()),
    }
}

/// E818: every dataset below `group` has a digest. Soft links are followed, each object is met once.
fn every_dataset(group: Group, out: &mut Findings) -> Result<(), ReadError> {
    let mut met = HashSet::new();
    // A list instead of recursion: soft links may string together as many groups as the file has.
    let mut open = vec![(format!("/{CLINICAL}"), Object::Group(group))];
    while let Some((path, object)) = open.pop() {
        match object {
            Object::Group(group) if met.insert(group.address()) => {
                for link in group.links()?.iter().rev() {
                    let name = link.name();
                    let member = group.get(&name)?;
                    open.extend(member.map(|member| (format!("{path}/{name}"), member)));
                }
            }
            Object::Dataset(dataset)
                if met.insert(dataset.address()) && dataset.attribute("digest")?.is_none() =>
            {
                out.report(codes::E818, path, "a clinical dataset without a digest");
            }
            _ => {}
        }
    }
    Ok(())
}

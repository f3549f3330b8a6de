//! The versions of a record, and the chain that they must form.

use std::collections::{BTreeMap, BTreeSet};

use super::row_location;
use super::surroundings::Surroundings;
use crate::validate::{Findings, codes};

/// Where findings about chains are.
const LINKS: &str = "/clinical/links";
/// Where findings about records are.
const EVENTS: &str = "/clinical/events";

/// E816: the versions of a record supersede one another in one chain, and forward in time.
pub(super) fn check(surroundings: &Surroundings<'_>, out: &mut Findings) {
    let chains = Chains::of(surroundings, out);
    forks(&chains.successors, "is superseded by", out);
    forks(&chains.predecessors, "supersedes", out);
    let looped = chains.examine(surroundings, out);
    for record in &looped {
        out.report(
            codes::E816,
            LINKS,
            format!("versions of `{record}` supersede one another in a circle"),
        );
    }
    beginnings(surroundings, &chains, &looped, out);
}

/// Which version supersedes which. Versions are events by id.
#[derive(Default)]
struct Chains<'a> {
    predecessors: BTreeMap<&'a str, BTreeSet<&'a str>>,
    successors: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// Versions that were there before one that they directly supersede.
    contradicting: BTreeSet<&'a str>,
}

impl<'a> Chains<'a> {
    /// Takes the links in. One within a version or between records is reported and left out.
    fn of(surroundings: &Surroundings<'a>, out: &mut Findings) -> Self {
        let mut chains = Self::default();
        for link in surroundings.history.links() {
            if link.relation != "supersedes" || !link.relates("event", "event") {
                continue;
            }
            let event = |id| surroundings.event(id);
            let (Some(new), Some(old)) = (event(link.source.id), event(link.target.id)) else {
                continue;
            };
            let location = row_location("links", "", link.row);
            if new.event_id == old.event_id {
                out.report(codes::E816, location, format!("`{}` supersedes itself", new.event_id));
                continue;
            }
            if new.record_id != old.record_id {
                let message =
                    format!("of record `{}`, supersedes one of `{}`", new.record_id, old.record_id);
                out.report(codes::E816, location, message);
                continue;
            }
            chains.predecessors.entry(new.event_id).or_default().insert(old.event_id);
            chains.successors.entry(old.event_id).or_default().insert(new.event_id);
            if let (Some((_, by)), Some((from, _))) = (new.available.known(), old.available.known())
                && by < from
            {
                chains.contradicting.insert(new.event_id);
                let message = format!("available by {by}, supersedes one available from {from}");
                out.report(codes::E816, location, message);
            }
        }
        chains
    }

    /// Compares each version with all that it supersedes at any remove, and gives the records that run in a circle.
    ///
    /// Versions are met once all that they supersede were; those on or after a circle never are.
    fn examine(&self, surroundings: &Surroundings<'a>, out: &mut Findings) -> BTreeSet<&'a str> {
        let versions: BTreeSet<&str> =
            self.predecessors.keys().chain(self.successors.keys()).copied().collect();
        let mut missing: BTreeMap<&str, usize> = versions
            .iter()
            .map(|version| (*version, targets(&self.predecessors, version).count()))
            .collect();
        let mut ready: Vec<&str> = missing
            .iter()
            .filter(|(_, missing)| **missing == 0)
            .map(|(version, _)| *version)
            .collect();
        let mut latest: BTreeMap<&str, Option<i64>> = BTreeMap::new();
        while let Some(version) = ready.pop() {
            missing.remove(version);
            let before = latest.get(version).copied().flatten();
            let event = surroundings.event(version);
            let available = event.and_then(|event| event.available.known());
            if let (Some((_, by)), Some(from)) = (available, before)
                && by < from
                && !self.contradicting.contains(version)
            {
                let message =
                    format!("`{version}` is available by {by}, an earlier version from {from}");
                out.report(codes::E816, LINKS, message);
            }
            let from = before.max(available.map(|(from, _)| from));
            for successor in targets(&self.successors, version) {
                let known = latest.entry(successor).or_default();
                *known = (*known).max(from);
                if let Some(left) = missing.get_mut(successor) {
                    *left -= 1;
                    if *left == 0 {
                        ready.push(successor);
                    }
                }
            }
        }
        let looped = missing.keys().filter_map(|version| surroundings.event(version));
        looped.map(|event| event.record_id).collect()
    }
}

fn targets<'m, 'a>(
    map: &'m BTreeMap<&'a str, BTreeSet<&'a str>>,
    version: &str,
) -> impl Iterator<Item = &'a str> + 'm {
    map.get(version).into_iter().flatten().copied()
}

/// E816: no version has two neighbours on one side.
fn forks(map: &BTreeMap<&str, BTreeSet<&str>>, verb: &str, out: &mut Findings) {
    for (version, others) in map.iter().filter(|(_, others)| others.len() > 1) {
        out.report(codes::E816, LINKS, format!("`{version}` {verb} {} versions", others.len()));
    }
}

/// E816: of the versions of a record, exactly one supersedes none.
fn beginnings(
    surroundings: &Surroundings<'_>,
    chains: &Chains<'_>,
    looped: &BTreeSet<&str>,
    out: &mut Findings,
) {
    // How many versions a record has, and how many of them supersede none.
    let mut records: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for event in surroundings.history.events() {
        let (versions, first) = records.entry(event.record_id).or_default();
        *versions += 1;
        *first += usize::from(!chains.predecessors.contains_key(event.event_id));
    }
    for (record, (versions, first)) in records {
        if versions > 1 && first != 1 && !looped.contains(record) {
            let message = format!("{first} of {versions} versions of `{record}` supersede none");
            out.report(codes::E816, EVENTS, message);
        }
    }
}

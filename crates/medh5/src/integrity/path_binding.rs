//! Whether every path of the attested groups leads to what `content_id` covers there. Spec: MEDH5 1.0 §13.2.
//!
//! `content_id` binds digests to paths. A dataset without a line, or a path that is not its object's own, could be
//! exchanged without a trace; this is where that shows.

use std::collections::HashSet;

use hdf5::{Address, Group, Link, LinkTarget, Object};

use super::lines::{DigestLines, has_digest};
use crate::ReadError;
use crate::sample::{Chapter, Sample, Walk};

/// The group of the clinical profile.
const CLINICAL: &str = "clinical";

/// A path that no line of `content_id` binds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unbound {
    /// The path of the link, without a leading slash.
    pub(crate) path: String,
    /// What is there.
    pub(crate) why: UnboundKind,
}

/// Why a path is not bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnboundKind {
    /// A dataset at its own path that has no digest.
    Undigested,
    /// Another name for an object that has its own path elsewhere, or a link of an unknown class.
    Alias,
    /// A digested dataset whose own path is in the sampling index, where no line covers it.
    CoveredNowhere,
}

/// Every unbound path of the four attested groups, and of `clinical` if `clinical_declared`, in byte order per group.
///
pub(crate) fn unbound_paths(
    sample: &Sample,
    digests: &DigestLines<'_>,
    clinical_declared: bool,
) -> Result<Vec<Unbound>, ReadError> {
    let mut judge = Judge { walk: sample.walk()?, lines: &digests.paths(), unbound: Vec::new() };
    let clinical = clinical_declared.then_some(CLINICAL);
    for name in Chapter::ALL.into_iter().map(Chapter::name).chain(clinical) {
        if let Some(link) = sample.root().link(name)? {
            judge.link(sample.root(), &link, name.to_owned())?;
        }
    }
    Ok(judge.unbound)
}

struct Judge<'a> {
    walk: &'a Walk,
    lines: &'a HashSet<&'a str>,
    unbound: Vec<Unbound>,
}

impl Judge<'_> {
    /// A group at its own path is entered; any other could be exchanged as a whole.
    fn group(&mut self, path: String, group: &Group) -> Result<(), ReadError> {
        if !self.is_own_path(group.address(), &path) {
            self.report(path, UnboundKind::Alias);
            return Ok(());
        }
        for link in group.links()?.iter() {
            self.link(group, link, format!("{path}/{}", link.name()))?;
        }
        Ok(())
    }

    fn link(&mut self, parent: &Group, link: &Link, path: String) -> Result<(), ReadError> {
        if let LinkTarget::External { .. } | LinkTarget::UserDefined { .. } = link.target {
            self.report(path, UnboundKind::Alias);
            return Ok(());
        }
        match parent.get(&link.name())? {
            Some(Object::Group(group)) => self.group(path, &group),
            Some(Object::Dataset(dataset)) => self.dataset(path, &dataset),
            _ => Ok(()),
        }
    }

    fn dataset(&mut self, path: String, dataset: &hdf5::Dataset) -> Result<(), ReadError> {
        if self.lines.contains(path.as_str()) {
            return Ok(());
        }
        let own_path = self.walk.first_path(dataset.address());
        let why = if own_path == Some(path.as_str()) {
            UnboundKind::Undigested
        } else if own_path.is_some_and(|own| self.lines.contains(own)) || !has_digest(dataset)? {
            UnboundKind::Alias
        } else {
            UnboundKind::CoveredNowhere
        };
        self.report(path, why);
        Ok(())
    }

    fn is_own_path(&self, address: Address, path: &str) -> bool {
        self.walk.first_path(address) == Some(path)
    }

    fn report(&mut self, path: String, why: UnboundKind) {
        self.unbound.push(Unbound { path, why });
    }
}

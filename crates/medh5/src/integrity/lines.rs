//! The digested datasets of a sample: one line of `content_id` each. Spec: MEDH5 1.0 §13.2.

use std::collections::HashSet;

use hdf5::{Dataset, Object};

use crate::ReadError;
use crate::attributes::Attributes;
use crate::sample::Sample;
use crate::validate::ElementTest;

/// The sampling index is derived data: nothing under it has a line.
const DERIVED: &str = "index/";

/// A dataset that carries a digest.
#[derive(Debug, Clone)]
pub(crate) struct DigestLine<'a> {
    /// The first path of its object, without a leading slash.
    pub(crate) path: &'a str,
    pub(crate) dataset: &'a Dataset,
    /// The stored digest, canonical or not.
    pub(crate) text: String,
    /// What its elements are looked at for while they are hashed.
    pub(crate) look: Option<ElementTest>,
}

/// The datasets of a sample outside the sampling index, by whether they carry a digest.
#[derive(Debug, Clone)]
pub(crate) struct DigestLines<'a> {
    /// Those that do, sorted by the bytes of their paths.
    pub(crate) lines: Vec<DigestLine<'a>>,
    /// The paths of those that do not, `meta` aside, which needs none; sorted likewise.
    pub(crate) undigested: Vec<&'a str>,
}

impl<'a> DigestLines<'a> {
    /// Looks at every dataset of the walk.
    pub(crate) fn of(sample: &'a Sample) -> Result<Self, ReadError> {
        let mut found = Self { lines: Vec::new(), undigested: Vec::new() };
        for (path, dataset) in sample.walk()?.datasets() {
            if path.starts_with(DERIVED) {
                continue;
            }
            match stored_digest(dataset)? {
                Some(text) => found.lines.push(DigestLine { path, dataset, text, look: None }),
                None if path == "meta" => {}
                None => found.undigested.push(path),
            }
        }
        found.lines.sort_unstable_by_key(|line| line.path);
        found.undigested.sort_unstable();
        Ok(found)
    }

    /// The paths that have a line.
    pub(crate) fn paths(&self) -> HashSet<&'a str> {
        self.lines.iter().map(|line| line.path).collect()
    }
}

/// The text of the attribute `digest`, whatever it says.
pub(crate) fn stored_digest(dataset: &Dataset) -> Result<Option<String>, ReadError> {
    Attributes::of(Object::Dataset(dataset.clone())).text("digest")
}

/// Whether there is an attribute `digest`, whatever it holds.
pub(crate) fn has_digest(dataset: &Dataset) -> Result<bool, ReadError> {
    Ok(dataset.attribute("digest")?.is_some())
}

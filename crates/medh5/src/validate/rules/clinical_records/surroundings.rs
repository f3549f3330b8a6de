//! What the rows of the tables may refer to.

use std::collections::{HashMap, HashSet};

use crate::ReadError;
use crate::clinical::{Document, Endpoint, Event, History};
use crate::document::Document as SampleDocument;
use crate::sample::Chapter;
use crate::validate::Context;
use crate::values::unsigned_integers;

/// The parts of the sample and the rows of the tables, by id.
pub(super) struct Surroundings<'a> {
    pub(super) history: &'a History,
    /// The last row of each event id.
    events: HashMap<&'a str, usize>,
    /// The last row of each document id.
    documents: HashMap<&'a str, usize>,
    /// The sample document; without it, whatever it would declare counts as declared.
    sample_document: Option<&'a SampleDocument>,
    /// Timepoint of each grid.
    grids: HashMap<String, Option<String>>,
    /// Grid of each image.
    images: HashMap<String, Option<String>>,
    /// Instances of each annotation.
    annotations: HashMap<String, HashSet<u64>>,
    transforms: HashSet<String>,
}

impl<'a> Surroundings<'a> {
    pub(super) fn of(context: &'a Context<'_>, history: &'a History) -> Result<Self, ReadError> {
        let sample = context.sample;
        let sample_document = context.document.as_ref();
        let mut found = Self {
            history,
            events: history.events().map(|event| (event.event_id, event.row)).collect(),
            documents: history
                .documents()
                .map(|document| (document.document_id, document.row))
                .collect(),
            sample_document,
            grids: HashMap::new(),
            images: HashMap::new(),
            annotations: HashMap::new(),
            transforms: HashSet::new(),
        };
        let only_timepoint = match sample_document.map(|document| document.timepoints.as_slice()) {
            Some([only]) => Some(only.id.clone()),
            _ => None,
        };
        for grid in sample.grids()?.iter().filter(|grid| grid.is_group()) {
            let own = grid.timepoint()?.filter(|timepoint| !timepoint.is_empty());
            found.grids.insert(grid.name().to_owned(), own.or_else(|| only_timepoint.clone()));
        }
        for image in sample.images()? {
            found.images.insert(image.name().to_owned(), image.grid_reference()?);
        }
        for child in sample.children(Chapter::Annotations)? {
            if child.group().is_some() {
                found.annotations.insert(child.name().to_owned(), instances(child)?);
            }
        }
        for member in sample.members(Chapter::Transforms)? {
            found.transforms.insert(member.name.clone());
        }
        Ok(found)
    }

    /// The event of this id, the last if there are several.
    pub(super) fn event(&self, id: &str) -> Option<Event<'a>> {
        self.history.event(*self.events.get(id)?)
    }

    /// The document of this id, the last if there are several.
    pub(super) fn document(&self, id: &str) -> Option<Document<'a>> {
        self.history.document(*self.documents.get(id)?)
    }

    pub(super) fn has_timepoint(&self, id: &str) -> bool {
        self.sample_document.is_none_or(|document| document.timepoint(id).is_some())
    }

    pub(super) fn has_activity(&self, id: &str) -> bool {
        self.sample_document.is_none_or(|document| document.provenance.activity(id).is_some())
    }

    pub(super) fn has_annotation(&self, name: &str) -> bool {
        self.annotations.contains_key(name)
    }

    /// Whether `annotation` has the instance that a link names.
    pub(super) fn annotation_has(&self, annotation: &str, instance: &str) -> bool {
        let ids = self.annotations.get(annotation);
        instance_id(instance).zip(ids).is_some_and(|(id, ids)| ids.contains(&id))
    }

    /// Whether what a link leads from or to exists; `None` when its type is unknown.
    pub(super) fn resolves(&self, endpoint: Endpoint<'_>) -> Option<bool> {
        let id = endpoint.id;
        Some(match endpoint.endpoint_type {
            "event" => self.events.contains_key(id),
            "document" => self.documents.contains_key(id),
            "image" => self.images.contains_key(id),
            "grid" => self.grids.contains_key(id),
            "annotation" => self.has_annotation(id),
            "transform" => self.transforms.contains(id),
            "timepoint" => self.has_timepoint(id),
            "instance" => self.annotations.keys().any(|name| self.annotation_has(name, id)),
            _ => return None,
        })
    }

    /// The timepoint at which an image was taken, if its grid says so.
    pub(super) fn timepoint_of_image(&self, image: &str) -> Option<&str> {
        let grid = self.images.get(image)?.as_deref()?;
        self.grids.get(grid)?.as_deref()
    }
}

/// The instance ids of an annotation; none when they cannot be read.
fn instances(annotation: &crate::sample::Child) -> Result<HashSet<u64>, ReadError> {
    let read = || -> Result<HashSet<u64>, ReadError> {
        let Some(dataset) = annotation.member_dataset("instance_ids")? else {
            return Ok(HashSet::new());
        };
        let ids = unsigned_integers(&dataset.read()?.elements);
        Ok(ids.unwrap_or_default().into_iter().collect())
    };
    match read() {
        Err(error) if !error.is_interruption() => Ok(HashSet::new()),
        read => read,
    }
}

/// An instance is named in canonical decimal: digits only, no zero in front.
fn instance_id(text: &str) -> Option<u64> {
    let is_canonical =
        text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if is_canonical { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::instance_id;

    #[test]
    fn instances_are_named_in_canonical_decimal() {
        assert_eq!(instance_id("0"), Some(0));
        assert_eq!(instance_id("18446744073709551615"), Some(u64::MAX));
        for text in ["", "01", "+1", "-1", " 1", "1.0", "18446744073709551616"] {
            assert_eq!(instance_id(text), None, "{text:?}");
        }
    }
}

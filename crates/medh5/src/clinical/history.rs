//! The clinical tables of one sample.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use hdf5::Group;

use super::columns::{DOCUMENTS, EVENTS, LINKS, TableSpec};
use super::rows::{Document, Event, Link};
use super::{Column, Problem, Table};
use crate::ReadError;
use crate::sample::ChapterState;
use crate::validate::codes;

/// Name of the group that holds the profile's content.
pub(crate) const CLINICAL: &str = "clinical";

/// The clinical history of one sample, as far as it can be read: see [`crate::Sample::history`].
#[derive(Debug, Clone)]
pub struct History {
    events: Option<Table>,
    documents: Option<Table>,
    links: Option<Table>,
    /// Tables that are not there as they must be.
    pub(crate) problems: Vec<Problem>,
}

impl History {
    pub(crate) fn read(group: &Group) -> Result<Self, ReadError> {
        let mut problems = Vec::new();
        Ok(Self {
            events: table(&EVENTS, group, true, &mut problems)?,
            documents: table(&DOCUMENTS, group, false, &mut problems)?,
            links: table(&LINKS, group, false, &mut problems)?,
            problems,
        })
    }

    /// The tables that are groups, in the order of the format.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        [&self.events, &self.documents, &self.links].into_iter().flatten()
    }

    /// The table of events, if it is a group.
    pub fn event_table(&self) -> Option<&Table> {
        self.events.as_ref()
    }

    /// The events in the order of the table.
    pub fn events(&self) -> impl Iterator<Item = Event<'_>> {
        rows(self.events.as_ref()).filter_map(|(columns, row)| Event::of(columns, row))
    }

    /// The event of a row.
    pub fn event(&self, row: usize) -> Option<Event<'_>> {
        Event::of(self.events.as_ref()?.columns(), row)
    }

    /// The documents in the order of the table.
    pub fn documents(&self) -> impl Iterator<Item = Document<'_>> {
        rows(self.documents.as_ref()).filter_map(|(columns, row)| Document::of(columns, row))
    }

    /// The document of a row.
    pub fn document(&self, row: usize) -> Option<Document<'_>> {
        Document::of(self.documents.as_ref()?.columns(), row)
    }

    /// The links in the order of the table.
    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        rows(self.links.as_ref()).filter_map(|(columns, row)| Link::of(columns, row))
    }

    /// The events by earliest start, then latest start, then id; those without a known start last.
    pub fn timeline(&self) -> Vec<Event<'_>> {
        let mut events: Vec<_> = self.events().collect();
        events.sort_by_key(|event| {
            let start = event.effective_start.known();
            (Reverse(start.is_some()), start, event.event_id)
        });
        events
    }

    /// The text of a document.
    ///
    /// # Errors
    /// [`ReadError::File`] when it cannot be read.
    pub fn document_text(&self, document: &Document<'_>) -> Result<Option<String>, ReadError> {
        let column = self.documents.as_ref().and_then(|table| table.column("text"));
        let texts = column.and_then(|column| column.long_texts());
        texts.map(|texts| texts.text(document.row)).transpose()
    }

    /// Bytes of the text of a document.
    pub fn document_bytes(&self, document: &Document<'_>) -> Option<u64> {
        self.documents.as_ref()?.column("text")?.long_texts()?.len(document.row)
    }

    /// Which of `places`, in bytes from the start of the text of the document of a row, are inside a character.
    ///
    /// # Errors
    /// [`ReadError::File`] when it cannot be read.
    pub(crate) fn inside_characters(
        &self,
        row: usize,
        places: &BTreeSet<u64>,
    ) -> Result<BTreeSet<u64>, ReadError> {
        let column = self.documents.as_ref().and_then(|table| table.column("text"));
        match column.and_then(|column| column.long_texts()) {
            Some(texts) => texts.inside_characters(row, places),
            None => Ok(BTreeSet::new()),
        }
    }
}

fn rows(table: Option<&Table>) -> impl Iterator<Item = (&[Option<Column>], usize)> {
    table.into_iter().flat_map(|table| (0..table.rows()).map(|row| (table.columns(), row)))
}

/// E804: the table is there if it must be, and is a group.
fn table(
    spec: &'static TableSpec,
    group: &Group,
    is_required: bool,
    problems: &mut Vec<Problem>,
) -> Result<Option<Table>, ReadError> {
    let path = format!("/{CLINICAL}/{}", spec.name);
    match ChapterState::of(group, spec.name)? {
        ChapterState::Group(group) => return Table::read(spec, &group, &path).map(Some),
        ChapterState::NotAGroup => {
            problems.push(Problem::new(codes::E804, path, "the table is no group of columns"));
        }
        ChapterState::Absent if is_required => {
            problems.push(Problem::new(codes::E804, path, "a required table is absent"));
        }
        ChapterState::Absent => {}
    }
    Ok(None)
}

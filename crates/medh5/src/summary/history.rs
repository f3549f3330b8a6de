//! A clinical history as values.

use serde::Serialize;

use crate::clinical::{Document, Event, Link};

/// The clinical tables of a sample, events in order of time.
#[derive(Debug, Clone, Serialize)]
pub struct HistorySummary<'a> {
    /// See [`crate::clinical::History::timeline`].
    pub events: Vec<Event<'a>>,
    /// The documents, without their texts.
    pub documents: Vec<Document<'a>>,
    /// The links.
    pub links: Vec<Link<'a>>,
}

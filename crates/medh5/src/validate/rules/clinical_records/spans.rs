//! The parts of documents that links point at.

use std::collections::BTreeMap;

use super::surroundings::Surroundings;
use crate::ReadError;
use crate::clinical::{History, Link};
use crate::validate::{Findings, codes};

/// Spans that are sound but for their characters, by the row of their document.
#[derive(Default)]
pub(super) struct Spans {
    of_document: BTreeMap<usize, Vec<Span>>,
}

/// Where a link points within the text of a document.
struct Span {
    /// Where the link is.
    location: String,
    start: u64,
    end: u64,
}

impl Spans {
    /// E814: a span is whole, of a document, in order, and inside its text. If so, it is kept.
    pub(super) fn add(
        &mut self,
        link: &Link<'_>,
        surroundings: &Surroundings<'_>,
        location: &str,
        out: &mut Findings,
    ) {
        let mut report = |message: String| out.report(codes::E814, location, message);
        let (start, end) = match (link.source_start, link.source_end) {
            (None, None) => return,
            (Some(start), Some(end)) => (start, end),
            _ => return report("a span has a start and an end".to_owned()),
        };
        let is_of_document = link.source.endpoint_type == "document";
        if !is_of_document {
            report("a span is of a document's text".to_owned());
        }
        if start > end {
            report(format!("the span runs from {start} to {end}"));
        }
        let document = surroundings.document(link.source.id).filter(|_| is_of_document);
        let Some(document) = document else { return };
        let bytes = surroundings.history.document_bytes(&document).unwrap_or(0);
        if start > end || end > bytes {
            return report(format!("bytes {start} to {end} of a text of {bytes}"));
        }
        let span = Span { location: location.to_owned(), start, end };
        self.of_document.entry(document.row).or_default().push(span);
    }

    /// E814: the spans that were kept begin and end between characters. Each text is read once, however many it has.
    pub(super) fn check(&self, history: &History, out: &mut Findings) -> Result<(), ReadError> {
        for (document, spans) in &self.of_document {
            let places = spans.iter().flat_map(|span| [span.start, span.end]).collect();
            let inside = history.inside_characters(*document, &places)?;
            for Span { location, start, end } in spans {
                if inside.contains(start) || inside.contains(end) {
                    let message = format!("bytes {start} to {end} split a character");
                    out.report(codes::E814, location, message);
                }
            }
        }
        Ok(())
    }
}

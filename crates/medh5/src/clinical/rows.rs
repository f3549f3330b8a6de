//! The rows of the tables as records. Fields of a row whose column is absent or unreadable are empty or `None`.

use serde::Serialize;

use super::Table;

/// One version of one fact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the fields are the columns of the format")]
pub struct Event<'a> {
    pub row: usize,
    pub event_id: &'a str,
    pub record_id: &'a str,
    pub kind: &'a str,
    pub temporal_type: &'a str,
    pub effective_start: Bounds,
    pub effective_end: Bounds,
    pub available: Bounds,
    pub status: &'a str,
    pub timepoint_id: Option<&'a str>,
    pub encounter_id: Option<&'a str>,
    pub code_system: Option<&'a str>,
    pub code: Option<&'a str>,
    pub code_version: Option<&'a str>,
    pub value_num: Option<f64>,
    pub value_comparator: Option<&'a str>,
    pub unit: Option<&'a str>,
    pub value_text: Option<&'a str>,
    pub missing_reason: Option<&'a str>,
    pub prov: Option<&'a str>,
}

/// A text, without the text itself: see [`super::History::document_text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the fields are the columns of the format")]
pub struct Document<'a> {
    pub row: usize,
    pub document_id: &'a str,
    pub media_type: &'a str,
    pub language: Option<&'a str>,
    pub source_type: Option<&'a str>,
}

/// A statement that relates two things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the fields are the columns of the format")]
pub struct Link<'a> {
    pub row: usize,
    pub source: Endpoint<'a>,
    pub relation: &'a str,
    pub target: Endpoint<'a>,
    /// First byte of the part of the source document that is meant.
    pub source_start: Option<u64>,
    /// The byte after it.
    pub source_end: Option<u64>,
    pub target_annotation_id: Option<&'a str>,
    pub asserted_by_event_id: Option<&'a str>,
}

/// What a link leads from or to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Endpoint<'a> {
    /// What kind of thing: see [`super::vocabulary::ENDPOINT_TYPES`].
    pub endpoint_type: &'a str,
    /// Which one.
    pub id: &'a str,
}

/// An instant known to lie between two others, both included, in microseconds on the subject's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Bounds {
    /// Earliest possible.
    pub lo: Option<i64>,
    /// Latest possible.
    pub hi: Option<i64>,
}

impl Bounds {
    /// Earliest and latest; `None` unless both are there.
    pub fn known(self) -> Option<(i64, i64)> {
        self.lo.zip(self.hi)
    }

    /// Whether exactly one of the two is there.
    pub fn is_half(self) -> bool {
        self.lo.is_some() != self.hi.is_some()
    }
}

impl<'a> Event<'a> {
    pub(crate) fn of(table: &'a Table, row: usize) -> Self {
        let text = |name| table.text(name, row);
        let required = |name| table.text(name, row).unwrap_or_default();
        let bounds = |lo, hi| Bounds { lo: table.int64(lo, row), hi: table.int64(hi, row) };
        Self {
            row,
            event_id: required("event_id"),
            record_id: required("record_id"),
            kind: required("kind"),
            temporal_type: required("temporal_type"),
            effective_start: bounds("effective_start_lo_us", "effective_start_hi_us"),
            effective_end: bounds("effective_end_lo_us", "effective_end_hi_us"),
            available: bounds("available_lo_us", "available_hi_us"),
            status: required("status"),
            timepoint_id: text("timepoint_id"),
            encounter_id: text("encounter_id"),
            code_system: text("code_system"),
            code: text("code"),
            code_version: text("code_version"),
            value_num: table.float64("value_num", row),
            value_comparator: text("value_comparator"),
            unit: text("unit"),
            value_text: text("value_text"),
            missing_reason: text("missing_reason"),
            prov: text("prov"),
        }
    }

    /// Whether it states a value.
    pub fn has_value(&self) -> bool {
        self.value_num.is_some() || self.value_text.is_some()
    }
}

impl<'a> Document<'a> {
    pub(crate) fn of(table: &'a Table, row: usize) -> Self {
        Self {
            row,
            document_id: table.text("document_id", row).unwrap_or_default(),
            media_type: table.text("media_type", row).unwrap_or_default(),
            language: table.text("language", row),
            source_type: table.text("source_type", row),
        }
    }
}

impl<'a> Link<'a> {
    pub(crate) fn of(table: &'a Table, row: usize) -> Self {
        let required = |name| table.text(name, row).unwrap_or_default();
        let endpoint = |endpoint_type, id| Endpoint {
            endpoint_type: required(endpoint_type),
            id: required(id),
        };
        Self {
            row,
            source: endpoint("source_type", "source_id"),
            relation: required("relation"),
            target: endpoint("target_type", "target_id"),
            source_start: table.uint64("source_start", row),
            source_end: table.uint64("source_end", row),
            target_annotation_id: table.text("target_annotation_id", row),
            asserted_by_event_id: table.text("asserted_by_event_id", row),
        }
    }
}

impl Link<'_> {
    /// Whether it leads from a thing of type `source` to one of type `target`.
    pub(crate) fn relates(&self, source: &str, target: &str) -> bool {
        self.source.endpoint_type == source && self.target.endpoint_type == target
    }
}

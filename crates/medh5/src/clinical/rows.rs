//! The rows of the tables as records. Fields of a row whose column is absent or unreadable are empty or `None`.

use serde::Serialize;

use super::Column;

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
    /// The record of a row; `columns` are those of [`super::EVENTS`], in its order.
    pub(crate) fn of(columns: &'a [Option<Column>], row: usize) -> Option<Self> {
        let [
            event_id,
            record_id,
            kind,
            temporal_type,
            effective_start_lo_us,
            effective_start_hi_us,
            effective_end_lo_us,
            effective_end_hi_us,
            available_lo_us,
            available_hi_us,
            status,
            timepoint_id,
            encounter_id,
            code_system,
            code,
            code_version,
            value_num,
            value_comparator,
            unit,
            value_text,
            missing_reason,
            prov,
        ] = columns
        else {
            return None;
        };
        let time = |column: &Option<Column>| column.as_ref()?.int64(row);
        let bounds = |lo, hi| Bounds { lo: time(lo), hi: time(hi) };
        Some(Self {
            row,
            event_id: required(event_id, row),
            record_id: required(record_id, row),
            kind: required(kind, row),
            temporal_type: required(temporal_type, row),
            effective_start: bounds(effective_start_lo_us, effective_start_hi_us),
            effective_end: bounds(effective_end_lo_us, effective_end_hi_us),
            available: bounds(available_lo_us, available_hi_us),
            status: required(status, row),
            timepoint_id: optional(timepoint_id, row),
            encounter_id: optional(encounter_id, row),
            code_system: optional(code_system, row),
            code: optional(code, row),
            code_version: optional(code_version, row),
            value_num: value_num.as_ref().and_then(|column| column.float64(row)),
            value_comparator: optional(value_comparator, row),
            unit: optional(unit, row),
            value_text: optional(value_text, row),
            missing_reason: optional(missing_reason, row),
            prov: optional(prov, row),
        })
    }

    /// Whether it states a value.
    pub fn has_value(&self) -> bool {
        self.value_num.is_some() || self.value_text.is_some()
    }
}

impl<'a> Document<'a> {
    /// The record of a row; `columns` are those of [`super::DOCUMENTS`], in its order.
    pub(crate) fn of(columns: &'a [Option<Column>], row: usize) -> Option<Self> {
        let [document_id, media_type, _text, language, source_type] = columns else { return None };
        Some(Self {
            row,
            document_id: required(document_id, row),
            media_type: required(media_type, row),
            language: optional(language, row),
            source_type: optional(source_type, row),
        })
    }
}

impl<'a> Link<'a> {
    /// The record of a row; `columns` are those of [`super::LINKS`], in its order.
    pub(crate) fn of(columns: &'a [Option<Column>], row: usize) -> Option<Self> {
        let [
            source_type,
            source_id,
            relation,
            target_type,
            target_id,
            source_start,
            source_end,
            target_annotation_id,
            asserted_by_event_id,
        ] = columns
        else {
            return None;
        };
        let endpoint = |endpoint_type, id| Endpoint {
            endpoint_type: required(endpoint_type, row),
            id: required(id, row),
        };
        let place = |column: &Option<Column>| column.as_ref()?.uint64(row);
        Some(Self {
            row,
            source: endpoint(source_type, source_id),
            relation: required(relation, row),
            target: endpoint(target_type, target_id),
            source_start: place(source_start),
            source_end: place(source_end),
            target_annotation_id: optional(target_annotation_id, row),
            asserted_by_event_id: optional(asserted_by_event_id, row),
        })
    }
}

#[expect(clippy::ref_option, reason = "columns are stored so")]
fn required(column: &Option<Column>, row: usize) -> &str {
    optional(column, row).unwrap_or_default()
}

#[expect(clippy::ref_option, reason = "columns are stored so")]
fn optional(column: &Option<Column>, row: usize) -> Option<&str> {
    column.as_ref()?.text(row)
}

impl Link<'_> {
    /// Whether it leads from a thing of type `source` to one of type `target`.
    pub(crate) fn relates(&self, source: &str, target: &str) -> bool {
        self.source.endpoint_type == source && self.target.endpoint_type == target
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clinical::column::{Cells, Texts};
    use crate::clinical::{DOCUMENTS, EVENTS, LINKS, TableSpec};

    /// One row in which each text column holds its own name.
    fn own_names(table: &TableSpec) -> Vec<Option<Column>> {
        let column = |name: &str| {
            let texts = Texts::new(vec![0, name.len() as u64], name.into()).unwrap();
            Some(Column::new(Cells::Text(texts)))
        };
        table.columns.iter().map(|spec| column(spec.name)).collect()
    }

    #[test]
    fn records_take_their_columns_by_the_order_of_the_format() {
        let columns = own_names(&EVENTS);
        let event = Event::of(&columns, 0).unwrap();
        assert_eq!((event.event_id, event.status), ("event_id", "status"));
        assert_eq!((event.timepoint_id, event.prov), (Some("timepoint_id"), Some("prov")));
        let columns = own_names(&DOCUMENTS);
        let document = Document::of(&columns, 0).unwrap();
        assert_eq!(
            (document.media_type, document.source_type),
            ("media_type", Some("source_type"))
        );
        let columns = own_names(&LINKS);
        let link = Link::of(&columns, 0).unwrap();
        assert_eq!((link.source.id, link.target.endpoint_type), ("source_id", "target_type"));
        assert_eq!(link.asserted_by_event_id, Some("asserted_by_event_id"));
    }
}

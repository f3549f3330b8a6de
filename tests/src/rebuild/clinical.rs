//! Clinical tables taken apart and put together again.

use medh5::Sample;
use medh5::clinical::{Bounds, History};
use medh5::json;
use medh5::write::{Cell, NewHistory, Row};

use super::{Reason, said};

pub(super) fn rebuild(sample: &Sample, history: &History) -> Result<NewHistory, Reason> {
    let Some(hdf5::Object::Dataset(meta)) = sample.root().get("clinical/meta").map_err(said)?
    else {
        return Err("no descriptor".into());
    };
    let hdf5::Elements::Strings(texts) = meta.read().map_err(said)?.elements else {
        return Err("a descriptor that is no text".into());
    };
    let descriptor = String::from_utf8_lossy(&texts[0]).into_owned();
    let mut documents = Vec::new();
    for document in history.documents() {
        let text = history.document_text(&document).map_err(said)?.unwrap_or_default();
        documents.push(row([
            ("document_id", maybe(Some(document.document_id))),
            ("media_type", maybe(Some(document.media_type))),
            ("text", Some(Cell::Text(text))),
            ("language", maybe(document.language)),
            ("source_type", maybe(document.source_type)),
        ]));
    }
    Ok(NewHistory {
        descriptor: json::parse(&descriptor).map_err(said)?,
        events: history.events().map(|event| event_row(&event)).collect(),
        documents,
        links: history.links().map(|link| link_row(&link)).collect(),
    })
}

fn event_row(event: &medh5::clinical::Event<'_>) -> Row {
    let (start, end, available) = (event.effective_start, event.effective_end, event.available);
    row([
        ("event_id", maybe(Some(event.event_id))),
        ("record_id", maybe(Some(event.record_id))),
        ("kind", maybe(Some(event.kind))),
        ("temporal_type", maybe(Some(event.temporal_type))),
        ("effective_start_lo_us", low(start)),
        ("effective_start_hi_us", high(start)),
        ("effective_end_lo_us", low(end)),
        ("effective_end_hi_us", high(end)),
        ("available_lo_us", low(available)),
        ("available_hi_us", high(available)),
        ("status", maybe(Some(event.status))),
        ("timepoint_id", maybe(event.timepoint_id)),
        ("encounter_id", maybe(event.encounter_id)),
        ("code_system", maybe(event.code_system)),
        ("code", maybe(event.code)),
        ("code_version", maybe(event.code_version)),
        ("value_num", event.value_num.map(Cell::Float64)),
        ("value_comparator", maybe(event.value_comparator)),
        ("unit", maybe(event.unit)),
        ("value_text", maybe(event.value_text)),
        ("missing_reason", maybe(event.missing_reason)),
        ("prov", maybe(event.prov)),
    ])
}

fn link_row(link: &medh5::clinical::Link<'_>) -> Row {
    row([
        ("source_type", maybe(Some(link.source.endpoint_type))),
        ("source_id", maybe(Some(link.source.id))),
        ("relation", maybe(Some(link.relation))),
        ("target_type", maybe(Some(link.target.endpoint_type))),
        ("target_id", maybe(Some(link.target.id))),
        ("source_start", link.source_start.map(Cell::Uint64)),
        ("source_end", link.source_end.map(Cell::Uint64)),
        ("target_annotation_id", maybe(link.target_annotation_id)),
        ("asserted_by_event_id", maybe(link.asserted_by_event_id)),
    ])
}

fn row<const N: usize>(cells: [(&str, Option<Cell>); N]) -> Row {
    cells.into_iter().filter_map(|(name, cell)| Some((name.to_owned(), cell?))).collect()
}

fn maybe(text: Option<&str>) -> Option<Cell> {
    text.map(|text| Cell::Text(text.to_owned()))
}

fn low(bounds: Bounds) -> Option<Cell> {
    bounds.lo.map(Cell::Int64)
}

fn high(bounds: Bounds) -> Option<Cell> {
    bounds.hi.map(Cell::Int64)
}

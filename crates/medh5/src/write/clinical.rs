//! The clinical tables of new samples, column by column. Spec: MEDH5 1.1 §4.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use hdf5::{NewDataset, NewGroup, NumberType};

use super::layout::Layout;
use super::{Storage, WriteError};
use crate::clinical::{ColumnSpec, ColumnType, DOCUMENTS, EVENTS, LINKS, TableSpec};
use crate::integrity::canonical_json;
use crate::json::Value;

/// The clinical history of a new sample.
#[derive(Debug, Clone, PartialEq)]
pub struct NewHistory {
    /// The descriptor: what the clock counts from.
    pub descriptor: Value,
    /// Versions of facts, by the columns of [`EVENTS`].
    pub events: Vec<Row>,
    /// Reports and notes, by the columns of [`DOCUMENTS`].
    pub documents: Vec<Row>,
    /// Statements that relate things, by the columns of [`LINKS`].
    pub links: Vec<Row>,
}

/// A row: its cells by column; what is not there is null.
pub type Row = BTreeMap<String, Cell>;

/// A cell.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the variants are the types of the format")]
pub enum Cell {
    Text(String),
    Int64(i64),
    Uint64(u64),
    Float64(f64),
}

impl NewHistory {
    pub(super) fn group(&self, storage: Storage) -> Result<NewGroup, WriteError> {
        let mut group =
            NewGroup::new().dataset("meta", NewDataset::text(&canonical_json(&self.descriptor)));
        let tables =
            [(&EVENTS, &self.events), (&DOCUMENTS, &self.documents), (&LINKS, &self.links)];
        for (table, rows) in tables {
            if !rows.is_empty() || table.name == EVENTS.name {
                let mut rows: Vec<&Row> = rows.iter().collect();
                rows.sort_by(|a, b| order(table, a, b));
                group = group.group(table.name, table_group(table, &rows, storage)?);
            }
        }
        Ok(group)
    }
}

/// Events by effective start, those without one last, then by id; documents by id; links by all columns.
fn order(table: &TableSpec, a: &Row, b: &Row) -> Ordering {
    let by = |name: &str| compare(a.get(name), b.get(name));
    match table.name {
        "events" => {
            let start = |row: &Row, name: &str| match row.get(name) {
                Some(Cell::Int64(at)) => (0, *at),
                _ => (1, 0),
            };
            let key = |row: &Row| {
                (start(row, "effective_start_lo_us"), start(row, "effective_start_hi_us"))
            };
            key(a).cmp(&key(b)).then_with(|| by("event_id"))
        }
        "documents" => by("document_id"),
        _ => table
            .columns
            .iter()
            .map(|column| by(column.name))
            .find(|order| *order != Ordering::Equal)
            .unwrap_or(Ordering::Equal),
    }
}

/// Null comes first.
fn compare(a: Option<&Cell>, b: Option<&Cell>) -> Ordering {
    match (a, b) {
        (Some(Cell::Text(a)), Some(Cell::Text(b))) => a.cmp(b),
        (Some(Cell::Int64(a)), Some(Cell::Int64(b))) => a.cmp(b),
        (Some(Cell::Uint64(a)), Some(Cell::Uint64(b))) => a.cmp(b),
        (Some(Cell::Float64(a)), Some(Cell::Float64(b))) => a.total_cmp(b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

fn table_group(table: &TableSpec, rows: &[&Row], storage: Storage) -> Result<NewGroup, WriteError> {
    let layout = Layout::of_tables(storage.profile);
    if let Some(name) =
        rows.iter().flat_map(|row| row.keys()).find(|name| table.column(name).is_none())
    {
        return Err(WriteError::refused(format!("`{}` has no column `{name}`", table.name)));
    }
    let (mut group, mut masks) = (NewGroup::new(), NewGroup::new());
    for column in table.columns {
        let cells: Vec<Option<&Cell>> = rows.iter().map(|row| row.get(column.name)).collect();
        let nulls = cells.iter().filter(|cell| cell.is_none()).count();
        if nulls > 0 && column.is_required {
            let reason = format!("a row of `{}` lacks `{}`", table.name, column.name);
            return Err(WriteError::refused(reason));
        }
        if nulls == cells.len() && !column.is_required {
            continue;
        }
        if nulls > 0 {
            let valid = cells.iter().map(|cell| u8::from(cell.is_some())).collect();
            let mask = layout.numbers(NumberType::U8, &[cells.len() as u64], valid);
            masks = masks.dataset(column.name, mask);
        }
        group = put_column(group, column, &cells, layout)?;
    }
    Ok(if masks.links.is_empty() { group } else { group.group("valid", masks) })
}

fn put_column(
    group: NewGroup,
    column: &ColumnSpec,
    cells: &[Option<&Cell>],
    layout: Layout,
) -> Result<NewGroup, WriteError> {
    let rows = cells.len() as u64;
    let wrong = || WriteError::refused(format!("`{}` has a cell of another type", column.name));
    let numbers = |number, cell: &dyn Fn(&Cell) -> Option<[u8; 8]>| -> Result<_, WriteError> {
        let bytes = cells.iter().map(|given| given.map_or(Some([0; 8]), cell));
        let bytes: Option<Vec<[u8; 8]>> = bytes.collect();
        Ok(layout.numbers(number, &[rows], bytes.ok_or_else(wrong)?.concat()))
    };
    let dataset = match column.column_type {
        ColumnType::Int64 => numbers(NumberType::I64, &|cell| match cell {
            Cell::Int64(value) => Some(value.to_le_bytes()),
            _ => None,
        }),
        ColumnType::Uint64 => numbers(NumberType::U64, &|cell| match cell {
            Cell::Uint64(value) => Some(value.to_le_bytes()),
            _ => None,
        }),
        ColumnType::Float64 => numbers(NumberType::F64, &|cell| match cell {
            Cell::Float64(value) => Some(value.to_le_bytes()),
            _ => None,
        }),
        ColumnType::Text | ColumnType::LongText => {
            let (mut offsets, mut data) = (vec![0_u64], Vec::new());
            for cell in cells {
                match cell {
                    Some(Cell::Text(text)) => data.extend_from_slice(text.as_bytes()),
                    None => {}
                    Some(_) => return Err(wrong()),
                }
                offsets.push(data.len() as u64);
            }
            let offset_bytes = offsets.iter().flat_map(|offset| offset.to_le_bytes()).collect();
            let len = data.len() as u64;
            let texts = NewGroup::new()
                .dataset("data", layout.numbers(NumberType::U8, &[len], data))
                .dataset("offsets", layout.numbers(NumberType::U64, &[rows + 1], offset_bytes));
            return Ok(group.group(column.name, texts));
        }
    }?;
    Ok(group.dataset(column.name, dataset))
}

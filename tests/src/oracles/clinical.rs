//! Clinical tables made of any bytes, in a sample that is valid without them.

use std::fs;
use std::sync::{Arc, OnceLock};

use hdf5::{Datatype, File, NewAttribute, NewDataset, NewGroup, NumberType, WriteOptions, write};
use medh5::clinical::{ColumnSpec, ColumnType, DOCUMENTS, EVENTS, LINKS, TableSpec};
use medh5::validate::{Level, Options, Report, validate as judge};

use super::validate;
use crate::{open, scratch};

/// Judges a sample whose clinical tables have the cells that `data` says.
///
/// What [`validate`] holds, and: unless an identifier is there twice, nothing depends on the order of rows.
pub fn clinical(data: &[u8]) {
    let mut input = Input(data);
    let mut tables = [&EVENTS, &DOCUMENTS, &LINKS].map(|spec| Table::of(spec, &mut input));
    let bytes = sample(&tables, &mut input.clone());
    validate(&bytes);
    if input.0.is_empty() {
        let first = codes(bytes);
        for table in &mut tables {
            table.rows.reverse();
        }
        let turned = codes(sample(&tables, &mut Input(&[])));
        assert!(first == turned || first.iter().any(|code| code == "E809"), "{first:?} {turned:?}");
    }
}

/// What is wrong with the clinical tables, without where.
fn codes(bytes: Vec<u8>) -> Vec<String> {
    let report: Report = judge("file", Arc::new(bytes), &Options::new(Level::Strict))
        .expect("bytes in memory are never missing");
    let mut codes: Vec<String> =
        report.findings.iter().map(|finding| finding.code.name.to_owned()).collect();
    codes.sort_unstable();
    codes
}

/// Numbers from the front of a fuzzer's bytes; zeros once these have run out.
#[derive(Clone)]
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or_default()
    }

    fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }
}

enum Cell {
    Text(Vec<u8>),
    Number([u8; 8]),
}

struct Table {
    spec: &'static TableSpec,
    /// Cells by row and column.
    rows: Vec<Vec<Option<Cell>>>,
}

impl Table {
    fn of(spec: &'static TableSpec, input: &mut Input) -> Self {
        let rows = input.below(8);
        let row =
            |input: &mut Input| spec.columns.iter().map(|column| cell(column, input)).collect();
        Self { spec, rows: (0..rows).map(|_| row(input)).collect() }
    }
}

fn cell(column: &ColumnSpec, input: &mut Input) -> Option<Cell> {
    let byte = input.byte();
    if !column.is_required && byte.is_multiple_of(3) {
        return None;
    }
    let small = i64::from(byte / 3) - 3;
    Some(match column.column_type {
        ColumnType::Text | ColumnType::LongText => Cell::Text(match words(column.name) {
            _ if byte > 250 => (0..input.below(6)).map(|_| input.byte()).collect(),
            words => words[usize::from(byte / 3) % words.len()].as_bytes().to_vec(),
        }),
        ColumnType::Int64 | ColumnType::Uint64 if byte > 250 => {
            Cell::Number([[0xff; 8], i64::MIN.to_le_bytes()][input.below(2)])
        }
        ColumnType::Int64 => Cell::Number(small.to_le_bytes()),
        ColumnType::Uint64 => Cell::Number(small.max(0).to_le_bytes()),
        ColumnType::Float64 if byte > 250 => Cell::Number(f64::NAN.to_le_bytes()),
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        ColumnType::Float64 => Cell::Number((small as f64 / 4.0).to_le_bytes()),
    })
}

/// Texts that mean something in a column, and some that do not.
fn words(column: &str) -> &'static [&'static str] {
    match column {
        "event_id" | "asserted_by_event_id" => &["e1", "e2", "e3", "e4", "e5", "e6", "", "-"],
        "record_id" => &["r1", "r1", "r1", "r2", " "],
        "document_id" => &["d1", "d2", "d3", "d4", "d5", ""],
        "source_id" | "target_id" => {
            &["e1", "e2", "e3", "e4", "d1", "d2", "ct", "world", "1", "2", "01", "t0", ""]
        }
        "target_annotation_id" => &["liver", "boxes", "instances", "ct", ""],
        "timepoint_id" => &["t0", "t1", "baseline", ""],
        "kind" => &["document", "imaging", "assessment", "observation", "diagnosis", "scan"],
        "temporal_type" => &["point", "interval", "static", "unknown", "always"],
        "status" => &["final", "amended", "planned", "lost"],
        "media_type" => &["text/plain", "text/html"],
        "source_type" | "target_type" => &[
            "event",
            "event",
            "document",
            "image",
            "grid",
            "annotation",
            "transform",
            "timepoint",
            "instance",
            "thing",
        ],
        "relation" => &["supersedes", "supersedes", "describes", "assesses", "measures", "likes"],
        "code_system" => &["org.medh5.assessment", "x", ""],
        "code" => &["lesion_presence", "y", ""],
        "value_text" => &["present", "absent", "fine", ""],
        "value_comparator" => &["eq", "lt", "about"],
        "unit" => &["mm", "1", ""],
        "text" => &["", "a", "Läsion", "no finding", "名"],
        _ => &["a", "b", ""],
    }
}

/// The file of a valid sample with these tables. `input` says what else is done to the columns: zeros, nothing.
fn sample(tables: &[Table], input: &mut Input) -> Vec<u8> {
    static BASE: OnceLock<File> = OnceLock::new();
    let base = BASE.get_or_init(|| {
        let path = scratch::workspace().join("tests/fixtures/samples/clean.medh5");
        open::source(Arc::new(fs::read(path).expect("a sample"))).expect("an HDF5 file")
    });
    let mut root = NewGroup::copy_of(&base.root().expect("a root"))
        .expect("nothing odd in it")
        .attribute("medh5_version", NewAttribute::text("1.1"))
        .attribute("medh5_profiles", NewAttribute::texts(&["clinical"]));
    let descriptor =
        r#"{"clock":{"id":"c","reference":"utc","unit":"us"},"schema":"medh5.clinical/1"}"#;
    let mut clinical = NewGroup::new().dataset("meta", NewDataset::text(descriptor));
    for table in tables {
        clinical = clinical.group(table.spec.name, group(table, input));
    }
    root = root.group("clinical", clinical);
    let mut bytes = Vec::new();
    write(root, &medh5::storage::reading(), &mut bytes, &WriteOptions::default())
        .expect("small columns can be written");
    bytes
}

fn group(table: &Table, input: &mut Input) -> NewGroup {
    let (mut group, mut masks) = (NewGroup::new(), NewGroup::new());
    for (place, column) in table.spec.columns.iter().enumerate() {
        let cells = || table.rows.iter().map(|row| row[place].as_ref());
        let damage = input.below(24);
        if damage == 1 || (!column.is_required && cells().all(|cell| cell.is_none())) {
            continue;
        }
        if cells().any(|cell| cell.is_none()) || damage == 2 {
            let mut valid: Vec<u8> = cells().map(|cell| u8::from(cell.is_some())).collect();
            damage_bytes(&mut valid, damage == 3, input);
            masks = masks.dataset(column.name, bytes(NumberType::U8, valid));
        }
        if matches!(column.column_type, ColumnType::Text | ColumnType::LongText) {
            let (mut data, mut offsets) = (Vec::new(), vec![0_u64]);
            for cell in cells() {
                if let Some(Cell::Text(text)) = cell {
                    data.extend_from_slice(text);
                }
                offsets.push(data.len() as u64);
            }
            let mut offsets: Vec<u8> = offsets.into_iter().flat_map(u64::to_le_bytes).collect();
            damage_bytes(&mut data, damage == 4, input);
            damage_bytes(&mut offsets, damage == 5, input);
            let parts = NewGroup::new().dataset("data", bytes(NumberType::U8, data));
            let number = if damage == 6 { NumberType::I64 } else { NumberType::U64 };
            group = group.group(column.name, parts.dataset("offsets", bytes(number, offsets)));
        } else {
            let number = match column.column_type {
                _ if damage == 6 => NumberType::U32,
                ColumnType::Int64 => NumberType::I64,
                ColumnType::Float64 => NumberType::F64,
                _ => NumberType::U64,
            };
            let mut stored: Vec<u8> = cells()
                .flat_map(|cell| match cell {
                    Some(Cell::Number(number)) => *number,
                    _ => [0; 8],
                })
                .collect();
            damage_bytes(&mut stored, damage == 7, input);
            group = group.dataset(column.name, bytes(number, stored));
        }
    }
    match input.below(24) {
        1 => group.dataset("valid", NewDataset::text("yes")),
        2 => group.soft_link("valid", "/clinical"),
        _ if masks.links.is_empty() => group,
        _ => group.group("valid", masks),
    }
}

/// Whole elements of `stored`, in one dimension.
fn bytes(number: NumberType, mut stored: Vec<u8>) -> NewDataset {
    let size = Datatype::number_of(number).size as usize;
    stored.truncate(stored.len() / size * size);
    NewDataset::numbers(number, &[(stored.len() / size) as u64], stored)
}

fn damage_bytes(stored: &mut Vec<u8>, is_wanted: bool, input: &mut Input) {
    if !is_wanted {
        return;
    }
    match input.below(3) {
        0 => stored.truncate(stored.len() / 2),
        1 => stored.extend([1; 8]),
        _ if stored.is_empty() => {}
        _ => {
            let place = input.below(stored.len());
            stored[place] = input.byte();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::chance::Chance;

    /// The rules about columns and those about what the tables say are both reached.
    #[test]
    fn every_rule_of_the_tables_is_reached() {
        let mut chance = Chance::new(11);
        let mut found = BTreeSet::new();
        for len in (0..600).map(|_| chance.below(700)).collect::<Vec<_>>() {
            let data: Vec<u8> = (0..len).map(|_| chance.byte()).collect();
            let mut input = Input(&data);
            let tables = [&EVENTS, &DOCUMENTS, &LINKS].map(|spec| Table::of(spec, &mut input));
            found.extend(codes(sample(&tables, &mut input)));
        }
        for code in ["E804", "E805", "E806", "E807", "E808", "E809", "E810", "E811", "E812"] {
            assert!(found.contains(code), "{code} is never found");
        }
        for code in ["E813", "E814", "E815", "E816", "E817", "E818", "W914"] {
            assert!(found.contains(code), "{code} is never found");
        }
    }
}

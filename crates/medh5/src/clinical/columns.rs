//! The tables of the clinical profile and their columns. Spec: MEDH5 1.1 §4.

/// A table: its name, and its columns in the order of the format.
#[derive(Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// Name of its group.
    pub name: &'static str,
    /// Its columns.
    pub columns: &'static [ColumnSpec],
}

/// A column.
#[derive(Debug, PartialEq, Eq)]
pub struct ColumnSpec {
    /// Its name.
    pub name: &'static str,
    /// What its cells hold.
    pub column_type: ColumnType,
    /// Whether every row has a value. Other columns may be absent, and may have a mask of the rows that have one.
    pub is_required: bool,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// UTF-8 text.
    Text,
    /// UTF-8 text of any length, read row by row.
    LongText,
    /// Signed integers.
    Int64,
    /// Unsigned integers.
    Uint64,
    /// Finite numbers.
    Float64,
}

impl ColumnType {
    /// The type of a number column's dataset, in `NumPy`'s words.
    pub(crate) fn dtype(self) -> Option<&'static str> {
        match self {
            Self::Text | Self::LongText => None,
            Self::Int64 => Some("int64"),
            Self::Uint64 => Some("uint64"),
            Self::Float64 => Some("float64"),
        }
    }
}

impl TableSpec {
    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&ColumnSpec> {
        self.columns.iter().find(|column| column.name == name)
    }
}

const fn required(name: &'static str, column_type: ColumnType) -> ColumnSpec {
    ColumnSpec { name, column_type, is_required: true }
}

const fn optional(name: &'static str, column_type: ColumnType) -> ColumnSpec {
    ColumnSpec { name, column_type, is_required: false }
}

use ColumnType::{Float64, Int64, LongText, Text, Uint64};

/// What happened, or was found, or is planned: one version of one fact a row.
pub static EVENTS: TableSpec = TableSpec {
    name: "events",
    columns: &[
        required("event_id", Text),
        required("record_id", Text),
        required("kind", Text),
        required("temporal_type", Text),
        optional("effective_start_lo_us", Int64),
        optional("effective_start_hi_us", Int64),
        optional("effective_end_lo_us", Int64),
        optional("effective_end_hi_us", Int64),
        optional("available_lo_us", Int64),
        optional("available_hi_us", Int64),
        required("status", Text),
        optional("timepoint_id", Text),
        optional("encounter_id", Text),
        optional("code_system", Text),
        optional("code", Text),
        optional("code_version", Text),
        optional("value_num", Float64),
        optional("value_comparator", Text),
        optional("unit", Text),
        optional("value_text", Text),
        optional("missing_reason", Text),
        optional("prov", Text),
    ],
};

/// Reports and notes in full.
pub static DOCUMENTS: TableSpec = TableSpec {
    name: "documents",
    columns: &[
        required("document_id", Text),
        required("media_type", Text),
        required("text", LongText),
        optional("language", Text),
        optional("source_type", Text),
    ],
};

/// How events, documents and the parts of the sample relate.
pub static LINKS: TableSpec = TableSpec {
    name: "links",
    columns: &[
        required("source_type", Text),
        required("source_id", Text),
        required("relation", Text),
        required("target_type", Text),
        required("target_id", Text),
        optional("source_start", Uint64),
        optional("source_end", Uint64),
        optional("target_annotation_id", Text),
        optional("asserted_by_event_id", Text),
    ],
};

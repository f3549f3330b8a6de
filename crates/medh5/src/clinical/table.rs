//! Reads a table: groups of columns that must agree. Everything that is wrong on the way is a problem, not an error.

mod cells;
mod masks;

use hdf5::{ByteOrder, Dataset, Group};

use super::columns::{ColumnSpec, TableSpec};
use super::{Column, Problem};
use crate::ReadError;
use crate::validate::codes;
use crate::values::dtype_name;

/// Name of the group of masks.
const VALID: &str = "valid";

/// A table as far as it can be read.
#[derive(Debug, Clone)]
pub struct Table {
    spec: &'static TableSpec,
    rows: usize,
    /// One per column of the format, in its order; `None` when absent or unreadable.
    columns: Vec<Option<Column>>,
    /// What is wrong with it.
    pub(crate) problems: Vec<Problem>,
}

impl Table {
    /// Reads the table in `group`, which is at `path` (with a leading slash, from the sample's root).
    ///
    /// # Errors
    /// [`ReadError::File`] when stored values cannot be read.
    pub(crate) fn read(
        spec: &'static TableSpec,
        group: &Group,
        path: &str,
    ) -> Result<Self, ReadError> {
        let mut table = Self { spec, rows: 0, columns: Vec::new(), problems: Vec::new() };
        table.unknown_members(group, path)?;
        for column in spec.columns {
            let cells = cells::read(column, group, path, &mut table.problems)?;
            table.columns.push(cells.map(Column::new));
        }
        table.agree_on_rows(path);
        masks::apply(&mut table, group, path)?;
        table.leaks(path);
        table.non_finite(path);
        table.long_texts(path)?;
        Ok(table)
    }

    /// The table of the format that it is.
    pub fn spec(&self) -> &'static TableSpec {
        self.spec
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The column of this name, if it is there and sound.
    pub fn column(&self, name: &str) -> Option<&Column> {
        let columns = self.spec.columns.iter().zip(&self.columns);
        columns.filter(|(spec, _)| spec.name == name).find_map(|(_, column)| column.as_ref())
    }

    /// The columns in the order of the format; `None` for what is absent or unsound.
    pub(crate) fn columns(&self) -> &[Option<Column>] {
        &self.columns
    }

    /// Columns that are there, with their specification.
    fn present(&self) -> impl Iterator<Item = (&'static ColumnSpec, &Column)> {
        let columns = self.spec.columns.iter().zip(&self.columns);
        columns.filter_map(|(spec, column)| Some((spec, column.as_ref()?)))
    }

    fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// E804: members that are no column and not the masks.
    fn unknown_members(&mut self, group: &Group, path: &str) -> Result<(), ReadError> {
        for link in group.links()?.iter() {
            let name = link.name();
            if name != VALID && self.spec.column(&name).is_none() {
                let message = format!("`{}` has no column `{name}`", self.spec.name);
                let problem = Problem::new(codes::E804, format!("{path}/{name}"), message);
                self.report(problem.or_newer());
            }
        }
        Ok(())
    }

    /// E805: all columns have the number of rows that most of them have, the earliest deciding a tie.
    fn agree_on_rows(&mut self, path: &str) {
        let lengths: Vec<usize> = self.present().map(|(_, column)| column.len()).collect();
        let votes = |len: usize| lengths.iter().filter(|other| **other == len).count();
        // The earliest of the largest: `max_by_key` keeps the last of equals, so the order is turned around.
        self.rows = lengths.iter().rev().copied().max_by_key(|len| votes(*len)).unwrap_or(0);
        let rows = self.rows;
        for (spec, column) in self.spec.columns.iter().zip(&mut self.columns) {
            if let Some(len) = column.as_ref().map(Column::len).filter(|len| *len != rows) {
                *column = None;
                let message = format!("{len} rows, the table has {rows}");
                let location = format!("{path}/{}", spec.name);
                self.problems.push(Problem::new(codes::E805, location, message));
            }
        }
    }

    /// E807: cells without a value hold nothing.
    fn leaks(&mut self, path: &str) {
        let leak = |(spec, column): (&ColumnSpec, &Column)| {
            let row = column.first_leak()?;
            let location = format!("{path}/{}#row={row}", spec.name);
            Some(Problem::new(
                codes::E807,
                location,
                "the cell is null, yet something is stored in it",
            ))
        };
        let found: Vec<Problem> = self.present().filter_map(leak).collect();
        self.problems.extend(found);
    }

    /// E808: numbers are finite.
    fn non_finite(&mut self, path: &str) {
        let non_finite = |(spec, column): (&ColumnSpec, &Column)| {
            let row = column.first_non_finite()?;
            let message = format!("{:?} is not finite", column.float64(row)?);
            Some(Problem::new(codes::E808, format!("{path}/{}#row={row}", spec.name), message))
        };
        let found: Vec<Problem> = self.present().filter_map(non_finite).collect();
        self.problems.extend(found);
    }

    /// E806: long texts are UTF-8.
    fn long_texts(&mut self, path: &str) -> Result<(), ReadError> {
        let mut found = Vec::new();
        for (spec, column) in self.present() {
            let Some(texts) = column.long_texts() else { continue };
            if let Some(row) = texts.first_non_text()? {
                let location = format!("{path}/{}#row={row}", spec.name);
                found.push(Problem::new(codes::E806, location, "the text is not UTF-8"));
            }
        }
        self.problems.extend(found);
        Ok(())
    }
}

/// Whether `dataset` is a one-dimensional array of exactly this type, numbers little-endian.
fn is_plain(dataset: &Dataset, dtype: &str) -> bool {
    let datatype = dataset.datatype();
    let is_swapped = datatype.byte_order() == Some(ByteOrder::Big) && datatype.size > 1;
    dataset.shape().len() == 1 && dtype_name(datatype) == dtype && !is_swapped
}

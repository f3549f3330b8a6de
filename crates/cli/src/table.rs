//! Tables of text.

use std::io::{self, Write};

/// Rows of cells under a heading, in columns as wide as they must be.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column names.
    pub(crate) fn new(names: &[&str]) -> Self {
        Self { rows: vec![names.iter().map(|&name| name.to_owned()).collect()] }
    }

    /// One more row; empty cells show as `-`.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let shown = |cell: String| if cell.is_empty() { "-".into() } else { cell };
        self.rows.push(cells.into_iter().map(shown).collect());
    }

    /// Whether there is nothing under the heading.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.len() == 1
    }

    /// Writes the table, each line after `indent`.
    pub(crate) fn write(&self, indent: &str, out: &mut dyn Write) -> io::Result<()> {
        let mut widths: Vec<usize> = Vec::new();
        for row in &self.rows {
            widths.resize(widths.len().max(row.len()), 0);
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
        for (index, row) in self.rows.iter().enumerate() {
            write_row(row, &widths, indent, out)?;
            if index == 0 {
                write_row(&rule, &widths, indent, out)?;
            }
        }
        Ok(())
    }
}

fn write_row(
    row: &[String],
    widths: &[usize],
    indent: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let cells = row.iter().zip(widths).map(|(cell, &width)| format!("{cell:<width$}"));
    let line = cells.collect::<Vec<_>>().join("  ");
    writeln!(out, "{indent}{}", line.trim_end())
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_are_as_wide_as_they_must_be() {
        let mut table = Table::new(&["id", "shape"]);
        table.row(["größe".into(), String::new()]);
        let mut out = Vec::new();
        table.write("  ", &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "  id     shape\n  -----  -----\n  größe  -\n");
    }
}

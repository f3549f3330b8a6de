//! The audit for a terminal.

use std::io::{self, Write};

use medh5::cohort::{Audit, Cell, Check, ClassMatrix, Column, Outcome, Weight};
use report::cohort::change_lines;

use crate::table::Table;
use crate::terminal::Paint;

/// Samples that are named in one group before the rest becomes a count; `--json` and the reports have them all.
const MOST_SAMPLES: usize = 5;

pub(super) fn write(
    audit: &Audit,
    is_verbose: bool,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", audit.totals.line())?;
    for check in &audit.checks {
        if check.outcome == Outcome::Found || is_verbose {
            one_check(audit, check, paint, out)?;
        }
    }
    for difference in &audit.label_differences {
        let name = |place: usize| {
            let set = audit.label_sets.get(place);
            set.map(|set| format!("{} {}", set.id, set.version)).unwrap_or_default()
        };
        let (from, to) = (name(difference.from), name(difference.to));
        writeln!(out, "\n{}", paint.strong(&format!("Label set {to} against {from}")))?;
        for line in change_lines(difference) {
            writeln!(out, "  {line}")?;
        }
    }
    matrix(&audit.classes, paint, out)?;
    let asked = audit.checks.iter().filter(|check| check.outcome != Outcome::NotApplicable).count();
    writeln!(
        out,
        "\n{} checks: {} with errors, {} with warnings, {} not applicable (-v tells why)",
        audit.checks.len(),
        audit.found(Weight::Error),
        audit.found(Weight::Warning),
        audit.checks.len() - asked
    )
}

fn one_check(audit: &Audit, check: &Check, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let word = match (check.outcome, check.weight) {
        (Outcome::Clean, _) => paint.good("OK     "),
        (Outcome::NotApplicable, _) => paint.faint("N/A    "),
        (Outcome::Found, Weight::Error) => paint.error("ERROR  "),
        (Outcome::Found, Weight::Warning) => paint.warning("WARNING"),
        (Outcome::Found, Weight::Info) => paint.faint("INFO   "),
    };
    let code = check.code.map(|code| format!("{code} ")).unwrap_or_default();
    writeln!(out, "  {word} {code}{}: {}", paint.strong(check.title), check.sentence)?;
    for group in &check.groups {
        let paths = group.samples.iter().filter_map(|place| audit.samples.get(*place));
        let mut paths: Vec<&str> =
            paths.map(|sample| sample.path.as_str()).take(MOST_SAMPLES).collect();
        let more = group.samples.len() - paths.len();
        let rest = format!("and {more} more");
        if more > 0 {
            paths.push(&rest);
        }
        writeln!(out, "          {}: {}", group.label, paths.join(", "))?;
    }
    Ok(())
}

/// Classes as rows, sites and parts of splits as columns.
fn matrix(matrix: &ClassMatrix, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    if matrix.rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", paint.strong("Classes: examined/present/not told by an index, voxels"))?;
    let names: Vec<String> = matrix.columns.iter().map(column_name).collect();
    let mut head = vec!["class"];
    head.extend(names.iter().map(String::as_str));
    let mut table = Table::new(&head);
    for row in &matrix.rows {
        let name = format!("{} {}", row.class_id, row.key.as_deref().unwrap_or("(unnamed)"));
        let cells = row.cells.iter().map(cell_text);
        table.row(std::iter::once(name).chain(cells));
    }
    table.write("  ", out)
}

/// Nothing where no annotation names the class.
fn cell_text(cell: &Cell) -> String {
    if cell.declared.is_empty() {
        return String::new();
    }
    let [examined, present, unknown] = [&cell.examined, &cell.present, &cell.unknown].map(Vec::len);
    format!("{examined}/{present}/{unknown} {}", cell.voxels)
}

fn column_name(column: &Column) -> String {
    let site = column.site_id.as_deref().unwrap_or("no site");
    match (&column.set_id, &column.partition) {
        (Some(set), Some(partition)) => format!("{site} {set}:{partition}"),
        _ => format!("{site} no split"),
    }
}

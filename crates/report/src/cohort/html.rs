//! A page with everything in it, no script and no request to anywhere.

use std::fmt::{self, Write};

use medh5::cohort::{
    Audit, Cell, Check, ClassMatrix, Column, Group, LabelDifference, Outcome, Weight,
};

use crate::markup::escape;

const HEAD: &str = include_str!("../head.html");

/// Files that are listed under one heading before the rest becomes a count; the JSON has them all.
const MOST_FILES: usize = 200;

/// The audit as a page.
pub fn html(audit: &Audit) -> String {
    let mut out = HEAD.to_owned();
    // Writing to a string cannot fail.
    let _ = page(audit, &mut out);
    out
}

fn page(audit: &Audit, out: &mut String) -> fmt::Result {
    let verdict = if audit.is_ok() { "no error found" } else { "errors found" };
    writeln!(out, "<title>medh5-lite audit</title>\n<h1>Audit: {verdict}</h1>")?;
    let limits = "Metadata and sampling indexes were read, no voxels: what is not listed here was not checked.";
    writeln!(out, "<p>{}. {limits}</p>\n<main>", escape(&audit.totals.line()))?;
    for check in &audit.checks {
        one_check(audit, check, out)?;
    }
    differences(audit, out)?;
    matrix(&audit.classes, out)?;
    geometry(audit, out)?;
    writeln!(out, "</main>\n<footer>{}</footer>\n</html>", escape(&audit.tool.line()))
}

fn one_check(audit: &Audit, check: &Check, out: &mut String) -> fmt::Result {
    let (class, open, word) = match (check.outcome, check.weight) {
        (Outcome::Found, Weight::Error) => ("failed", " open", "error"),
        (Outcome::Found, weight) => ("", " open", weight.word()),
        (Outcome::Clean, _) => ("ok", "", "nothing found"),
        (Outcome::NotApplicable, _) => ("", "", "not applicable"),
    };
    let code = check.code.map(|code| format!(" ({code})")).unwrap_or_default();
    writeln!(
        out,
        "<details class=\"{class}\"{open}><summary><b>{}</b>{code} <small>{word}: {}</small></summary>",
        escape(check.title),
        escape(&check.sentence)
    )?;
    for group in &check.groups {
        one_group(audit, group, out)?;
    }
    writeln!(out, "</details>")
}

fn one_group(audit: &Audit, group: &Group, out: &mut String) -> fmt::Result {
    let samples = group.samples.iter().filter_map(|place| audit.samples.get(*place));
    let shown = samples.take(MOST_FILES);
    let mut paths: Vec<String> =
        shown.map(|sample| format!("<code>{}</code>", escape(&sample.path))).collect();
    let more = group.samples.len() - paths.len();
    if more > 0 {
        paths.push(format!("and {more} more"));
    }
    writeln!(out, "<p>{}: {}</p>", escape(&group.label), paths.join(", "))
}

fn differences(audit: &Audit, out: &mut String) -> fmt::Result {
    for difference in &audit.label_differences {
        let name = |place: usize| {
            let set = audit.label_sets.get(place);
            set.map(|set| format!("{} {}", set.id, set.version)).unwrap_or_default()
        };
        let (from, to) = (name(difference.from), name(difference.to));
        writeln!(out, "<h2>Label set {} against {}</h2>\n<ul>", escape(&to), escape(&from))?;
        for line in change_lines(difference) {
            writeln!(out, "<li>{}</li>", escape(&line))?;
        }
        writeln!(out, "</ul>")?;
    }
    Ok(())
}

/// The changes between two label sets, a line each; never none.
pub fn change_lines(difference: &LabelDifference) -> Vec<String> {
    let LabelDifference { added, removed, renamed, redefined, recolored, moved, .. } = difference;
    let mut lines = Vec::new();
    lines.extend(added.iter().map(|class| format!("added: {} {}", class.id, class.key)));
    lines.extend(removed.iter().map(|class| format!("removed: {} {}", class.id, class.key)));
    lines.extend(renamed.iter().map(|one| {
        format!("renamed: {} {} from {:?} to {:?}", one.id, one.to_key, one.from_name, one.to_name)
    }));
    lines.extend(
        redefined.iter().map(|one| {
            format!("another meaning: {} from {} to {}", one.id, one.from_key, one.to_key)
        }),
    );
    lines.extend(
        recolored.iter().map(|class| format!("another colour: {} {}", class.id, class.key)),
    );
    lines.extend(
        moved
            .iter()
            .map(|one| format!("another id: {} from {} to {}", one.key, one.from_id, one.to_id)),
    );
    if lines.is_empty() {
        lines.push("the same classes; names of the set, codes or relations differ".into());
    }
    lines
}

fn matrix(matrix: &ClassMatrix, out: &mut String) -> fmt::Result {
    if matrix.rows.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<h2>Classes</h2>\n<p>Samples in which a class was examined / is present / is not told by an index; voxels.</p>"
    )?;
    let heads = matrix.columns.iter().map(|column| format!("<th>{}", escape(&column_name(column))));
    writeln!(out, "<table><tr><th>class{}</tr>", heads.collect::<String>())?;
    for row in &matrix.rows {
        let key = escape(row.key.as_deref().unwrap_or("(unnamed)"));
        let cells: String = row.cells.iter().map(cell_text).collect();
        writeln!(out, "<tr><th>{} {key}{cells}</tr>", row.class_id)?;
    }
    writeln!(out, "</table>")
}

fn column_name(column: &Column) -> String {
    let site = column.site_id.as_deref().unwrap_or("no site");
    let samples = column.samples.len();
    match (&column.set_id, &column.partition) {
        (Some(set), Some(partition)) => format!("{site}, {partition} of {set} ({samples})"),
        _ => format!("{site}, no split ({samples})"),
    }
}

fn cell_text(cell: &Cell) -> String {
    if cell.declared.is_empty() {
        return "<td>not named".into();
    }
    let [examined, present, unknown] = [&cell.examined, &cell.present, &cell.unknown].map(Vec::len);
    format!("<td>{examined} / {present} / {unknown}; {}", cell.voxels)
}

fn geometry(audit: &Audit, out: &mut String) -> fmt::Result {
    if audit.geometry.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h2>Geometry</h2>")?;
    writeln!(out, "<table><tr><th>property<th>modality<th>value<th>images<th>samples</tr>")?;
    for group in &audit.geometry {
        writeln!(
            out,
            "<tr><td>{}<td>{}<td>{}<td>{}<td>{}</tr>",
            group.property.word(),
            escape(&group.modality),
            escape(&group.value),
            group.images,
            group.samples.len()
        )?;
    }
    writeln!(out, "</table>")
}

//! The description for people.

use std::io::{self, Write};

use medh5::summary::extent_text as extent;
use serde_json::Value;

use crate::table::Table;
use crate::terminal::Paint;

/// Writes what `info --json` prints.
pub(super) fn write(report: &Value, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", paint.strong(&word(&report["path"])))?;
    writeln!(out, "  format      {} ({})", word(&report["version"]), word(&report["kind"]))?;
    if let Some(samples) = report["samples"].as_array() {
        writeln!(out, "  samples     {}", samples.len())?;
        writeln!(out, "\n`ls` lists them, `--key KEY` describes one")?;
        return Ok(());
    }
    writeln!(out, "  profiles    {}", word(&report["profiles"]))?;
    match report["document_usable"].as_bool() {
        Some(false) => writeln!(out, "  document    absent or unusable")?,
        _ => writeln!(
            out,
            "  sample      {}  subject {}",
            word(&report["sample_id"]),
            word(&report["subject_id"])
        )?,
    }
    writeln!(out, "  content_id  {}", word(&report["content_id"]))?;
    let sections: [(&str, &[&str]); 5] = [
        ("timepoints", &["id", "index", "label", "days_from_baseline"]),
        ("grids", &["id", "shape", "spacing", "coord_system", "units", "timepoint", "frame_uid"]),
        (
            "images",
            &[
                "id",
                "modality",
                "shape",
                "dtype",
                "value_units",
                "grid",
                "levels",
                "storage",
                "nbytes",
            ],
        ),
        (
            "annotations",
            &[
                "id",
                "kind",
                "task",
                "grid",
                "timepoints",
                "classes",
                "annotated_classes",
                "quality",
            ],
        ),
        ("transforms", &["id", "kind", "from_frame", "to_frame", "units", "inverse_id", "metrics"]),
    ];
    for (section, columns) in sections {
        let mut table = Table::new(columns);
        for item in report[section].as_array().into_iter().flatten() {
            table.row(columns.iter().map(|&column| cell(column, &item[column])));
        }
        if !table.is_empty() {
            writeln!(out, "\n{}", paint.strong(section))?;
            table.write("  ", out)?;
        }
    }
    writeln!(out)?;
    if let Some(labels) = report["label_set"].as_object() {
        let part = |name: &str| labels.get(name).map(word).unwrap_or_default();
        writeln!(
            out,
            "label set   {} {} ({} classes, {})",
            part("id"),
            part("version"),
            part("classes"),
            part("form")
        )?;
    }
    if let Some(clinical) = report["clinical"].as_object() {
        let part = |name: &str| clinical.get(name).map(word).unwrap_or_default();
        writeln!(
            out,
            "clinical    {} events, {} documents, {} links",
            part("events"),
            part("documents"),
            part("links")
        )?;
    }
    let index = word(&report["index"]);
    if index != "-" {
        writeln!(out, "index       {index}")?;
    }
    Ok(())
}

fn cell(column: &str, value: &Value) -> String {
    match (column, value.as_array(), value.as_u64()) {
        ("shape", Some(shape), _) => {
            extent(&shape.iter().filter_map(Value::as_u64).collect::<Vec<_>>())
        }
        ("spacing", Some(spacing), _) => {
            spacing.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
        }
        ("nbytes", _, Some(bytes)) => indicatif::BinaryBytes(bytes).to_string(),
        _ => word(value),
    }
}

/// A value in words: lists with commas, `-` for nothing.
fn word(value: &Value) -> String {
    match value {
        Value::Null => "-".into(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "-".into(),
        Value::Array(items) => items.iter().map(word).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

//! Reports as plain text, one line per finding.

use std::fmt::Write as _;

use super::{Checked, Report};

/// One line for the file, one per finding, and with `explain` one more per finding on what its code means.
pub fn to_text(report: &Report, explain: bool) -> String {
    let counts = report.counts();
    let verdict = if report.is_ok() { "OK" } else { "FAILED" };
    let profiles = match (&report.checked, report.profiles.join(",")) {
        (Checked::Collection { .. }, _) => "-".to_owned(),
        (_, none) if none.is_empty() => "-".to_owned(),
        (_, profiles) => profiles,
    };
    let mut out = format!(
        "{}: {verdict} [{}] profiles={profiles} ({}, {})\n",
        report.path,
        report.level,
        plural(counts.errors, "error"),
        plural(counts.warnings, "warning")
    );
    for found in &report.findings {
        let severity = found.code.severity.name().to_uppercase();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "  {severity:7} {} {}: {}",
            found.code.name, found.location, found.message
        );
        if explain {
            let _ = writeln!(out, "          -> {}", found.code.summary);
        }
    }
    out
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

//! Reports as JSON, byte for byte in the form that scripts know: two spaces a level, ASCII only.

use std::fmt::Write as _;

use super::{Checked, Report};

/// An array with one object per report, and a final newline.
pub fn to_json<'r>(reports: impl IntoIterator<Item = &'r Report>) -> String {
    array_of_files(reports.into_iter().map(object))
}

/// The object that stands for a file on which the program itself failed.
pub fn failure_to_json(path: &str, error: &str) -> String {
    let members = [("path", string(path)), ("ok", "false".into()), ("error", string(error))];
    braces(1, members)
}

fn array_of_files(objects: impl Iterator<Item = String>) -> String {
    brackets(0, objects) + "\n"
}

fn object(report: &Report) -> String {
    let counts = report.counts();
    let findings = report.findings.iter().map(|found| {
        let members = [
            ("code", string(found.code.name)),
            ("severity", string(found.code.severity.name())),
            ("location", string(&found.location)),
            ("message", string(&found.message)),
            ("level", string(report.level.name())),
        ];
        braces(3, members)
    });
    let members = [
        ("path", string(&report.path)),
        ("level", string(report.level.name())),
        ("profiles", strings(2, &report.profiles)),
        ("ok", report.is_ok().to_string()),
        ("errors", counts.errors.to_string()),
        ("warnings", counts.warnings.to_string()),
        ("promoted", counts.promoted.to_string()),
        ("diagnostics", brackets(2, findings)),
        ("checked", checked(&report.checked)),
    ];
    braces(1, members)
}

fn checked(checked: &Checked) -> String {
    match checked {
        Checked::Nothing => braces(2, []),
        Checked::Sample { rules, schema_checked } => {
            let members =
                [("rules", strings(3, rules)), ("schema_checked", schema_checked.to_string())];
            braces(2, members)
        }
        Checked::Collection { samples } => braces(2, [("samples", strings(3, samples))]),
    }
}

fn strings<S: AsRef<str>>(depth: usize, texts: &[S]) -> String {
    brackets(depth, texts.iter().map(|text| string(text.as_ref())))
}

/// An array whose brackets are indented by `depth` levels.
fn brackets(depth: usize, items: impl Iterator<Item = String>) -> String {
    enclosed(depth, '[', ']', items)
}

/// An object whose braces are indented by `depth` levels.
fn braces<const N: usize>(depth: usize, members: [(&str, String); N]) -> String {
    let members = members.into_iter().map(|(name, value)| format!("{}: {value}", string(name)));
    enclosed(depth, '{', '}', members)
}

fn enclosed(depth: usize, open: char, close: char, items: impl Iterator<Item = String>) -> String {
    let (outer, inner) = ("  ".repeat(depth), "  ".repeat(depth + 1));
    let items: Vec<String> = items.map(|item| format!("\n{inner}{item}")).collect();
    if items.is_empty() {
        return format!("{open}{close}");
    }
    format!("{open}{}\n{outer}{close}", items.join(","))
}

/// A string literal of ASCII characters only.
fn string(text: &str) -> String {
    let mut out = String::from('"');
    for unit in text.chars() {
        match unit {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(unit),
            _ => {
                for half in unit.encode_utf16(&mut [0; 2]) {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "\\u{half:04x}");
                }
            }
        }
    }
    out.push('"');
    out
}

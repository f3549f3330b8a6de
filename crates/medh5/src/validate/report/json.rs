//! Reports as JSON: the members and their order are those that scripts know.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

use super::{Checked, Counts, Report};
use crate::validate::Finding;

/// An array with one object per report, and a final newline; byte for byte what scripts know.
pub fn to_json<'r>(reports: impl IntoIterator<Item = &'r Report>) -> String {
    let mut text = Vec::new();
    let objects: Vec<_> = reports.into_iter().map(ReportObject::new).collect();
    write_indented(&objects, 0, &mut text);
    text.push(b'\n');
    // Everything beyond ASCII is escaped.
    String::from_utf8_lossy(&text).into_owned()
}

/// The object that stands for one report. Without additions it is what the reference prints.
#[derive(Debug, Clone, Serialize)]
pub struct ReportObject<'r> {
    path: &'r str,
    level: &'static str,
    profiles: &'r [String],
    ok: bool,
    errors: usize,
    warnings: usize,
    promoted: usize,
    diagnostics: Diagnostics<'r>,
    checked: Looked<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprint: Option<&'r str>,
}

#[derive(Debug, Clone)]
struct Diagnostics<'r> {
    report: &'r Report,
    suppressed: &'r [bool],
}

#[derive(Serialize)]
struct Diagnostic<'r> {
    code: &'static str,
    severity: &'static str,
    location: &'r str,
    message: &'r str,
    level: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    suppressed: bool,
}

#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
enum Looked<'r> {
    Nothing {},
    Sample { rules: &'r [&'static str], schema_checked: bool },
    Collection { samples: &'r [String] },
}

impl<'r> ReportObject<'r> {
    /// The object of `report`.
    pub fn new(report: &'r Report) -> Self {
        let Counts { errors, warnings, promoted } = report.counts();
        Self {
            path: &report.path,
            level: report.level.name(),
            profiles: &report.profiles,
            ok: errors == 0,
            errors,
            warnings,
            promoted,
            diagnostics: Diagnostics { report, suppressed: &[] },
            checked: Looked::at(&report.checked),
            fingerprint: None,
        }
    }

    /// Marks the findings that do not count: for each of the report's, in their order, whether it is one. `counts` are those
    /// of the others.
    #[must_use]
    pub fn suppress(mut self, suppressed: &'r [bool], counts: Counts) -> Self {
        let Counts { errors, warnings, promoted } = counts;
        self.diagnostics.suppressed = suppressed;
        Self { ok: errors == 0, errors, warnings, promoted, ..self }
    }

    /// Adds a fingerprint of the file, if there is one.
    #[must_use]
    pub fn fingerprint(self, fingerprint: Option<&'r str>) -> Self {
        Self { fingerprint, ..self }
    }

    /// Appends the object as `to_json` writes it, `depth` levels deep in what is around it.
    pub fn write_indented(&self, depth: usize, out: &mut Vec<u8>) {
        write_indented(self, depth, out);
    }
}

impl Serialize for Diagnostics<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let level = self.report.level.name();
        let suppressed = self.suppressed.iter().copied().chain(std::iter::repeat(false));
        serializer.collect_seq(self.report.findings.iter().zip(suppressed).map(
            |(Finding { code, location, message }, suppressed)| Diagnostic {
                code: code.name,
                severity: code.severity.name(),
                location,
                message,
                level,
                suppressed,
            },
        ))
    }
}

impl<'r> Looked<'r> {
    fn at(checked: &'r Checked) -> Self {
        match checked {
            Checked::Nothing => Self::Nothing {},
            Checked::Sample { rules, schema_checked } => {
                Self::Sample { rules, schema_checked: *schema_checked }
            }
            Checked::Collection { samples } => Self::Collection { samples },
        }
    }
}

fn write_indented(value: &impl Serialize, depth: usize, out: &mut Vec<u8>) {
    let formatter = Indented { depth, is_empty: true };
    let mut serializer = serde_json::Serializer::with_formatter(out, formatter);
    value.serialize(&mut serializer).expect("names are strings, and memory takes all bytes");
}

/// Two spaces a level, and ASCII only.
struct Indented {
    depth: usize,
    /// Whether nothing was written yet into what was opened last.
    is_empty: bool,
}

impl Indented {
    fn open(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.is_empty = true;
        out.write_all(bracket)
    }

    fn close(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth = self.depth.saturating_sub(1);
        if !std::mem::take(&mut self.is_empty) {
            self.new_line(out)?;
        }
        out.write_all(bracket)
    }

    fn next(&mut self, out: &mut (impl Write + ?Sized), first: bool) -> io::Result<()> {
        self.is_empty = false;
        if !first {
            out.write_all(b",")?;
        }
        self.new_line(out)
    }

    fn new_line(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for Indented {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // DEL is escaped, too, as Python does.
        let is_plain = |character: char| matches!(character, ' '..='~');
        let mut rest = fragment;
        while let Some(at) = rest.find(|character| !is_plain(character)) {
            let (plain, special) = rest.split_at(at);
            out.write_all(plain.as_bytes())?;
            let mut characters = special.chars();
            if let Some(character) = characters.next() {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
            }
            rest = characters.as_str();
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::{Level, Options, codes};
    use serde_json::Value;

    fn report() -> Report {
        let location = "\u{e9}\u{1f600}\u{7f}\u{1}\"\\/\n";
        Report {
            profiles: vec!["core".into()],
            findings: vec![Finding {
                code: codes::E111,
                location: location.into(),
                message: String::new(),
            }],
            checked: Checked::Sample { rules: vec!["layout"], schema_checked: true },
            ..Report::refused("a b", &Options::new(Level::Semantic), "")
        }
    }

    #[test]
    fn nesting_lines_and_escapes_are_those_of_python() {
        let expected = r#"[
  {
    "path": "a b",
    "level": "semantic",
    "profiles": [
      "core"
    ],
    "ok": false,
    "errors": 1,
    "warnings": 0,
    "promoted": 0,
    "diagnostics": [
      {
        "code": "E111",
        "severity": "error",
        "location": "\u00e9\ud83d\ude00\u007f\u0001\"\\/\n",
        "message": "",
        "level": "semantic"
      }
    ],
    "checked": {
      "rules": [
        "layout"
      ],
      "schema_checked": true
    }
  }
]
"#;
        assert_eq!(to_json([&report()]), expected);
        assert_eq!(to_json([]), "[]\n");
    }

    #[test]
    fn what_is_empty_stays_on_its_line() {
        let report = Report { checked: Checked::Nothing, findings: Vec::new(), ..report() };
        let text = to_json([&report]);
        assert!(
            text.contains("\"ok\": true,") && text.contains("\"diagnostics\": [],\n"),
            "{text}"
        );
        assert!(text.ends_with("\n    \"checked\": {}\n  }\n]\n"), "{text}");
    }

    #[test]
    fn additions_are_members_of_their_own() {
        let report = report();
        let counts = Counts { errors: 0, warnings: 4, promoted: 0 };
        let object = ReportObject::new(&report).suppress(&[true], counts).fingerprint(Some("f"));
        let value = serde_json::to_value(&object).unwrap();
        assert_eq!(value["ok"], Value::Bool(true));
        assert_eq!(value["warnings"], 4);
        assert_eq!(value["diagnostics"][0]["suppressed"], true);
        assert_eq!(value["fingerprint"], "f");
    }
}

//! `json`: the list that `medh5 validate --json` prints, member by member, byte by byte.
//!
//! The shape has its home in `medh5`. Only what the user asked for on top adds a member: `suppressed` on a muted finding,
//! `fingerprint` on a file.

use std::io::{self, Write};

use medh5::validate::to_json;
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, PrettyFormatter};

use super::Report;
use crate::verdict::{Summary, Verdict};

/// A list that is written as the verdicts come.
#[derive(Default)]
pub(super) struct Json {
    has_files: bool,
}

impl Report for Json {
    fn file(&mut self, verdict: &Verdict, out: &mut dyn Write) -> io::Result<()> {
        let mut text = Vec::new();
        let mut serializer =
            serde_json::Serializer::with_formatter(&mut text, Ascii(PrettyFormatter::new()));
        file_object(verdict)?.serialize(&mut serializer)?;
        let text = String::from_utf8_lossy(&text).replace('\n', "\n  ");
        let start = if std::mem::replace(&mut self.has_files, true) { ",\n" } else { "[\n" };
        write!(out, "{start}  {text}")
    }

    fn finish(&mut self, _: &Summary, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", if self.has_files { "\n]" } else { "[]" })?;
        out.flush()
    }
}

/// The object of one file: the one that `medh5` writes, and what the user asked for on top.
pub(super) fn file_object(verdict: &Verdict) -> io::Result<Value> {
    let list: Value = serde_json::from_str(&to_json([&verdict.report]))?;
    let mut file = list.get(0).cloned().unwrap_or_default();
    let counts = verdict.counts();
    file["ok"] = verdict.is_ok().into();
    file["errors"] = counts.errors.into();
    file["warnings"] = counts.warnings.into();
    file["promoted"] = counts.promoted.into();
    let diagnostics = file["diagnostics"].as_array_mut();
    for (diagnostic, &muted) in diagnostics.into_iter().flatten().zip(&verdict.muted) {
        if muted {
            diagnostic["suppressed"] = true.into();
        }
    }
    if let Some(fingerprint) = &verdict.fingerprint {
        file["fingerprint"] = fingerprint.clone().into();
    }
    Ok(file)
}

/// Two spaces of indentation, and every character beyond ASCII escaped in lower-case hexadecimal.
struct Ascii(PrettyFormatter<'static>);

impl Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for character in fragment.chars() {
            if character.is_ascii() {
                write!(out, "{character}")?;
                continue;
            }
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Form;
    use super::super::tests::written;
    use super::*;
    use crate::verdict::tests::sample;
    use medh5::validate::Level;

    #[test]
    fn the_shape_is_that_of_the_reference() {
        let text = written(Form::Json, Level::Semantic);
        let start = "[\n  {\n    \"path\": \"data/case 1.medh5\",\n    \"level\": \"semantic\",\n    \"profiles\": [\n      \
                     \"core\",\n      \"seg\"\n    ],\n    \"ok\": false,\n    \"errors\": 1,\n    \"warnings\": 1,\n    \
                     \"promoted\": 0,\n    \"diagnostics\": [\n      {\n        \"code\": \"E202\",\n";
        assert!(text.starts_with(start), "{text}");
        assert!(text.contains("8 \\u00d7 16, its grid <8 & 15>"), "{text}");
        assert!(text.ends_with("    \"fingerprint\": \"blake3:ab12\"\n  }\n]\n"), "{text}");
    }

    #[test]
    fn without_extras_it_is_what_medh5_writes() {
        let mut verdict = sample(Level::Strict);
        verdict.muted = vec![false; 3];
        verdict.fingerprint = None;
        let (mut report, mut out) = (Json::default(), Vec::new());
        report.file(&verdict, &mut out).unwrap();
        report.file(&verdict, &mut out).unwrap();
        report.finish(&Summary::of(2), &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), to_json([&verdict.report, &verdict.report]));
    }
}

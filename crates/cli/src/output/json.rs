//! `json`: the list that `medh5 validate --json` prints, member by member, byte by byte.
//!
//! Only what the user asked for on top adds a member: `suppressed` on a muted finding, `fingerprint` on a file.

use std::io::{self, Write};

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::ser::{Formatter, PrettyFormatter};

use super::Report;
use crate::verdict::{Checked, Summary, Verdict};

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
        FileObject(verdict).serialize(&mut serializer)?;
        let text = String::from_utf8_lossy(&text).replace('\n', "\n  ");
        let start = if std::mem::replace(&mut self.has_files, true) { ",\n" } else { "[\n" };
        write!(out, "{start}  {text}")
    }

    fn finish(&mut self, _: &Summary, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", if self.has_files { "\n]" } else { "[]" })?;
        out.flush()
    }
}

/// The object of one file.
pub(super) struct FileObject<'a>(pub(super) &'a Verdict);

impl Serialize for FileObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let verdict = self.0;
        let counts = verdict.counts();
        let mut object = serializer.serialize_struct("file", 9)?;
        object.serialize_field("path", &verdict.name)?;
        object.serialize_field("level", verdict.level.name())?;
        object.serialize_field("profiles", &verdict.profiles)?;
        object.serialize_field("ok", &verdict.is_ok())?;
        object.serialize_field("errors", &counts.errors)?;
        object.serialize_field("warnings", &counts.warnings)?;
        object.serialize_field("promoted", &counts.promoted)?;
        object.serialize_field("diagnostics", &Diagnostics(verdict))?;
        object.serialize_field("checked", &CheckedObject(&verdict.checked))?;
        if let Some(fingerprint) = &verdict.fingerprint {
            object.serialize_field("fingerprint", fingerprint)?;
        }
        object.end()
    }
}

struct Diagnostics<'a>(&'a Verdict);

impl Serialize for Diagnostics<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Diagnostic<'a> {
            code: &'a str,
            severity: &'a str,
            location: &'a str,
            message: &'a str,
            level: &'a str,
            #[serde(skip_serializing_if = "std::ops::Not::not")]
            suppressed: bool,
        }
        serializer.collect_seq(self.0.findings.iter().map(|found| Diagnostic {
            code: found.code.name,
            severity: found.code.severity.name(),
            location: &found.location,
            message: &found.message,
            level: self.0.level.name(),
            suppressed: found.muted,
        }))
    }
}

struct CheckedObject<'a>(&'a Checked);

impl Serialize for CheckedObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        match self.0 {
            Checked::Nothing => {}
            Checked::Sample { rules, schema_checked } => {
                object.serialize_entry("rules", rules)?;
                object.serialize_entry("schema_checked", schema_checked)?;
            }
            Checked::Collection { samples } => object.serialize_entry("samples", samples)?,
        }
        object.end()
    }
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
    use super::super::tests::{PLAIN, written};
    use medh5::validate::Level;

    #[test]
    fn the_shape_is_that_of_the_reference() {
        let text = written(Form::Json, PLAIN, Level::Semantic);
        let start = "[\n  {\n    \"path\": \"data/case 1.medh5\",\n    \"level\": \"semantic\",\n    \"profiles\": [\n      \
                     \"core\",\n      \"seg\"\n    ],\n    \"ok\": false,\n    \"errors\": 1,\n    \"warnings\": 1,\n    \
                     \"promoted\": 0,\n    \"diagnostics\": [\n      {\n        \"code\": \"E202\",\n";
        assert!(text.starts_with(start), "{text}");
        assert!(text.contains("8 \\u00d7 16, its grid <8 & 15>"), "{text}");
        assert!(text.ends_with("    \"fingerprint\": \"ab12\"\n  }\n]\n"), "{text}");
    }
}

//! `json`: the list that `medh5 validate --json` prints, member by member, byte by byte.
//!
//! The shape has its home in `medh5`. Only what the user asked for on top adds a member: `suppressed` on a muted finding,
//! `fingerprint` on a file.

use std::io::{self, Write};

use medh5::validate::ReportObject;

use super::Report;
use crate::verdict::{Counts, Summary, Verdict};

/// A list that is written as the verdicts come.
#[derive(Default)]
pub(super) struct Json {
    has_files: bool,
    /// The text of one file; its memory is used again.
    text: Vec<u8>,
}

impl Report for Json {
    fn file(&mut self, verdict: &Verdict, out: &mut dyn Write) -> io::Result<()> {
        let start = if std::mem::replace(&mut self.has_files, true) { ",\n  " } else { "[\n  " };
        self.text.clear();
        self.text.extend_from_slice(start.as_bytes());
        file_object(verdict).write_indented(1, &mut self.text);
        out.write_all(&self.text)
    }

    fn finish(&mut self, _: &Summary, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", if self.has_files { "\n]" } else { "[]" })?;
        out.flush()
    }
}

/// The object of one file: the one that `medh5` writes, and what the user asked for on top.
pub(super) fn file_object(verdict: &Verdict) -> ReportObject<'_> {
    let Counts { errors, warnings, promoted, .. } = verdict.counts();
    ReportObject::new(&verdict.report)
        .suppress(&verdict.muted, medh5::validate::Counts { errors, warnings, promoted })
        .fingerprint(verdict.fingerprint.as_deref())
}

#[cfg(test)]
mod tests {
    use super::super::Form;
    use super::super::tests::written;
    use super::*;
    use crate::verdict::tests::sample;
    use medh5::validate::{Level, to_json};

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

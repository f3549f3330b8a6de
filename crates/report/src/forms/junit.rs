//! `junit`: one test case per file, so that a dashboard shows files, not findings.

use std::io::{self, Write};

use medh5::ABOUT;
use medh5::validate::Finding;

use super::Report;
use crate::markup::escape;
use crate::verdict::{Summary, Verdict, plural};

/// Test cases, kept until their number is known.
#[derive(Default)]
pub(super) struct Junit {
    cases: Vec<u8>,
}

impl Report for Junit {
    fn file(&mut self, verdict: &Verdict, _: &mut dyn Write) -> io::Result<()> {
        let name = escape(verdict.name());
        let line = |(found, muted): (&Finding, bool)| {
            let muted = if muted { " (suppressed)" } else { "" };
            let severity = found.code.severity.name().to_uppercase();
            let (code, location, message) = (found.code.name, &found.location, &found.message);
            escape(&format!("{severity:<7} {code} {location}: {message}{muted}"))
        };
        let lines: Vec<_> = verdict.findings().map(line).collect();
        let body = match (verdict.is_ok(), lines.is_empty()) {
            (true, true) => String::new(),
            (true, false) => format!("<system-out>{}\n</system-out>", lines.join("\n")),
            (false, _) => {
                let (tag, kind) = if verdict.is_unreadable() {
                    ("error", "unreadable")
                } else {
                    ("failure", "findings")
                };
                let message = plural(verdict.counts().errors, "error");
                format!(
                    "<{tag} type=\"{kind}\" message=\"{message}\">{}\n</{tag}>",
                    lines.join("\n")
                )
            }
        };
        let class = format!("medh5.{}", verdict.report.level);
        writeln!(
            self.cases,
            "    <testcase classname=\"{class}\" name=\"{name}\">{body}</testcase>"
        )
    }

    fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let numbers = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
            summary.files,
            summary.failed - summary.unreadable,
            summary.unreadable
        );
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<testsuites name=\"medh5-lite\" {numbers}>")?;
        writeln!(out, "  <testsuite name=\"medh5-lite validate\" {numbers}>")?;
        writeln!(out, "    <properties>")?;
        for (name, value) in [
            ("version", ABOUT.version.to_owned()),
            ("reference", ABOUT.reference.to_owned()),
            ("codes_revision", ABOUT.codes_revision.to_string()),
            ("formats", ABOUT.formats.join(", ")),
            ("summary", summary.line()),
        ] {
            writeln!(out, "      <property name=\"{name}\" value=\"{}\"/>", escape(&value))?;
        }
        writeln!(out, "    </properties>")?;
        out.write_all(&self.cases)?;
        writeln!(out, "  </testsuite>\n</testsuites>")?;
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Form;
    use super::super::tests::written;
    use medh5::validate::Level;

    #[test]
    fn a_file_is_a_test_case() {
        let text = written(Form::Junit, Level::Semantic);
        assert!(
            text.contains(
                "<testsuites name=\"medh5-lite\" tests=\"1\" failures=\"1\" errors=\"0\">"
            ),
            "{text}"
        );
        assert!(
            text.contains("ERROR   E202 /images/CT: 8 × 16, its grid &lt;8 &amp; 15&gt;"),
            "{text}"
        );
        assert_eq!(text.matches("<testcase ").count(), 1);
    }
}

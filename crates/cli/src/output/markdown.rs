//! `markdown`: for pull requests, issues and wikis.

use std::collections::BTreeMap;
use std::io::{self, Write};

use medh5::validate::Code;

use super::fold::fold;
use super::{Report, Style};
use crate::verdict::{Summary, Verdict, plural};
use medh5::ABOUT;

/// A table of files and a table of findings, kept until the summary is known.
pub(super) struct Markdown {
    style: Style,
    files: String,
    findings: String,
    codes: BTreeMap<&'static str, &'static Code>,
}

impl Markdown {
    pub(super) fn new(style: Style) -> Self {
        Self { style, files: String::new(), findings: String::new(), codes: BTreeMap::new() }
    }
}

impl Report for Markdown {
    fn file(&mut self, verdict: &Verdict, _: &mut dyn Write) -> io::Result<()> {
        let counts = verdict.counts();
        let name = cell(&verdict.name);
        self.files.push_str(&format!(
            "| {name} | {} | {} | {} | {} |\n",
            verdict.word(),
            counts.errors,
            counts.warnings,
            counts.muted
        ));
        let folded = fold(&verdict.findings, self.style.max_findings);
        for found in &folded.listed {
            self.codes.insert(found.code.name, found.code);
            let (code, location, message) =
                (found.code.name, cell(&found.location), cell(&found.message));
            self.findings.push_str(&format!("| {code} | {name} | {location} | {message} |\n"));
        }
        for remark in folded.remarks() {
            self.findings.push_str(&format!("| | {name} | | {remark} |\n"));
        }
        Ok(())
    }

    fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let verdict = if summary.ok == summary.expected { "passed" } else { "failed" };
        writeln!(out, "# Validation {verdict}\n\n{}\n", summary.line())?;
        if summary.files > 0 {
            writeln!(
                out,
                "| file | verdict | errors | warnings | suppressed |\n| --- | --- | --- | --- | --- |"
            )?;
            writeln!(out, "{}", self.files)?;
        }
        if !self.findings.is_empty() {
            writeln!(
                out,
                "## Findings\n\n| code | file | location | message |\n| --- | --- | --- | --- |"
            )?;
            writeln!(out, "{}", self.findings)?;
            writeln!(out, "## {}\n", plural(self.codes.len(), "code"))?;
            for code in self.codes.values() {
                writeln!(out, "- **{}** ({}): {}", code.name, code.severity.name(), code.summary)?;
            }
            writeln!(out)?;
        }
        writeln!(out, "Written by {}.", ABOUT.line())?;
        out.flush()
    }
}

/// Text in a table cell.
fn cell(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;").replace(['\r', '\n'], " ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_cell_stays_a_cell() {
        assert_eq!(super::cell("a|b\n<c>"), "a\\|b &lt;c>");
    }
}

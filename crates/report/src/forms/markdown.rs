//! `markdown`: for pull requests, issues and wikis.

use std::collections::BTreeMap;
use std::io::{self, Write};

use medh5::ABOUT;
use medh5::validate::Code;

use super::Report;
use super::fold::fold;
use crate::verdict::{Summary, Verdict, plural};

/// A table of files and a table of findings, kept until the summary is known.
pub(super) struct Markdown {
    max_findings: usize,
    files: Vec<u8>,
    findings: Vec<u8>,
    codes: BTreeMap<&'static str, &'static Code>,
}

impl Markdown {
    pub(super) fn new(max_findings: usize) -> Self {
        Self { max_findings, files: Vec::new(), findings: Vec::new(), codes: BTreeMap::new() }
    }
}

impl Report for Markdown {
    fn file(&mut self, verdict: &Verdict, _: &mut dyn Write) -> io::Result<()> {
        let counts = verdict.counts();
        let name = cell(verdict.name());
        writeln!(
            self.files,
            "| {name} | {} | {} | {} | {} |",
            verdict.word(),
            counts.errors,
            counts.warnings,
            counts.muted
        )?;
        let folded = fold(verdict.audible(), self.max_findings);
        for found in &folded.listed {
            self.codes.insert(found.code.name, found.code);
            let (code, location, message) =
                (found.code.name, cell(&found.location), cell(&found.message));
            writeln!(self.findings, "| {code} | {name} | {location} | {message} |")?;
        }
        for remark in folded.remarks() {
            writeln!(self.findings, "| | {name} | | {remark} |")?;
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
            out.write_all(&self.files)?;
            writeln!(out)?;
        }
        if !self.findings.is_empty() {
            writeln!(
                out,
                "## Findings\n\n| code | file | location | message |\n| --- | --- | --- | --- |"
            )?;
            out.write_all(&self.findings)?;
            writeln!(out)?;
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

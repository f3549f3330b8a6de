//! `html`: one page with everything in it, no script and no request to anywhere.

use std::collections::BTreeMap;
use std::io::{self, Write};

use medh5::ABOUT;
use medh5::validate::{Code, Severity};

use super::Report;
use super::fold::fold;
use crate::markup::escape;
use crate::page;
use crate::verdict::{Summary, Verdict, plural};

const HEAD: &str = include_str!("../head.html");

/// The files, kept until the summary is known.
pub(super) struct Html {
    max_findings: usize,
    files: Vec<u8>,
    codes: BTreeMap<&'static str, &'static Code>,
}

impl Html {
    pub(super) fn new(max_findings: usize) -> Self {
        Self { max_findings, files: Vec::new(), codes: BTreeMap::new() }
    }
}

impl Report for Html {
    fn file(&mut self, verdict: &Verdict, _: &mut dyn Write) -> io::Result<()> {
        let counts = verdict.counts();
        let (class, open) = if verdict.is_ok() { ("ok", "") } else { ("failed", " open") };
        write!(
            self.files,
            "<details class=\"{class}\"{open}><summary><b>{}</b> {} <small>{}, {}, {}, {} suppressed",
            verdict.word(),
            escape(verdict.name()),
            verdict.report.level,
            plural(counts.errors, "error"),
            plural(counts.warnings, "warning"),
            counts.muted
        )?;
        if let Some(fingerprint) = &verdict.fingerprint {
            write!(self.files, ", {}", escape(fingerprint))?;
        }
        writeln!(self.files, "</small></summary>")?;
        self.findings(verdict)?;
        writeln!(self.files, "</details>")
    }

    fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let verdict = if summary.ok == summary.expected { "passed" } else { "failed" };
        writeln!(
            out,
            "{HEAD}<title>medh5-lite validation</title>\n<h1>Validation {verdict}</h1>\n<p>{}</p>",
            escape(&summary.line())
        )?;
        writeln!(out, "<main>")?;
        out.write_all(&self.files)?;
        writeln!(out, "</main>")?;
        if !self.codes.is_empty() {
            writeln!(out, "<h2>Codes</h2>")?;
        }
        for code in self.codes.values() {
            let summary = escape(code.summary);
            writeln!(
                out,
                "<details id=\"{0}\"><summary><b>{0}</b> {summary}</summary>",
                code.name
            )?;
            code_page(code, out)?;
            writeln!(out, "</details>")?;
        }
        writeln!(out, "<footer>{}</footer>\n</html>", escape(&ABOUT.line()))?;
        out.flush()
    }
}

impl Html {
    fn findings(&mut self, verdict: &Verdict) -> io::Result<()> {
        let folded = fold(verdict.audible(), self.max_findings);
        if folded.listed.is_empty() {
            return writeln!(self.files, "<p>Nothing found.</p>");
        }
        writeln!(self.files, "<table><tr><th>code<th>severity<th>location<th>message</tr>")?;
        for found in &folded.listed {
            self.codes.insert(found.code.name, found.code);
            let severity = match (found.code.severity, verdict.is_promoted(found)) {
                (Severity::Error, _) => "error",
                (Severity::Warning, false) => "warning",
                (Severity::Warning, true) => "warning, counted as error",
            };
            writeln!(
                self.files,
                "<tr><td><a href=\"#{0}\">{0}</a><td>{severity}<td><code>{1}</code><td>{2}</tr>",
                found.code.name,
                escape(&found.location),
                escape(&found.message)
            )?;
        }
        for remark in folded.remarks() {
            writeln!(self.files, "<tr><td><td><td><td>{}</tr>", escape(&remark))?;
        }
        writeln!(self.files, "</table>")
    }
}

/// The page of a code; paragraphs and blocks, nothing else occurs in it.
fn code_page(code: &Code, out: &mut dyn Write) -> io::Result<()> {
    for (heading, body) in page::sections(code.page) {
        writeln!(out, "<h3>{}</h3>", escape(heading))?;
        for (index, part) in body.split("```").enumerate() {
            if index % 2 == 1 {
                let block = part.split_once('\n').map_or("", |(_, block)| block);
                writeln!(out, "<pre>{}</pre>", escape(block))?;
                continue;
            }
            for paragraph in part.split("\n\n").map(str::trim).filter(|text| !text.is_empty()) {
                writeln!(out, "<p>{}</p>", inline(paragraph))?;
            }
        }
    }
    Ok(())
}

/// Escapes a paragraph and turns `marked` words into code.
fn inline(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(index, part)| match index % 2 {
        1 => format!("<code>{}</code>", escape(part)),
        _ => escape(part),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::super::Form;
    use super::super::tests::written;
    use medh5::validate::Level;

    #[test]
    fn nothing_is_fetched_and_nothing_runs() {
        let html = written(Form::Html, Level::Strict);
        for forbidden in ["<script", "http:", "https:", "src=", "<8 & 15>"] {
            assert!(!html.contains(forbidden), "{forbidden}");
        }
        assert!(html.contains("warning, counted as error"));
        assert!(html.contains("<details id=\"E202\">"));
    }
}

//! `html`: one page with everything in it, no script and no request to anywhere.

use std::collections::BTreeMap;
use std::io::{self, Write};

use medh5::validate::{Code, Severity};

use super::fold::fold;
use super::markup::escape;
use super::{Report, Style};
use crate::page;
use crate::verdict::{Summary, Verdict};
use medh5::ABOUT;

const HEAD: &str = include_str!("html/head.html");

/// The files, kept until the summary is known.
pub(super) struct Html {
    style: Style,
    files: String,
    codes: BTreeMap<&'static str, &'static Code>,
}

impl Html {
    pub(super) fn new(style: Style) -> Self {
        Self { style, files: String::new(), codes: BTreeMap::new() }
    }
}

impl Report for Html {
    fn file(&mut self, verdict: &Verdict, _: &mut dyn Write) -> io::Result<()> {
        let counts = verdict.counts();
        let (class, open) = if verdict.is_ok() { ("ok", "") } else { ("failed", " open") };
        self.files.push_str(&format!(
            "<details class=\"{class}\"{open}><summary><b>{}</b> {} <small>{}, {} errors, {} warnings, {} suppressed",
            verdict.word(),
            escape(&verdict.name),
            verdict.level,
            counts.errors,
            counts.warnings,
            counts.muted
        ));
        if let Some(fingerprint) = &verdict.fingerprint {
            self.files.push_str(&format!(", BLAKE3 {}", escape(fingerprint)));
        }
        self.files.push_str("</small></summary>\n");
        self.findings(verdict);
        self.files.push_str("</details>\n");
        Ok(())
    }

    fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let verdict = if summary.ok == summary.expected { "passed" } else { "failed" };
        writeln!(out, "{HEAD}<h1>Validation {verdict}</h1>\n<p>{}</p>", escape(&summary.line()))?;
        write!(out, "<main>\n{}</main>\n", self.files)?;
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
            writeln!(out, "{}</details>", code_page(code))?;
        }
        writeln!(out, "<footer>{}</footer>\n</html>", escape(&ABOUT.line()))?;
        out.flush()
    }
}

impl Html {
    fn findings(&mut self, verdict: &Verdict) {
        let folded = fold(&verdict.findings, self.style.max_findings);
        if folded.listed.is_empty() {
            self.files.push_str("<p>Nothing found.</p>\n");
            return;
        }
        self.files.push_str("<table><tr><th>code<th>severity<th>location<th>message</tr>\n");
        for found in &folded.listed {
            self.codes.insert(found.code.name, found.code);
            let severity = match (found.code.severity, found.is_promoted(verdict.level)) {
                (Severity::Error, _) => "error",
                (Severity::Warning, false) => "warning",
                (Severity::Warning, true) => "warning, counted as error",
            };
            self.files.push_str(&format!(
                "<tr><td><a href=\"#{0}\">{0}</a><td>{severity}<td><code>{1}</code><td>{2}</tr>\n",
                found.code.name,
                escape(&found.location),
                escape(&found.message)
            ));
        }
        for remark in folded.remarks() {
            self.files.push_str(&format!("<tr><td><td><td><td>{}</tr>\n", escape(&remark)));
        }
        self.files.push_str("</table>\n");
    }
}

/// The page of a code; paragraphs and blocks, nothing else occurs in it.
fn code_page(code: &Code) -> String {
    let mut html = String::new();
    for (heading, body) in page::sections(code.page) {
        html.push_str(&format!("<h3>{}</h3>\n", escape(heading)));
        for (index, part) in body.split("```").enumerate() {
            if index % 2 == 1 {
                let block = part.split_once('\n').map_or("", |(_, block)| block);
                html.push_str(&format!("<pre>{}</pre>\n", escape(block)));
                continue;
            }
            for paragraph in part.split("\n\n").map(str::trim).filter(|text| !text.is_empty()) {
                html.push_str(&format!("<p>{}</p>\n", inline(paragraph)));
            }
        }
    }
    html
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
    use super::super::tests::{PLAIN, written};
    use medh5::validate::Level;

    #[test]
    fn nothing_is_fetched_and_nothing_runs() {
        let html = written(Form::Html, PLAIN, Level::Strict);
        for forbidden in ["<script", "http:", "https:", "src=", "<8 & 15>"] {
            assert!(!html.contains(forbidden), "{forbidden}");
        }
        assert!(html.contains("warning, counted as error"));
        assert!(html.contains("<details id=\"E202\">"));
    }
}

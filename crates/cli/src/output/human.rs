//! `human`: the lines that `medh5 validate` prints, coloured on a terminal.

use std::collections::BTreeMap;
use std::io::{self, Write};

use medh5::validate::{Code, Finding, Severity};

use super::{GroupBy, Report, Style};
use report::{Summary, Verdict, fold, plural};

/// The report, file by file or code by code.
pub(super) fn report(style: Style) -> Box<dyn Report> {
    match style.group_by {
        GroupBy::File => Box::new(ByFile(style)),
        GroupBy::Code => Box::new(ByCode { style, codes: BTreeMap::new() }),
    }
}

struct ByFile(Style);

impl Report for ByFile {
    fn file(&mut self, verdict: &Verdict, out: &mut dyn Write) -> io::Result<()> {
        let style = self.0;
        writeln!(out, "{}", header(verdict, style))?;
        let folded = fold(verdict.audible(), style.max_findings);
        for found in &folded.listed {
            let severity = severity(found.code, style);
            writeln!(
                out,
                "  {severity} {} {}: {}",
                found.code.name, found.location, found.message
            )?;
            if style.verbose {
                writeln!(out, "          -> {}", style.paint.faint(found.code.summary))?;
            }
        }
        for remark in folded.remarks() {
            writeln!(out, "          {}", style.paint.faint(&remark))?;
        }
        Ok(())
    }

    fn finish(&mut self, _: &Summary, out: &mut dyn Write) -> io::Result<()> {
        out.flush()
    }
}

/// `PATH: OK|FAILED [LEVEL] profiles=A,B (E errors, W warnings)`, the reference's first line.
fn header(verdict: &Verdict, style: Style) -> String {
    let counts = verdict.counts();
    let word = if verdict.is_ok() {
        style.paint.good(verdict.word())
    } else {
        style.paint.error(verdict.word())
    };
    let profiles = if verdict.report.profiles.is_empty() {
        "-".to_owned()
    } else {
        verdict.report.profiles.join(",")
    };
    let muted = match counts.muted {
        0 => String::new(),
        muted => format!(", {muted} suppressed"),
    };
    format!(
        "{}: {word} [{}] profiles={profiles} ({}, {}{muted})",
        verdict.name(),
        verdict.report.level,
        plural(counts.errors, "error"),
        plural(counts.warnings, "warning")
    )
}

/// The severity that the code has by itself, padded to a column.
fn severity(code: &Code, style: Style) -> String {
    match code.severity {
        Severity::Error => style.paint.error("ERROR  "),
        Severity::Warning => style.paint.warning("WARNING"),
    }
}

struct ByCode {
    style: Style,
    codes: BTreeMap<(Severity, &'static str), Entry>,
}

struct Entry {
    code: &'static Code,
    files: Vec<(String, Vec<Finding>)>,
}

impl Report for ByCode {
    fn file(&mut self, verdict: &Verdict, _: &mut dyn Write) -> io::Result<()> {
        for found in verdict.audible() {
            let key = (found.code.severity, found.code.name);
            let entry =
                self.codes.entry(key).or_insert(Entry { code: found.code, files: Vec::new() });
            match entry.files.last_mut() {
                Some((name, list)) if *name == verdict.name() => list.push(found.clone()),
                _ => entry.files.push((verdict.name().to_owned(), vec![found.clone()])),
            }
        }
        Ok(())
    }

    fn finish(&mut self, _: &Summary, out: &mut dyn Write) -> io::Result<()> {
        for entry in self.codes.values() {
            let count: usize = entry.files.iter().map(|(_, list)| list.len()).sum();
            let severity = severity(entry.code, self.style);
            let extent = format!("{count} in {}", plural(entry.files.len(), "file"));
            writeln!(
                out,
                "{} {} {} ({extent})",
                severity.trim_end(),
                entry.code.name,
                entry.code.summary
            )?;
            for (name, list) in &entry.files {
                let folded = fold(list, self.style.max_findings);
                for found in &folded.listed {
                    writeln!(out, "  {name} {}: {}", found.location, found.message)?;
                }
                for remark in folded.remarks() {
                    writeln!(out, "  {name} {}", self.style.paint.faint(&remark))?;
                }
            }
        }
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{PLAIN, written};
    use super::super::{Form, GroupBy, Style};
    use medh5::validate::Level;

    #[test]
    fn the_lines_are_those_of_the_reference() {
        let text = written(Form::Human, Style { verbose: true, ..PLAIN }, Level::Strict);
        assert_eq!(
            text,
            "data/case 1.medh5: FAILED [strict] profiles=core,seg (2 errors, 0 warnings, 1 suppressed)\n  \
             ERROR   E202 /images/CT: 8 × 16, its grid <8 & 15>\n          \
             -> an image and its grid differ in shape\n  \
             WARNING W912 /meta#label_set: 8 × 16, its grid <8 & 15>\n          \
             -> a class in use has no ontology code\n"
        );
    }

    #[test]
    fn findings_can_be_listed_by_code() {
        let text =
            written(Form::Human, Style { group_by: GroupBy::Code, ..PLAIN }, Level::Semantic);
        let first = "ERROR E202 an image and its grid differ in shape (1 in 1 file)\n  data/case 1.medh5 /images/CT: ";
        assert!(text.starts_with(first), "{text}");
    }
}

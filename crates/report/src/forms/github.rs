//! `github`: workflow commands that GitHub shows beside the files of a pull request.

use std::io::{self, Write};

use super::Report;
use super::fold::fold;
use crate::verdict::{Summary, Verdict};

/// One workflow command per finding.
pub(super) struct GitHub {
    max_findings: usize,
}

impl GitHub {
    pub(super) fn new(max_findings: usize) -> Self {
        Self { max_findings }
    }
}

impl Report for GitHub {
    fn file(&mut self, verdict: &Verdict, out: &mut dyn Write) -> io::Result<()> {
        let folded = fold(verdict.audible(), self.max_findings);
        let file = property(verdict.name());
        for found in &folded.listed {
            let command = if verdict.fails(found) { "error" } else { "warning" };
            let title = property(&format!("{} {}", found.code.name, found.code.summary));
            let text = data(&format!("{}: {}", found.location, found.message));
            writeln!(out, "::{command} file={file},title={title}::{text}")?;
        }
        for remark in folded.remarks() {
            writeln!(out, "::notice file={file}::{}", data(&remark))?;
        }
        Ok(())
    }

    fn finish(&mut self, _: &Summary, out: &mut dyn Write) -> io::Result<()> {
        out.flush()
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::Form;
    use super::super::tests::written;
    use medh5::validate::Level;

    #[test]
    fn a_command_names_file_and_code() {
        let text = written(Form::Github, Level::Semantic);
        let first = "::error file=data/case 1.medh5,title=E202 an image and its grid differ in shape::/images/CT: ";
        assert!(text.starts_with(first), "{text}");
        assert_eq!(text.lines().count(), 2, "the muted one is left out");
    }
}

//! `concise`: one line per finding, for `grep` and editors.

use std::io::{self, Write};

use super::{Report, Style};
use report::{Summary, Verdict, fold};

/// One line per finding; a file in order gives none.
pub(super) struct Concise(Style);

impl Concise {
    pub(super) fn new(style: Style) -> Self {
        Self(style)
    }
}

impl Report for Concise {
    fn file(&mut self, verdict: &Verdict, out: &mut dyn Write) -> io::Result<()> {
        let folded = fold(verdict.audible(), self.0.max_findings);
        for found in &folded.listed {
            let code = if verdict.fails(found) {
                self.0.paint.error(found.code.name)
            } else {
                self.0.paint.warning(found.code.name)
            };
            writeln!(out, "{}:{}: {code} {}", verdict.name(), found.location, found.message)?;
        }
        for remark in folded.remarks() {
            writeln!(out, "{}: {remark}", verdict.name())?;
        }
        Ok(())
    }

    fn finish(&mut self, _: &Summary, out: &mut dyn Write) -> io::Result<()> {
        out.flush()
    }
}

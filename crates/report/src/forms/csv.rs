//! `csv`: one row per finding, muted ones included, as RFC 4180 has it.

use std::io::{self, Write};

use super::Report;
use crate::markup::csv_field;
use crate::verdict::{Summary, Verdict};

const HEADER: &str = "file,level,code,severity,promoted,suppressed,location,message";

/// One row per finding.
#[derive(Default)]
pub(super) struct Csv {
    has_header: bool,
}

impl Csv {
    fn header(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::replace(&mut self.has_header, true) {
            Ok(())
        } else {
            writeln!(out, "{HEADER}")
        }
    }
}

impl Report for Csv {
    fn file(&mut self, verdict: &Verdict, out: &mut dyn Write) -> io::Result<()> {
        self.header(out)?;
        for (found, muted) in verdict.findings() {
            writeln!(
                out,
                "{},{},{},{},{},{},{},{}",
                csv_field(verdict.name()),
                verdict.report.level,
                found.code.name,
                found.code.severity.name(),
                verdict.is_promoted(found),
                muted,
                csv_field(&found.location),
                csv_field(&found.message)
            )?;
        }
        Ok(())
    }

    fn finish(&mut self, _: &Summary, out: &mut dyn Write) -> io::Result<()> {
        self.header(out)?;
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Form;
    use super::super::tests::written;
    use medh5::validate::Level;

    #[test]
    fn one_row_per_finding() {
        let text = written(Form::Csv, Level::Strict);
        let rows: Vec<_> = text.lines().collect();
        assert_eq!(rows.len(), 4);
        assert_eq!(
            rows[3],
            "data/case 1.medh5,strict,W912,warning,true,true,/meta#label_set,\"8 × 16, its grid <8 & 15>\""
        );
    }
}

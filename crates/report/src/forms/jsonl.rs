//! `jsonl`: one object per line, so that a run that was cut off leaves what it had.

use std::io::{self, Write};

use super::Report;
use super::json::file_object;
use crate::verdict::{Summary, Verdict};

/// One line per file.
pub(super) struct Jsonl;

impl Report for Jsonl {
    fn file(&mut self, verdict: &Verdict, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, &file_object(verdict))?;
        writeln!(out)
    }

    fn finish(&mut self, _: &Summary, out: &mut dyn Write) -> io::Result<()> {
        out.flush()
    }
}

//! `audit`: one object that can be kept: versions, summary, files with length and fingerprint.

use std::io::{self, Write};

use medh5::ABOUT;
use serde_json::{Value, json};

use super::Report;
use super::json::file_object;
use crate::verdict::{Summary, Verdict};

/// Name and version of this shape.
const SCHEMA: &str = "medh5-lite.audit/1";

/// Files, kept until the summary is known.
#[derive(Default)]
pub(super) struct Audit {
    files: Vec<Value>,
}

impl Report for Audit {
    fn file(&mut self, verdict: &Verdict, _: &mut dyn Write) -> io::Result<()> {
        let mut file = serde_json::to_value(file_object(verdict))?;
        file["bytes"] = verdict.bytes.into();
        file["unreadable"] = verdict.is_unreadable().into();
        file["suppressed"] = verdict.counts().muted.into();
        self.files.push(file);
        Ok(())
    }

    fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let report = json!({
            "schema": SCHEMA,
            "tool": ABOUT,
            "summary": counts(summary),
            "files": std::mem::take(&mut self.files),
        });
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)?;
        out.flush()
    }
}

/// The summary as an object.
pub(super) fn counts(summary: &Summary) -> Value {
    json!({
        "files": summary.files,
        "expected": summary.expected,
        "interrupted": summary.is_interrupted(),
        "ok": summary.ok,
        "failed": summary.failed,
        "unreadable": summary.unreadable,
        "errors": summary.counts.errors,
        "warnings": summary.counts.warnings,
        "promoted": summary.counts.promoted,
        "suppressed": summary.counts.muted,
    })
}

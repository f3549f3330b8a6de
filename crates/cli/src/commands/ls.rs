//! `ls`: the samples of a collection.

use std::ffi::OsString;
use std::io::Write;

use clap::Args;
use medh5::summary::MemberSummary;
use medh5::{Opened, ReadError};
use serde_json::json;

use crate::exit::{Failure, Outcome};
use crate::inputs::Input;
use crate::table::Table;
use crate::target;
use crate::terminal::stdout;
use report::plural;

/// Lists the samples in a collection
#[derive(Debug, Args)]
pub(super) struct Ls {
    /// The collection
    path: OsString,
    /// As JSON
    #[arg(long)]
    json: bool,
    /// Only the keys, without opening the samples
    #[arg(long, conflicts_with = "json")]
    keys: bool,
}

impl Ls {
    pub(super) fn run(self) -> Result<Outcome, Failure> {
        let input = Input::parse(&self.path);
        let Opened::Collection(collection) = target::open(&input)? else {
            return Err(Failure::misfit(
                &input,
                "this is a sample, not a collection; `info` describes it",
            ));
        };
        let about = |error: ReadError| Failure::about(&input, error.sentence());
        let keys = collection.keys().map_err(about)?;
        let mut out = stdout();
        if self.keys {
            for key in keys {
                writeln!(out, "{key}")?;
            }
            out.flush()?;
            return Ok(Outcome::Good);
        }
        let version =
            collection.attributes().text("medh5_version").map_err(about)?.unwrap_or_default();
        let mut entries = Vec::new();
        for key in keys {
            let Some(sample) = collection.sample(&key).map_err(about)? else { continue };
            entries.push(MemberSummary::of(key, &sample).map_err(about)?);
        }
        if self.json {
            let report = json!({ "path": input.to_string(), "version": version, "kind": "collection", "samples": entries });
            serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{input}  ({}, {version})", plural(entries.len(), "sample"))?;
            table(entries).write("", &mut out)?;
        }
        out.flush()?;
        Ok(Outcome::Good)
    }
}

fn table(entries: Vec<MemberSummary>) -> Table {
    let mut table = Table::new(&["key", "subject", "tp", "img", "ann", "profiles", "content_id"]);
    for entry in entries {
        // Twelve digits tell samples apart; the whole text is in the JSON.
        let content_id =
            entry.content_id.unwrap_or_default().chars().take("sha256:".len() + 12).collect();
        table.row([
            entry.key,
            entry.subject_id.unwrap_or_default(),
            entry.timepoints.join(","),
            entry.images.len().to_string(),
            entry.annotations.len().to_string(),
            entry.profiles.join(","),
            content_id,
        ]);
    }
    table
}

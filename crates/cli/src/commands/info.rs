//! `info`: what a file is about, on one screen.

mod text;

use std::io::Write;

use clap::Args;
use medh5::Opened;
use medh5::summary::{CollectionSummary, SampleSummary};
use serde::Serialize;

use crate::exit::{Failure, Outcome};
use crate::target::Target;
use crate::terminal::{Terminal, stdout};

/// Describes a sample: who, when, which images and annotations, on which grids
///
/// No voxel is read. For a collection: what it holds; `--key` or `ls` tell more.
#[derive(Debug, Args)]
pub(super) struct Info {
    #[command(flatten)]
    target: Target,
    /// As JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    path: String,
    #[serde(flatten)]
    summary: Summary,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Summary {
    Sample(Box<SampleSummary>),
    Collection(CollectionSummary),
}

impl Info {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let (input, opened) = self.target.open()?;
        let summary = match &opened {
            Opened::Sample(sample) => SampleSummary::of(sample).map(Box::new).map(Summary::Sample),
            Opened::Collection(collection) => {
                CollectionSummary::of(collection).map(Summary::Collection)
            }
        };
        let summary = summary.map_err(|error| Failure::about(&input, error.sentence()))?;
        let report = Report { path: input.to_string(), summary };
        let mut out = stdout();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            // The text is made from the JSON, so that both say the same.
            let report = serde_json::to_value(&report).map_err(std::io::Error::from)?;
            text::write(&report, terminal.paint, &mut out)?;
        }
        out.flush()?;
        Ok(Outcome::Good)
    }
}

//! `info`: what a file is about, on one screen.

mod report;
mod text;

use std::io::Write;

use clap::Args;
use medh5::{Opened, ReadError};

use crate::exit::{Failure, Outcome};
use crate::target::{Target, sentence};
use crate::terminal::Terminal;

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

impl Info {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let (input, opened) = self.target.open()?;
        let about = |error: ReadError| Failure::about(&input, sentence(&error));
        let name = input.to_string();
        let report = match &opened {
            Opened::Sample(sample) => report::sample(&name, sample),
            Opened::Collection(collection) => report::collection(&name, collection),
        };
        let report = report.map_err(about)?;
        let mut out = terminal.stdout();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            text::write(&report, terminal.paint, &mut out)?;
        }
        out.flush()?;
        Ok(Outcome::Good)
    }
}

//! `meta`: everything that a sample says about itself, as JSON.

use std::io::Write;

use clap::Args;
use medh5::summary::Metadata;
use serde::Serialize;

use crate::exit::{Failure, Outcome};
use crate::target::Target;
use crate::terminal::stdout;

/// Prints all metadata of a sample as JSON: its document, and the attributes of its parts
///
/// No voxel is read.
#[derive(Debug, Args)]
pub(super) struct Meta {
    #[command(flatten)]
    target: Target,
    /// Only the sample document, `/meta`
    #[arg(long)]
    document: bool,
    /// Accepted for symmetry: the output is always JSON
    #[arg(long, hide = true)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    path: String,
    #[serde(flatten)]
    metadata: Metadata,
}

impl Meta {
    pub(super) fn run(self) -> Result<Outcome, Failure> {
        let (input, sample) = self.target.sample()?;
        let metadata =
            Metadata::of(&sample).map_err(|error| Failure::about(&input, error.sentence()))?;
        let mut out = stdout();
        let written = if self.document {
            serde_json::to_writer_pretty(&mut out, &metadata.document)
        } else {
            serde_json::to_writer_pretty(&mut out, &Report { path: input.to_string(), metadata })
        };
        written.map_err(std::io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
        Ok(Outcome::Good)
    }
}

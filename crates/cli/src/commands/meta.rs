//! `meta`: everything that a sample says about itself, as JSON.

use std::io::Write;

use clap::Args;
use medh5::sample::Chapter;
use medh5::{ReadError, Sample};
use serde_json::{Map, Value, json};

use crate::describe::{attributes, type_name};
use crate::document::value_of;
use crate::exit::{Failure, Outcome};
use crate::target::{Target, sentence};
use crate::terminal::Terminal;

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

impl Meta {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let (input, sample) = self.target.sample()?;
        let report = match self.document {
            true => value_of(&sample),
            false => everything(&sample, &input.to_string()),
        };
        let report = report.map_err(|error| Failure::about(&input, sentence(&error)))?;
        let mut out = terminal.stdout();
        serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
        Ok(Outcome::Good)
    }
}

fn everything(sample: &Sample, name: &str) -> Result<Value, ReadError> {
    let mut report = json!({
        "path": name,
        "attributes": attributes(sample.attributes())?,
        "document": value_of(sample)?,
    });
    for chapter in Chapter::ALL {
        let mut members = Map::new();
        for child in sample.children(chapter)? {
            let mut member = json!({ "attributes": attributes(child.attributes())? });
            if let Some(dataset) = child.dataset() {
                member["shape"] = dataset.shape().into();
                member["dtype"] = type_name(dataset.datatype()).into();
            }
            members.insert(child.name().to_owned(), member);
        }
        report[chapter.name()] = members.into();
    }
    Ok(report)
}

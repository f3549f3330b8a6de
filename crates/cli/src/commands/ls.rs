//! `ls`: the samples of a collection.

use std::io::Write;

use clap::Args;
use medh5::sample::Chapter;
use medh5::{Opened, ReadError, Sample};
use serde_json::{Value, json};

use crate::document;
use crate::exit::{Failure, Outcome};
use crate::table::Table;
use crate::target::{Target, sentence};
use crate::terminal::Terminal;

/// Lists the samples in a collection
#[derive(Debug, Args)]
pub(super) struct Ls {
    #[command(flatten)]
    target: Target,
    /// As JSON
    #[arg(long)]
    json: bool,
    /// Only the keys, without opening the samples
    #[arg(long, conflicts_with = "json")]
    keys: bool,
}

/// What a line says about a sample.
struct Entry {
    key: String,
    sample_id: Option<String>,
    subject_id: Option<String>,
    timepoints: Vec<String>,
    images: Vec<String>,
    annotations: Vec<String>,
    profiles: Vec<String>,
    content_id: Option<String>,
}

impl Ls {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let (input, opened) = self.target.open()?;
        let Opened::Collection(collection) = opened else {
            return Err(Failure::about(
                &input,
                "this is a sample, not a collection; `info` describes it",
            ));
        };
        let about = |error: ReadError| Failure::about(&input, sentence(&error));
        let keys = collection.keys().map_err(about)?;
        let mut out = terminal.stdout();
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
            entries.push(Entry::of(key, &sample).map_err(about)?);
        }
        if self.json {
            let samples: Vec<_> = entries.iter().map(Entry::as_json).collect();
            let report = json!({ "path": input.to_string(), "version": version, "kind": "collection", "samples": samples });
            serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{input}  ({} samples, {version})", entries.len())?;
            table(entries).write("", &mut out)?;
        }
        out.flush()?;
        Ok(Outcome::Good)
    }
}

impl Entry {
    fn of(key: String, sample: &Sample) -> Result<Self, ReadError> {
        let document = document::of(sample)?;
        let names = |chapter| -> Result<Vec<String>, ReadError> {
            Ok(sample.children(chapter)?.iter().map(|child| child.name().to_owned()).collect())
        };
        let timepoints = document.iter().flat_map(|document| &document.timepoints);
        Ok(Self {
            key,
            timepoints: timepoints.map(|timepoint| timepoint.id.clone()).collect(),
            sample_id: document.as_ref().map(|document| document.identity.sample_id.clone()),
            subject_id: document.as_ref().map(|document| document.identity.subject_id.clone()),
            images: names(Chapter::Images)?,
            annotations: names(Chapter::Annotations)?,
            profiles: sample.attributes().strings("medh5_profiles")?.unwrap_or_default(),
            content_id: sample.attributes().text("content_id")?,
        })
    }

    fn as_json(&self) -> Value {
        json!({
            "key": self.key,
            "sample_id": self.sample_id,
            "subject_id": self.subject_id,
            "profiles": self.profiles,
            "content_id": self.content_id,
            "timepoints": self.timepoints,
            "images": self.images,
            "annotations": self.annotations,
        })
    }
}

fn table(entries: Vec<Entry>) -> Table {
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

//! `fix`: what would have to be repaired. It only looks: nothing is changed yet.

use std::io::Write;

use clap::Args;
use medh5::annotations::{Family, Kind};
use medh5::integrity::{ObjectStatus, Verification, verify};
use medh5::validate::Silent;
use medh5::{ReadError, Sample};
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::target::{Target, sentence};
use crate::terminal::stdout;

/// Tells what is stale or does not match in a sample, and changes nothing
///
/// Looks at digests, `content_id` and the sampling index. Exit code 1 when something needs attention.
#[derive(Debug, Args)]
pub(super) struct Fix {
    #[command(flatten)]
    target: Target,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// What needs attention.
struct Diagnosis {
    found: Verification,
    missing_index: Vec<String>,
}

impl Fix {
    pub(super) fn run(self) -> Result<Outcome, Failure> {
        let (input, sample) = self.target.sample()?;
        let diagnosis =
            Diagnosis::of(&sample).map_err(|error| Failure::about(&input, sentence(&error)))?;
        let mut out = stdout();
        if self.json {
            let list = [diagnosis.as_json(&input.to_string())];
            serde_json::to_writer_pretty(&mut out, &list).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else if diagnosis.is_good() {
            writeln!(out, "{input}: nothing to fix")?;
        } else {
            writeln!(out, "{input}: needs attention, nothing changed")?;
            for line in diagnosis.lines() {
                writeln!(out, "  {line}")?;
            }
        }
        out.flush()?;
        Ok(if diagnosis.is_good() { Outcome::Good } else { Outcome::Bad })
    }
}

impl Diagnosis {
    fn of(sample: &Sample) -> Result<Self, ReadError> {
        let found = verify(sample, None, &Silent)?;
        Ok(Self { found, missing_index: missing_index(sample)? })
    }

    fn is_good(&self) -> bool {
        self.found.is_ok() && self.found.stale_index.is_empty()
    }

    fn paths(&self, status: ObjectStatus) -> Vec<&str> {
        self.found.with_status(status).collect()
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut list = |what: &str, paths: Vec<&str>, remedy: &str| {
            if !paths.is_empty() {
                lines.push(format!("{what}: {} ({remedy})", paths.join(", ")));
            }
        };
        let restore = "get an intact copy; if the change was meant, stamp the digest anew";
        list("digest mismatch", self.paths(ObjectStatus::Mismatch), restore);
        list(
            "malformed digest",
            self.paths(ObjectStatus::Malformed),
            "stamp it anew from known good data",
        );
        let unsigned = self.found.unsigned.iter().map(String::as_str).collect();
        list("unsigned", unsigned, "no line of content_id covers it at this path");
        let stale = self.found.stale_index.iter().map(String::as_str).collect();
        list("stale index", stale, "derived data: rebuild it");
        if self.found.content_id_ok == Some(false) {
            lines.push("content_id does not match the file's own contents".into());
        }
        lines
    }

    fn as_json(&self, path: &str) -> Value {
        json!({
            "path": path,
            "ok": self.is_good(),
            "diagnosis": {
                "path": path,
                "mismatched": self.paths(ObjectStatus::Mismatch),
                "malformed": self.paths(ObjectStatus::Malformed),
                "undigested": self.found.undigested,
                "unattested": self.found.unsigned,
                "stale_index": self.found.stale_index,
                "missing_index": self.missing_index,
                "content_id_ok": self.found.content_id_ok,
                "needs_index": !self.found.stale_index.is_empty(),
                "needs_digests": !self.found.is_ok(),
            },
            "rebuilt_index": [],
            "rewrote_digests": false,
            "content_id": null,
            "changed": false,
            "notes": [],
        })
    }
}

/// Annotations of voxels without an entry, in a sample that has a sampling index at all.
fn missing_index(sample: &Sample) -> Result<Vec<String>, ReadError> {
    let Some(hdf5::Object::Group(index)) = sample.root().get("index")? else {
        return Ok(Vec::new());
    };
    let links = index.links()?;
    let mut missing = Vec::new();
    for annotation in sample.annotations()? {
        let has_entry = links.iter().any(|link| link.name() == annotation.name());
        let is_voxel = annotation
            .kind()?
            .is_some_and(|kind| kind.family() == Family::Voxel && kind != Kind::Mask);
        if is_voxel && !has_entry && !links.is_empty() {
            missing.push(annotation.name().to_owned());
        }
    }
    Ok(missing)
}

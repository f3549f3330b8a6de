//! `fix`: what has to be repaired, and its repair where it can be made from what is there.

mod repair;

use clap::Args;
use medh5::index::missing_entries;
use medh5::integrity::{ObjectStatus, Verification, verify};
use medh5::validate::Observer;
use medh5::{ReadError, Sample};
use serde_json::{Value, json};

use crate::each::Finding;
use crate::exit::{Failure, Outcome};
use crate::samples::SampleArgs;
use crate::terminal::{Paint, Terminal};

/// Tells what is stale or does not match in a sample, and repairs what it is told to
///
/// Looks at digests, `content_id` and the sampling index. Without a flag nothing is changed. Exit code 1 when something needs
/// attention still.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  medh5-lite fix case.medh5
  medh5-lite fix cohort/ --rebuild-index
  medh5-lite fix case.medh5 --rewrite-digests --reason 'slice 12 redrawn' --by RAD-07")]
pub(super) struct Fix {
    #[command(flatten)]
    samples: SampleArgs,
    #[command(flatten)]
    repair: repair::Repair,
}

/// What needs attention.
struct Diagnosis {
    found: Verification,
    missing_index: Vec<String>,
}

impl Fix {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        if self.repair.is_wanted() {
            return self.repair.run(&self.samples, terminal);
        }
        self.samples.look(terminal, Diagnosis::of)
    }
}

impl Diagnosis {
    fn of(sample: &Sample, observer: &dyn Observer) -> Result<Self, ReadError> {
        let found = verify(sample, None, observer)?;
        Ok(Self { found, missing_index: missing_entries(sample)? })
    }

    fn paths(&self, status: ObjectStatus) -> Vec<&str> {
        self.found.with_status(status).collect()
    }
}

impl Finding for Diagnosis {
    fn is_good(&self) -> bool {
        self.found.is_ok() && self.found.stale_index.is_empty()
    }

    fn lines(&self, name: &str, _: Paint) -> Vec<String> {
        if self.is_good() {
            return vec![format!("{name}: nothing to fix")];
        }
        let mut lines = vec![format!("{name}: needs attention, nothing changed")];
        let mut list = |what: &str, paths: Vec<&str>, remedy: &str| {
            if !paths.is_empty() {
                lines.push(format!("  {what}: {} ({remedy})", paths.join(", ")));
            }
        };
        let intact = "get an intact copy; if the change was meant, stamp the digest anew";
        let known_good = "stamp it anew from known good data";
        let unsigned = self.found.unsigned.iter().map(String::as_str).collect();
        let stale = self.found.stale_index.iter().map(String::as_str).collect();
        list("digest mismatch", self.paths(ObjectStatus::Mismatch), intact);
        list("malformed digest", self.paths(ObjectStatus::Malformed), known_good);
        list("unsigned", unsigned, "no line of content_id covers it at this path");
        list("stale index", stale, "derived data: rebuild it");
        if self.found.content_id_ok == Some(false) {
            lines.push("  content_id does not match the file's own contents".into());
        }
        lines
    }

    fn as_json(&self, name: &str) -> Value {
        json!({
            "path": name,
            "ok": self.is_good(),
            "diagnosis": self.fields(name),
            "rebuilt_index": [],
            "rewrote_digests": false,
            "content_id": null,
            "changed": false,
            "notes": [],
        })
    }
}

impl Diagnosis {
    fn fields(&self, name: &str) -> Value {
        json!({
                "path": name,
                "mismatched": self.paths(ObjectStatus::Mismatch),
                "malformed": self.paths(ObjectStatus::Malformed),
                "undigested": self.found.undigested,
                "unattested": self.found.unsigned,
                "stale_index": self.found.stale_index,
                "missing_index": self.missing_index,
                "content_id_ok": self.found.content_id_ok,
                "needs_index": !self.found.stale_index.is_empty(),
                "needs_digests": !self.found.is_ok(),
        })
    }
}

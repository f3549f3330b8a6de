//! `fix`: what would have to be repaired. It only looks: nothing is changed yet.

use clap::Args;
use medh5::index::missing_entries;
use medh5::integrity::{ObjectStatus, Verification, verify};
use serde_json::{Value, json};

use crate::each::Finding;
use crate::exit::{Failure, Outcome};
use crate::samples::SampleArgs;
use crate::terminal::{Paint, Terminal};

/// Tells what is stale or does not match in a sample, and changes nothing
///
/// Looks at digests, `content_id` and the sampling index. Exit code 1 when something needs attention.
#[derive(Debug, Args)]
pub(super) struct Fix {
    #[command(flatten)]
    samples: SampleArgs,
}

/// What needs attention.
struct Diagnosis {
    found: Verification,
    missing_index: Vec<String>,
}

impl Fix {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        self.samples.look(terminal, |sample, observer| {
            let found = verify(sample, None, observer)?;
            Ok(Diagnosis { found, missing_index: missing_entries(sample)? })
        })
    }
}

impl Diagnosis {
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
            "diagnosis": {
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
            },
            "rebuilt_index": [],
            "rewrote_digests": false,
            "content_id": null,
            "changed": false,
            "notes": [],
        })
    }
}

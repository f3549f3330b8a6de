//! Repairs in place: sampling indices from their annotations, digests on somebody's word.

use std::path::Path;

use clap::Args;
use medh5::index::IndexOptions;
use medh5::validate::Observer;
use medh5::write::{Author, Edit, WriteError};
use serde_json::{Value, json};

use super::Diagnosis;
use crate::each::Finding;
use crate::exit::{Failure, Outcome};
use crate::rewriting::rewrite_each;
use crate::samples::SampleArgs;
use crate::terminal::{Paint, Terminal};

/// What is said with every digest that was stated anew.
const CAVEAT: &str = "digests were recomputed from the current bytes; this asserts nothing about whether those bytes are correct";

/// How the repair is recorded.
const TOOL: &str = "medh5-lite fix --rewrite-digests";

/// What to repair.
#[derive(Debug, Args)]
pub(super) struct Repair {
    /// Recompute sampling indices that are stale
    #[arg(long)]
    rebuild_index: bool,
    /// State digests anew over the current bytes, right or wrong
    #[arg(long, requires = "reason")]
    rewrite_digests: bool,
    /// With --rewrite-digests: why; recorded in the file
    #[arg(long, value_name = "WHY", requires = "rewrite_digests")]
    reason: Option<String>,
    /// With --rewrite-digests: who wants it; recorded in the file
    #[arg(long, value_name = "WHO", requires = "rewrite_digests")]
    by: Option<String>,
    /// Say what would be done, and change nothing
    #[arg(long)]
    dry_run: bool,
}

/// What was found in a file, and what was done about it.
struct Repaired {
    found: Diagnosis,
    rebuilt: Vec<String>,
    rewrote_digests: bool,
    content_id: Option<String>,
    is_dry_run: bool,
}

impl Repair {
    pub(super) fn is_wanted(&self) -> bool {
        self.rebuild_index || self.rewrite_digests
    }

    pub(super) fn run(&self, samples: &SampleArgs, terminal: Terminal) -> Result<Outcome, Failure> {
        let inputs = samples.inputs.expand()?;
        let has_member = samples.key.is_some() || inputs.iter().any(|input| input.key.is_some());
        if has_member {
            let why = "a member is rewritten with its collection: unpack it first";
            return Err(Failure::Usage(why.into()));
        }
        rewrite_each(&inputs, (samples.json, samples.jobs), terminal, |input, observer| {
            self.repair(&input.path, observer)
        })
    }

    fn repair(&self, path: &Path, observer: &dyn Observer) -> Result<Repaired, WriteError> {
        let mut edit = Edit::open(path)?;
        let found = Diagnosis::of(edit.sample(), observer)?;
        let mut done = Repaired {
            rebuilt: Vec::new(),
            rewrote_digests: self.rewrite_digests && !found.found.is_ok(),
            content_id: None,
            is_dry_run: self.dry_run,
            found,
        };
        if done.rewrote_digests && !self.dry_run {
            let author = self.by.as_deref().map_or_else(Author::this_program, Author::person);
            let reason = self.reason.as_deref().unwrap_or_default();
            edit.rewrite_digests(&done.found.found, &author, TOOL, reason)?;
            done.content_id = edit.commit(observer)?.map(|id| id.to_string());
            // An index names its source by the digests that were just stated anew.
            edit = Edit::open(path)?;
        }
        if self.rebuild_index {
            let stale = medh5::index::stale_entries(edit.sample(), observer)?;
            if self.dry_run {
                done.rebuilt = stale;
            } else if !stale.is_empty() {
                done.rebuilt = rebuild(&mut edit, &stale, observer)?;
                done.content_id = edit.commit(observer)?.map(|id| id.to_string());
            }
        }
        Ok(done)
    }
}

/// Rebuilds entries with what they were built with; those whose annotation is gone are dropped.
fn rebuild(
    edit: &mut Edit,
    stale: &[String],
    observer: &dyn Observer,
) -> Result<Vec<String>, WriteError> {
    let mut rebuilt = Vec::new();
    for name in stale {
        let mut options = IndexOptions::default();
        // An entry that cannot be read is rebuilt as if it were new.
        if let Ok(Some(entry)) = edit.sample().index_entry(name) {
            let most = entry.max_coords().ok().flatten();
            options.max_coords =
                most.and_then(|most| u64::try_from(most).ok()).unwrap_or(options.max_coords);
            options.seed = entry.seed().ok().flatten().unwrap_or(options.seed);
        }
        rebuilt.extend(edit.build_index(Some(std::slice::from_ref(name)), options, observer)?);
    }
    Ok(rebuilt)
}

impl Repaired {
    fn changed(&self) -> bool {
        !self.is_dry_run && (self.rewrote_digests || !self.rebuilt.is_empty())
    }
}

impl Finding for Repaired {
    /// Whether nothing needs attention any more.
    fn is_good(&self) -> bool {
        let is_index_good = self.found.found.stale_index.is_empty() || !self.rebuilt.is_empty();
        is_index_good && (self.found.found.is_ok() || self.rewrote_digests)
    }

    fn lines(&self, name: &str, _: Paint) -> Vec<String> {
        let would = if self.is_dry_run { "would have " } else { "" };
        let mut done = Vec::new();
        if self.rewrote_digests {
            done.push(format!("{would}rewritten digests"));
        }
        if !self.rebuilt.is_empty() {
            done.push(format!("{would}rebuilt index for {}", self.rebuilt.join(", ")));
        }
        if done.is_empty() {
            let nothing = if self.found.is_good() { "nothing to fix" } else { "nothing changed" };
            done.push(nothing.to_owned());
        }
        let mut lines = vec![format!("{name}: {}", done.join("; "))];
        if self.rewrote_digests && !self.is_dry_run {
            lines.push(format!("  {CAVEAT}"));
        }
        if !self.is_good() {
            lines.push("  it still needs attention: `fix` without flags says where".to_owned());
        }
        lines
    }

    fn as_json(&self, name: &str) -> Value {
        json!({
            "path": name,
            "ok": self.is_good(),
            "diagnosis": self.found.fields(name),
            "rebuilt_index": self.rebuilt,
            "rewrote_digests": self.rewrote_digests,
            "content_id": self.content_id,
            "changed": self.changed(),
            "notes": if self.rewrote_digests { vec![CAVEAT] } else { Vec::new() },
        })
    }
}

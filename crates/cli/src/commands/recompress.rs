//! `recompress`: bulk data under another codec profile.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use indicatif::HumanBytes;
use medh5::storage::{ChunkBudget, Profile};
use medh5::write::{Recompressed, Recompression};
use serde_json::{Value, json};

use crate::each::Finding;
use crate::exit::{Failure, Outcome};
use crate::rewriting::RewriteArgs;
use crate::terminal::{Paint, Terminal};
use report::plural;

/// Re-encodes bulk data under another codec profile
///
/// In place, unless `--out` says where to. No digest changes, as digests cover decoded values, nor does `content_id`: the
/// new file is verified before it takes the place of the old one. Chunks that fit the profile are copied as they are.
/// Data below 64 KiB, text, enumerations and big-endian numbers stay as they are stored. Zstandard gives the same bytes
/// with libzstd and without (build feature `zstd-c`).
#[derive(Debug, Args)]
pub(super) struct Recompress {
    #[command(flatten)]
    files: RewriteArgs,
    /// training (LZ4, fastest to read), balanced (Zstandard), archive (Zstandard at its best, slow to write) or portable
    /// (deflate, read by every HDF5 library)
    #[arg(long, value_name = "PROFILE", value_parser = PossibleValuesParser::new(Profile::ALL.map(Profile::name)))]
    profile: String,
    /// Also choose the extent of chunks anew, by grid, patch hint and this machine's cache
    #[arg(long)]
    rechunk: bool,
    /// Write here instead, in place of what is there (of one file only)
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Recompress {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let profile = Profile::parse(&self.profile).unwrap_or_default();
        let files = self.files.files()?;
        if self.out.is_some() && files.len() > 1 {
            return Err(Failure::Usage("`--out` is for one file, not for several".into()));
        }
        let rechunk = self.rechunk.then(ChunkBudget::of_this_machine);
        let how = Recompression { profile, rechunk };
        self.files.each(&files, terminal, |input, observer| {
            let found = if self.files.dry_run {
                how.plan(&input.path)?
            } else {
                how.run(&input.path, self.out.as_deref(), observer)?
            };
            Ok(Done { found, profile })
        })
    }
}

/// A file that was re-encoded, or would be.
struct Done {
    found: Recompressed,
    profile: Profile,
}

impl Finding for Done {
    fn is_good(&self) -> bool {
        true
    }

    fn lines(&self, name: &str, _: Paint) -> Vec<String> {
        let found = &self.found;
        let count = plural(found.changed.len(), "dataset");
        let (profile, before) = (self.profile.name(), HumanBytes(found.len_before));
        let first = match found.len_after {
            None if found.changed.is_empty() => {
                format!("{name}: nothing to re-encode as {profile}")
            }
            Some(_) if found.changed.is_empty() => {
                format!("{name}: nothing to re-encode as {profile}, verified")
            }
            None => format!("{name}: {count} to re-encode as {profile}, nothing changed"),
            Some(after) => {
                format!(
                    "{name}: {count} re-encoded as {profile}, {before} to {}, verified",
                    HumanBytes(after)
                )
            }
        };
        let changed = found.changed.iter().filter(|_| found.len_after.is_none());
        let changes = changed.map(|one| format!("  {}: {} to {}", one.path, one.before, one.after));
        std::iter::once(first).chain(changes).collect()
    }

    fn as_json(&self, name: &str) -> Value {
        let found = &self.found;
        let changed = found.changed.iter().map(|one| [&one.path, &one.before, &one.after]);
        #[expect(clippy::cast_precision_loss, reason = "a ratio")]
        let ratio = found.len_after.map(|after| after as f64 / found.len_before.max(1) as f64);
        json!({
            "path": name,
            "profile": self.profile.name(),
            "datasets": found.datasets,
            "bytes_before": found.len_before,
            "bytes_after": found.len_after,
            "ratio": ratio,
            "content_id": found.content_id,
            "content_id_preserved": true,
            "verified": found.len_after.is_some(),
            "mismatched": [],
            "unattested": found.unsigned,
            "ok": true,
            "changed": changed.collect::<Vec<_>>(),
            "kept": found.kept,
            "unverified": [],
        })
    }
}

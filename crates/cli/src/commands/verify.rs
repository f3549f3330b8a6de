//! `verify`: do the data still give their digests?

use clap::Args;
use medh5::integrity::{ObjectStatus, Verification, verify};
use medh5::summary::VerificationSummary;
use serde::Serialize;
use serde_json::{Value, json};

use crate::each::Finding;
use crate::exit::{Failure, Outcome};
use crate::samples::SampleArgs;
use crate::terminal::{Paint, Terminal};

/// Checks digests and `content_id` against the stored data
///
/// OK: the data give the digest. MISMATCH: they do not. MALFORMED: the digest is not spelled as one, or there is none where
/// one was asked for. MISSING: there is no such dataset. UNCHECKED: data of this type cannot have a digest. UNSIGNED: covered by no line of `content_id`.
#[derive(Debug, Args)]
pub(super) struct Verify {
    #[command(flatten)]
    samples: SampleArgs,
    /// Only this dataset, such as `images/CT`, and not `content_id`; repeatable
    #[arg(long = "partial", value_name = "OBJ")]
    partial: Vec<String>,
    /// Also list the datasets that are in order
    #[arg(short, long)]
    verbose: bool,
}

/// What became of one sample.
struct Verified {
    found: Verification,
    is_verbose: bool,
}

impl Verify {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let partial = (!self.partial.is_empty()).then_some(self.partial.as_slice());
        self.samples.look(terminal, |sample, observer| {
            let found = verify(sample, partial, observer)?;
            Ok(Verified { found, is_verbose: self.verbose })
        })
    }
}

impl Finding for Verified {
    fn is_good(&self) -> bool {
        self.found.is_ok()
    }

    fn lines(&self, name: &str, paint: Paint) -> Vec<String> {
        let word = if self.is_good() { paint.good("OK") } else { paint.error("FAILED") };
        let content_id = match self.found.content_id_ok {
            Some(true) => "content_id ok",
            Some(false) => "content_id MISMATCH",
            None => "content_id not verified",
        };
        let mut lines =
            vec![format!("{name}: {word}  {} objects, {content_id}", self.found.checked())];
        let mut list = |word: &str, path: &str| lines.push(format!("  {word:<9}  {path}"));
        for (path, status) in &self.found.objects {
            if self.is_verbose || *status != ObjectStatus::Ok {
                list(status.word(), path);
            }
        }
        self.found.unsigned.iter().for_each(|path| list("UNSIGNED", path));
        self.found.stale_index.iter().for_each(|entry| list("STALE", &format!("index/{entry}")));
        lines
    }

    fn as_json(&self, name: &str) -> Value {
        json!(Named { path: name, summary: VerificationSummary::from(&self.found) })
    }
}

#[derive(Serialize)]
struct Named<'a> {
    path: &'a str,
    #[serde(flatten)]
    summary: VerificationSummary,
}

//! `verify`: do the data still give their digests?

use std::io::Write;

use clap::Args;
use medh5::integrity::{ObjectStatus, Verification, verify};
use medh5::summary::VerificationSummary;
use medh5::validate::Observer;
use medh5::{Opened, ReadError, Sample};
use serde::Serialize;
use serde_json::{Value, json};

use crate::batch;
use crate::exit::{Failure, Outcome};
use crate::inputs::{Input, InputArgs};
use crate::interrupt;
use crate::progress::Progress;
use crate::target::{open, sentence};
use crate::terminal::{Paint, Terminal, stdout};

/// Checks digests and `content_id` against the stored data
///
/// OK: the data give the digest. MISMATCH: they do not. MALFORMED: the digest is not spelled as one, or there is none where
/// one was asked for. UNCHECKED: data of this type cannot have a digest. UNSIGNED: covered by no line of `content_id`.
#[derive(Debug, Args)]
pub(super) struct Verify {
    #[command(flatten)]
    inputs: InputArgs,
    /// The member to verify, if the file is a collection
    #[arg(long)]
    key: Option<String>,
    /// Only this dataset, such as `images/CT`, and not `content_id`; repeatable
    #[arg(long = "partial", value_name = "OBJ")]
    partial: Vec<String>,
    /// Also list the datasets that are in order
    #[arg(short, long)]
    verbose: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
    /// Threads over all files together; as many as there are processors, if left out
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

/// What became of one sample.
struct Verified {
    name: String,
    result: Result<Verification, String>,
}

impl Verify {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let mut inputs = self.inputs.expand()?;
        if let Some(key) = &self.key {
            for input in &mut inputs {
                input.key = Some(key.clone());
            }
        }
        batch::set_jobs(self.jobs.map(usize::from))?;
        interrupt::listen();
        let progress = Progress::new(inputs.len(), terminal);
        let mut out = stdout();
        let mut list = Vec::new();
        let (mut is_good, mut done) = (true, 0);
        let emit = |samples: Vec<Verified>| {
            done += 1;
            for sample in samples {
                is_good &= sample.is_ok();
                if self.json {
                    list.push(sample.as_json());
                } else {
                    sample.write(self.verbose, terminal.paint, &mut out)?;
                }
            }
            Ok(())
        };
        batch::run(&inputs, &progress, |input| self.verify_file(input, &progress), emit)?;
        progress.clear();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &list).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
        out.flush()?;
        if done < inputs.len() {
            terminal.note(&format!("interrupted: {done} of {} files verified", inputs.len()));
            return Ok(Outcome::Interrupted);
        }
        Ok(if is_good { Outcome::Good } else { Outcome::Bad })
    }

    /// Verifies the sample, or every sample of the collection; nothing when asked to stop.
    fn verify_file(&self, input: &Input, observer: &dyn Observer) -> Option<Vec<Verified>> {
        let failed =
            |why: String| Some(vec![Verified { name: input.to_string(), result: Err(why) }]);
        let collection = match open(input) {
            Ok(Opened::Sample(sample)) => {
                return Some(vec![self.verify_sample(input.to_string(), &sample, observer)?]);
            }
            Ok(Opened::Collection(collection)) => collection,
            Err(failure) => return failed(reason(&failure, input)),
        };
        let keys = match collection.keys() {
            Ok(keys) => keys,
            Err(error) => return failed(sentence(&error)),
        };
        let mut all = Vec::new();
        for key in keys {
            let name = format!("{input}::{key}");
            match collection.sample(&key) {
                Ok(Some(sample)) => all.push(self.verify_sample(name, &sample, observer)?),
                Ok(None) => {
                    all.push(Verified { name, result: Err("this member is no sample".into()) });
                }
                Err(error) => all.push(Verified { name, result: Err(sentence(&error)) }),
            }
        }
        Some(all)
    }

    fn verify_sample(
        &self,
        name: String,
        sample: &Sample,
        observer: &dyn Observer,
    ) -> Option<Verified> {
        let partial = (!self.partial.is_empty()).then_some(self.partial.as_slice());
        match verify(sample, partial, observer) {
            Err(ReadError::Stopped) => None,
            result => Some(Verified { name, result: result.map_err(|error| sentence(&error)) }),
        }
    }
}

/// The message without the path, which the line begins with anyway.
fn reason(failure: &Failure, input: &Input) -> String {
    let message = failure.message().unwrap_or_default();
    message.strip_prefix(&format!("{input}: ")).unwrap_or(message).to_owned()
}

impl Verified {
    fn is_ok(&self) -> bool {
        self.result.as_ref().is_ok_and(Verification::is_ok)
    }

    fn write(&self, verbose: bool, paint: Paint, out: &mut dyn Write) -> Result<(), Failure> {
        let found = match &self.result {
            Ok(found) => found,
            Err(why) => {
                writeln!(out, "{}: {}  {why}", self.name, paint.error("FAILED"))?;
                return Ok(());
            }
        };
        let word = if found.is_ok() { paint.good("OK") } else { paint.error("FAILED") };
        let content_id = match found.content_id_ok {
            Some(true) => "content_id ok",
            Some(false) => "content_id MISMATCH",
            None => "content_id not verified",
        };
        writeln!(out, "{}: {word}  {} objects, {content_id}", self.name, found.checked())?;
        for (path, status) in &found.objects {
            if verbose || *status != ObjectStatus::Ok {
                writeln!(out, "  {:<9}  {path}", status.word())?;
            }
        }
        for path in &found.unsigned {
            writeln!(out, "  {:<9}  {path}", "UNSIGNED")?;
        }
        for name in &found.stale_index {
            writeln!(out, "  {}", paint.faint(&format!("STALE      index/{name}")))?;
        }
        Ok(())
    }

    fn as_json(&self) -> Value {
        match &self.result {
            Ok(found) => {
                let summary = VerificationSummary::from(found);
                json!(Named { path: &self.name, summary })
            }
            Err(why) => json!({ "path": self.name, "ok": false, "error": why }),
        }
    }
}

#[derive(Serialize)]
struct Named<'a> {
    path: &'a str,
    #[serde(flatten)]
    summary: VerificationSummary,
}

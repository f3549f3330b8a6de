//! Sample by sample through many inputs: what `verify` and `fix` have in common.

use std::io::{self, Write};

use clap::Args;
use medh5::validate::Observer;
use medh5::{Opened, ReadError, Sample};
use serde_json::{Value, json};

use crate::batch;
use crate::exit::{Failure, Outcome};
use crate::inputs::{Input, InputArgs};
use crate::interrupt;
use crate::progress::Progress;
use crate::target::open;
use crate::terminal::{Paint, Terminal, stdout};

/// Which samples to look at, and how to report.
#[derive(Debug, Args)]
pub(crate) struct SampleArgs {
    #[command(flatten)]
    inputs: InputArgs,
    /// Only the member of this key, if the file is a collection
    #[arg(long)]
    key: Option<String>,
    /// As JSON
    #[arg(long)]
    json: bool,
    /// Threads over all files together; as many as there are processors, if left out
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(batch::JOBS))]
    jobs: Option<u16>,
}

/// What a command finds in one sample.
pub(crate) trait Finding: Send {
    /// Whether the sample is in order.
    fn is_good(&self) -> bool;

    /// The lines about it; `name` is the sample.
    fn lines(&self, name: &str, paint: Paint) -> Vec<String>;

    /// The same as JSON.
    fn as_json(&self, name: &str) -> Value;
}

/// A sample with what was found in it, or why it could not be looked at.
struct Looked<T> {
    name: String,
    result: Result<T, String>,
}

impl SampleArgs {
    /// Looks at every sample, members of collections one by one, and reports in the order of the inputs.
    ///
    /// # Errors
    /// As [`InputArgs::expand`]; when the report cannot be written.
    pub(crate) fn look<T: Finding>(
        &self,
        terminal: Terminal,
        look: impl Fn(&Sample, &dyn Observer) -> Result<T, ReadError> + Sync,
    ) -> Result<Outcome, Failure> {
        let mut inputs = self.inputs.expand()?;
        if let Some(key) = &self.key {
            inputs
                .iter_mut()
                .map(|input| &mut input.key)
                .for_each(|slot| *slot = Some(key.clone()));
        }
        batch::set_jobs(self.jobs.map(usize::from))?;
        interrupt::listen();
        let progress = Progress::new(inputs.len(), terminal);
        let mut out = stdout();
        let mut list = Vec::new();
        let (mut is_good, mut done) = (true, 0);
        let emit = |samples: Vec<Looked<T>>| {
            done += 1;
            for sample in samples {
                is_good &= sample.result.as_ref().is_ok_and(T::is_good);
                if self.json {
                    list.push(sample.as_json());
                } else {
                    sample.write(terminal.paint, &mut out)?;
                }
            }
            Ok(())
        };
        let ran = batch::run(&inputs, &progress, |input| look_into(input, &progress, &look), emit);
        progress.clear();
        let list = self.json.then_some(list);
        // That nobody reads on does not change what was found.
        match ran.and_then(|()| Ok(finish(list.as_deref(), &mut out)?)) {
            Ok(()) | Err(Failure::ClosedPipe) => {}
            Err(failure) => return Err(failure),
        }
        if done < inputs.len() {
            terminal.note(&format!("interrupted: {done} of {} files looked at", inputs.len()));
            return Ok(Outcome::Interrupted);
        }
        Ok(if is_good { Outcome::Good } else { Outcome::Bad })
    }
}

/// Writes the list, if the report is one, and leaves nothing in the buffer.
fn finish(list: Option<&[Value]>, out: &mut dyn Write) -> io::Result<()> {
    if let Some(list) = list {
        serde_json::to_writer_pretty(&mut *out, list)?;
        writeln!(out)?;
    }
    out.flush()
}

/// Looks at the sample of an input, or at every sample of its collection; nothing when asked to stop.
fn look_into<T>(
    input: &Input,
    observer: &dyn Observer,
    look: impl Fn(&Sample, &dyn Observer) -> Result<T, ReadError>,
) -> Option<Vec<Looked<T>>> {
    let one = |name: String, sample: &Sample| match look(sample, observer) {
        Err(ReadError::Stopped) => None,
        result => Some(Looked { name, result: result.map_err(|error| error.sentence()) }),
    };
    let failed = |why| Some(vec![Looked { name: input.to_string(), result: Err(why) }]);
    let collection = match open(input) {
        Ok(Opened::Sample(sample)) => return Some(vec![one(input.to_string(), &sample)?]),
        Ok(Opened::Collection(collection)) => collection,
        Err(failure) => return failed(without_path(&failure, input)),
    };
    let keys = match collection.keys() {
        Ok(keys) => keys,
        Err(error) => return failed(error.sentence()),
    };
    let mut all = Vec::new();
    for key in keys {
        let name = format!("{input}::{key}");
        all.push(match collection.sample(&key) {
            Ok(Some(sample)) => one(name, &sample)?,
            Ok(None) => Looked { name, result: Err("this member is no sample".into()) },
            Err(error) => Looked { name, result: Err(error.sentence()) },
        });
    }
    Some(all)
}

/// The message without the path, which the line begins with anyway.
fn without_path(failure: &Failure, input: &Input) -> String {
    let message = failure.message().unwrap_or_default();
    message.strip_prefix(&format!("{input}: ")).unwrap_or(message).to_owned()
}

impl<T: Finding> Looked<T> {
    fn write(&self, paint: Paint, out: &mut dyn Write) -> Result<(), Failure> {
        match &self.result {
            Ok(found) => {
                for line in found.lines(&self.name, paint) {
                    writeln!(out, "{line}")?;
                }
            }
            Err(why) => writeln!(out, "{}: {}  {why}", self.name, paint.error("FAILED"))?,
        }
        Ok(())
    }

    fn as_json(&self) -> Value {
        match &self.result {
            Ok(found) => found.as_json(&self.name),
            Err(why) => json!({ "path": self.name, "ok": false, "error": why }),
        }
    }
}

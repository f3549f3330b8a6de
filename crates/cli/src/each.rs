//! Many inputs, one after the other or side by side: what was found in each, reported in the order of the inputs.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::batch;
use crate::exit::{Failure, Outcome};
use crate::inputs::Input;
use crate::interrupt;
use crate::progress::Progress;
use crate::terminal::{Paint, Terminal, stdout};

/// What a command finds in one sample, or does to one file.
pub(crate) trait Finding: Send {
    /// Whether the sample is in order.
    fn is_good(&self) -> bool;

    /// The lines about it; `name` is the sample.
    fn lines(&self, name: &str, paint: Paint) -> Vec<String>;

    /// The same as JSON.
    fn as_json(&self, name: &str) -> Value;

    /// The report as a whole, of what each sample gave; a failure gives `path`, `ok` and `error`.
    fn report(list: Vec<Value>) -> Value {
        Value::Array(list)
    }
}

/// A sample with what was found in it, or why nothing was.
pub(crate) struct Looked<T> {
    /// The sample, as it was named.
    pub(crate) name: String,
    /// What was found; a reason without the name.
    pub(crate) result: Result<T, String>,
}

/// Looks into every input, and reports as lines or as one list.
///
/// `look` gives nothing when it was asked to stop. What fails in one input stops no other.
///
/// # Errors
/// When threads cannot be started or the report cannot be written.
pub(crate) fn look_into_each<T: Finding>(
    inputs: &[Input],
    (as_json, jobs): (bool, Option<u16>),
    terminal: Terminal,
    look: impl Fn(&Input, &Progress) -> Option<Vec<Looked<T>>> + Sync,
) -> Result<Outcome, Failure> {
    batch::set_jobs(jobs.map(usize::from))?;
    interrupt::listen();
    let progress = Progress::new(inputs.len(), terminal);
    let mut out = stdout();
    let mut list = Vec::new();
    let (mut is_good, mut done) = (true, 0);
    let emit = |files: Vec<Vec<Looked<T>>>| {
        done += files.len();
        for sample in files.into_iter().flatten() {
            is_good &= sample.result.as_ref().is_ok_and(T::is_good);
            if as_json {
                list.push(sample.as_json());
            } else {
                sample.write(terminal.paint, &mut out)?;
            }
        }
        Ok(())
    };
    let ran = batch::run(inputs, &progress, |input| look(input, &progress), emit);
    progress.clear();
    let report = as_json.then(|| T::report(list));
    // That nobody reads on does not change what was found.
    match ran.and_then(|()| Ok(finish(report.as_ref(), &mut out)?)) {
        Ok(()) | Err(Failure::ClosedPipe) => {}
        Err(failure) => return Err(failure),
    }
    if done < inputs.len() {
        terminal.note(&format!("interrupted: {done} of {} files looked at", inputs.len()));
        return Ok(Outcome::Interrupted);
    }
    Ok(if is_good { Outcome::Good } else { Outcome::Bad })
}

/// Writes the report, if it is JSON, and leaves nothing in the buffer.
fn finish(report: Option<&Value>, out: &mut dyn Write) -> io::Result<()> {
    if let Some(report) = report {
        serde_json::to_writer_pretty(&mut *out, report)?;
        writeln!(out)?;
    }
    out.flush()
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

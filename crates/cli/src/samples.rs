//! Sample by sample through many inputs: what `verify` and `fix` have in common.

use clap::Args;
use medh5::validate::Observer;
use medh5::{Opened, ReadError, Sample};

use crate::batch::{self, isolate};
use crate::each::{Finding, Looked, look_into_each};
use crate::exit::{Failure, Outcome};
use crate::inputs::{Input, InputArgs};
use crate::limits::Deadline;
use crate::target::open;
use crate::terminal::Terminal;

/// Which samples to look at, and how to report.
#[derive(Debug, Args)]
pub(crate) struct SampleArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// Only the member of this key, if the file is a collection
    #[arg(long)]
    pub(crate) key: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Threads over all files together; as many as there are processors, if left out
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(batch::JOBS))]
    pub(crate) jobs: Option<u16>,
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
        let report = (self.json, self.jobs);
        look_into_each(&inputs, report, terminal, |input, progress| {
            look_into(input, progress, &look)
        })
    }
}

/// Looks at the sample of an input, or at every sample of its collection; nothing when asked to stop.
fn look_into<T>(
    input: &Input,
    observer: &dyn Observer,
    look: impl Fn(&Sample, &dyn Observer) -> Result<T, ReadError>,
) -> Option<Vec<Looked<T>>> {
    let deadline = Deadline::new(observer);
    let one = |name: String, sample: &Sample| {
        let result = match isolate(|| look(sample, &deadline)) {
            Ok(Err(ReadError::Stopped)) => Err(deadline.excess()?),
            Ok(result) => result.map_err(|error| error.sentence()),
            Err(bug) => Err(bug),
        };
        Some(Looked { name, result })
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

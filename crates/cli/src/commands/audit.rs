//! `audit`: what is wrong between files?

mod text;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use medh5::ReadError;
use medh5::cohort::{Audit as Found, CohortEntry, FileSurvey, audit};
use medh5::validate::Observer;

use crate::batch;
use crate::exit::{Failure, Outcome};
use crate::inputs::{Input, InputArgs};
use crate::interrupt;
use crate::progress::Progress;
use crate::report_file::{self, cannot_write, keep_inputs};
use crate::source;
use crate::terminal::{Terminal, stdout};

/// Compares the files of a cohort with one another, by metadata and sampling indexes
///
/// Duplicates, subjects and contents on both sides of a split, label sets that differ, classes by site and split, unusual
/// geometry, missing records. No voxel is read; `validate` and `verify` judge each file by itself.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Audit {
    #[command(flatten)]
    inputs: InputArgs,
    /// As JSON, with the samples behind every number
    #[arg(long)]
    json: bool,
    /// Also write a report to a file, such as `html=audit.html`; repeatable
    #[arg(long = "report", value_name = "FORM=FILE", value_parser = report_file::target::<Form>())]
    reports: Vec<(Form, PathBuf)>,
    /// Also list what was asked and found in order, or does not arise
    #[arg(short, long)]
    verbose: bool,
    /// Threads over all files together; as many as there are processors, if left out
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

const EXAMPLES: &str = "Examples:
  medh5-lite audit data/
  medh5-lite audit data/ --report html=audit.html --report csv=findings.csv --report samples=files.csv

Exit codes: 0 no error found, 1 an error found or a file unreadable, 2 usage error or no input matched, 130 interrupted.
Codes C101 to C501 are those of `medh5 dataset check`, which asks the same.";

/// A form of report in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// What --json prints
    Json,
    /// One row per check and file
    Csv,
    /// One row per file
    Samples,
    /// A page that needs no network
    Html,
}

impl Form {
    fn of(self, found: &Found) -> String {
        match self {
            Self::Json => report::cohort::json(found),
            Self::Csv => report::cohort::findings_csv(found),
            Self::Samples => report::cohort::samples_csv(found),
            Self::Html => report::cohort::html(found),
        }
    }
}

impl Audit {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let inputs = self.inputs.expand()?;
        self.reports.iter().try_for_each(|(_, path)| keep_inputs(path, &inputs))?;
        batch::set_jobs(self.jobs.map(usize::from))?;
        interrupt::listen();
        let progress = Progress::new(inputs.len(), terminal);
        let (mut entries, mut done) = (Vec::new(), 0);
        batch::run(
            &inputs,
            &progress,
            |input| (!progress.should_stop()).then(|| survey(input)),
            |found| {
                done += found.len();
                entries.extend(found.into_iter().flatten());
                Ok(())
            },
        )?;
        progress.clear();
        let found = audit(&entries);
        for (form, path) in &self.reports {
            std::fs::write(path, form.of(&found)).map_err(|error| cannot_write(path, &error))?;
        }
        let mut out = stdout();
        if self.json {
            out.write_all(report::cohort::json(&found).as_bytes())?;
        } else {
            text::write(&found, self.verbose, terminal.paint, &mut out)?;
        }
        out.flush()?;
        if done < inputs.len() {
            terminal.note(&format!(
                "interrupted: {done} of {} files looked at; the others are in no answer",
                inputs.len()
            ));
            return Ok(Outcome::Interrupted);
        }
        Ok(if found.is_ok() { Outcome::Good } else { Outcome::Bad })
    }
}

/// The entries of one input; one that says why, if it cannot be opened.
fn survey(input: &Input) -> Vec<CohortEntry> {
    let name = input.to_string();
    let source = match source::open(&input.path) {
        Ok(source) => source,
        Err(why) => return vec![CohortEntry::unreadable(&name, &why)],
    };
    let opened = medh5::open(source);
    let mut survey = match &input.key {
        Some(key) => FileSurvey::of_member(input.path.display().to_string(), key),
        None => FileSurvey::new(&name),
    };
    // A file on the disk has all bytes at hand, and nothing asks to stop: no interruption comes.
    let found = survey.run(opened.as_ref()).map(<[CohortEntry]>::to_vec);
    found
        .unwrap_or_else(|error: ReadError| vec![CohortEntry::unreadable(&name, &error.to_string())])
}

//! The report on standard output and the reports in files, all written from one run.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use crate::exit::Failure;
use crate::inputs::Input;
use crate::output::{Form, Report, Style};
use crate::report_file::{cannot_write, keep_inputs};
use crate::terminal::stdout;
use report::{Summary, Verdict};

/// All reports of a run.
pub(super) struct Reports {
    /// The one on standard output, until whoever reads it has left.
    main: Option<(Box<dyn Report>, Box<dyn Write>)>,
    files: Vec<(PathBuf, Box<dyn Report>, BufWriter<File>)>,
}

impl Reports {
    /// Opens the files before anything is judged, so that a mistyped path costs no time.
    ///
    /// # Errors
    /// [`Failure::Usage`] when a report would overwrite an input, [`Failure::Failed`] when a file cannot be written.
    pub(super) fn open(
        form: Form,
        targets: &[(Form, PathBuf)],
        style: Style,
        inputs: &[Input],
    ) -> Result<Self, Failure> {
        let mut files = Vec::new();
        for (form, path) in targets {
            keep_inputs(path, inputs)?;
            let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
            files.push((path.clone(), form.report(style.plain()), BufWriter::new(file)));
        }
        Ok(Self { main: Some((form.report(style), Box::new(stdout()))), files })
    }

    /// More verdicts. They are not held back for those that follow.
    ///
    /// # Errors
    /// When a report cannot be written; [`Failure::ClosedPipe`] when none is left that anybody would read.
    pub(super) fn add(&mut self, verdicts: &[Verdict]) -> Result<(), Failure> {
        for (path, report, out) in &mut self.files {
            add(verdicts, report.as_mut(), out).map_err(|error| cannot_write(path, &error))?;
        }
        self.on_stdout(|report, out| add(verdicts, report, out))
    }

    /// After the last verdict.
    ///
    /// # Errors
    /// When a report cannot be written.
    pub(super) fn finish(&mut self, summary: &Summary) -> Result<(), Failure> {
        for (path, report, out) in &mut self.files {
            report.finish(summary, out).map_err(|error| cannot_write(path, &error))?;
        }
        self.on_stdout(|report, out| report.finish(summary, out))
    }

    fn on_stdout(
        &mut self,
        write: impl FnOnce(&mut dyn Report, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let Some((report, out)) = &mut self.main else { return Ok(()) };
        match write(report.as_mut(), out).map_err(Failure::from) {
            Err(Failure::ClosedPipe) => {
                self.main = None;
                if self.files.is_empty() { Err(Failure::ClosedPipe) } else { Ok(()) }
            }
            written => written,
        }
    }
}

fn add(verdicts: &[Verdict], report: &mut dyn Report, out: &mut dyn Write) -> io::Result<()> {
    verdicts.iter().try_for_each(|verdict| report.file(verdict, out))?;
    out.flush()
}

//! The report on standard output and the reports in files, all written from one run.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::exit::Failure;
use crate::inputs::Input;
use crate::output::{Form, Report, Style};
use crate::terminal::stdout;
use crate::verdict::{Summary, Verdict};

/// All reports of a run.
pub(super) struct Reports {
    main: (Box<dyn Report>, Box<dyn Write>),
    files: Vec<(PathBuf, Box<dyn Report>, BufWriter<File>)>,
}

/// `FORM=FILE` on the command line.
pub(super) fn target(argument: &str) -> Result<(Form, PathBuf), String> {
    let (form, file) = argument.split_once('=').ok_or("this is not FORM=FILE")?;
    if file.is_empty() {
        return Err("no file is named after `=`".into());
    }
    Ok((Form::from_str(form, false)?, file.into()))
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
            if inputs.iter().any(|input| is_same_file(&input.path, path)) {
                return Err(Failure::Usage(format!(
                    "{}: this report would overwrite an input",
                    path.display()
                )));
            }
            let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
            files.push((path.clone(), form.report(style.plain()), BufWriter::new(file)));
        }
        Ok(Self { main: (form.report(style), Box::new(stdout())), files })
    }

    /// One more verdict.
    ///
    /// # Errors
    /// When a report cannot be written.
    pub(super) fn file(&mut self, verdict: &Verdict) -> Result<(), Failure> {
        let (report, out) = &mut self.main;
        report.file(verdict, out)?;
        for (path, report, out) in &mut self.files {
            report.file(verdict, out).map_err(|error| cannot_write(path, &error))?;
        }
        Ok(())
    }

    /// After the last verdict.
    ///
    /// # Errors
    /// When a report cannot be written.
    pub(super) fn finish(&mut self, summary: &Summary) -> Result<(), Failure> {
        for (path, report, out) in &mut self.files {
            report.finish(summary, out).map_err(|error| cannot_write(path, &error))?;
        }
        let (report, out) = &mut self.main;
        Ok(report.finish(summary, out)?)
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::about(path.display(), format!("cannot write the report: {error}"))
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

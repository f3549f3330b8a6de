//! The report on standard output and the reports in files, all written from one run.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::exit::Failure;
use crate::inputs::Input;
use crate::os_text;
use crate::output::{Form, Report, Style};
use crate::terminal::stdout;
use crate::verdict::{Summary, Verdict};

/// All reports of a run.
pub(super) struct Reports {
    /// The one on standard output, until whoever reads it has left.
    main: Option<(Box<dyn Report>, Box<dyn Write>)>,
    files: Vec<(PathBuf, Box<dyn Report>, BufWriter<File>)>,
}

/// `FORM=FILE` on the command line. The file's name need not be text.
pub(super) fn target() -> impl TypedValueParser<Value = (Form, PathBuf)> {
    OsStringValueParser::new().try_map(|argument| parse_target(&argument))
}

fn parse_target(argument: &OsStr) -> Result<(Form, PathBuf), String> {
    let (form, file) = os_text::split_once(argument, "=").ok_or("this is not FORM=FILE")?;
    if file.is_empty() {
        return Err("no file is named after `=`".into());
    }
    if file == OsStr::new("-") {
        return Err("a report on standard output is what --format is for".into());
    }
    let form = form.to_string_lossy();
    let known = || Form::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let unknown = || {
        let names: Vec<_> = known().map(|value| value.get_name().to_owned()).collect();
        format!("`{form}` is no form of report (known: {})", names.join(", "))
    };
    Ok((Form::from_str(&form, false).map_err(|_| unknown())?, file.into()))
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
        Ok(Self { main: Some((form.report(style), Box::new(stdout()))), files })
    }

    /// One more verdict.
    ///
    /// # Errors
    /// When a report cannot be written; [`Failure::ClosedPipe`] when none is left that anybody would read.
    pub(super) fn file(&mut self, verdict: &Verdict) -> Result<(), Failure> {
        for (path, report, out) in &mut self.files {
            report.file(verdict, out).map_err(|error| cannot_write(path, &error))?;
        }
        self.on_stdout(|report, out| report.file(verdict, out))
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

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::about(path.display(), format!("cannot write the report: {error}"))
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

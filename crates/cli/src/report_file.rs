//! Reports in files: `--report FORM=FILE`.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::exit::Failure;
use crate::inputs::{Input, is_same_file};
use crate::os_text;

/// `FORM=FILE` on the command line. The file's name need not be text.
pub(crate) fn target<Form: ValueEnum + Send + Sync + 'static>()
-> impl TypedValueParser<Value = (Form, PathBuf)> {
    OsStringValueParser::new().try_map(|argument| parse_target(&argument))
}

fn parse_target<Form: ValueEnum>(argument: &OsStr) -> Result<(Form, PathBuf), String> {
    let (form, file) = os_text::split_once(argument, "=").ok_or("this is not FORM=FILE")?;
    if file.is_empty() {
        return Err("no file is named after `=`".into());
    }
    if file == OsStr::new("-") {
        return Err("a report on standard output is what --format and --json are for".into());
    }
    let form = form.to_string_lossy();
    let known = || Form::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let unknown = || {
        let names: Vec<_> = known().map(|value| value.get_name().to_owned()).collect();
        format!("`{form}` is no form of report (known: {})", names.join(", "))
    };
    Ok((Form::from_str(&form, false).map_err(|_| unknown())?, file.into()))
}

/// Refuses a report that would overwrite an input.
///
/// # Errors
/// [`Failure::Usage`] when it would.
pub(crate) fn keep_inputs(path: &Path, inputs: &[Input]) -> Result<(), Failure> {
    if inputs.iter().any(|input| is_same_file(&input.path, path)) {
        let path = path.display();
        return Err(Failure::Usage(format!("{path}: this report would overwrite an input")));
    }
    Ok(())
}

/// What to say when a report cannot be written.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::about(path.display(), format!("cannot write the report: {error}"))
}

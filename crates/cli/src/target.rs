//! The one file that a command looks into, and what can go wrong on the way there.

use std::ffi::OsString;
use std::sync::Arc;

use clap::Args;
use hdf5::OpenOptions;
use medh5::{Opened, Sample};

use crate::exit::Failure;
use crate::inputs::Input;
use crate::limits;
use crate::source;

/// A file, or a member of a collection.
#[derive(Debug, Args)]
pub(crate) struct Target {
    /// The file; `shard.medh5c::KEY` for a member of a collection
    path: OsString,
    /// The member's key, if the file is a collection
    #[arg(long)]
    key: Option<String>,
}

impl Target {
    /// What is named.
    pub(crate) fn input(&self) -> Input {
        let mut input = Input::parse(&self.path);
        if let Some(key) = &self.key {
            input.key = Some(key.clone());
        }
        input
    }

    /// Opens the file: the sample, the member if one is named, or the collection.
    ///
    /// # Errors
    /// As [`open`].
    pub(crate) fn open(&self) -> Result<(Input, Opened), Failure> {
        let input = self.input();
        let opened = open(&input)?;
        Ok((input, opened))
    }

    /// The same for any HDF5 file, whether it says that it is one of ours or not.
    ///
    /// # Errors
    /// As [`open`].
    pub(crate) fn open_any(&self) -> Result<(Input, Opened), Failure> {
        let input = self.input();
        let opened = member(&input, open_file(&input)?)?;
        Ok((input, opened))
    }

    /// Opens the file as one sample.
    ///
    /// # Errors
    /// As [`Target::open`]; for a collection without a key.
    pub(crate) fn sample(&self) -> Result<(Input, Sample), Failure> {
        match self.open()? {
            (input, Opened::Sample(sample)) => Ok((input, sample)),
            (input, Opened::Collection(collection)) => {
                let keys =
                    collection.keys().map_err(|error| Failure::about(&input, error.sentence()))?;
                let first = keys.first().map_or("KEY", String::as_str);
                Err(Failure::Usage(format!(
                    "{input}: this is a collection of {} samples; name one, such as `--key {first}`",
                    keys.len()
                )))
            }
        }
    }
}

/// Opens an input: a sample, a member, or a collection.
///
/// # Errors
/// [`Failure::Failed`] with the path and the reason, also when the file declares no version of the format; [`Failure::Usage`] when
/// there is no such member.
pub(crate) fn open(input: &Input) -> Result<Opened, Failure> {
    let opened = open_file(input)?;
    match opened.declares_version() {
        Ok(true) => member(input, opened),
        Ok(false) => Err(Failure::about(
            input,
            "this is an HDF5 file, but no MEDH5 file: its root has no `medh5_version` (`tree` and `dump` show what is in it)",
        )),
        Err(error) => Err(Failure::about(input, error.sentence())),
    }
}

fn open_file(input: &Input) -> Result<Opened, Failure> {
    let source = source::open(&input.path).map_err(|what| Failure::about(input, what))?;
    let options = OpenOptions {
        filters: medh5::storage::reading(),
        limits: limits::current().file,
        ..OpenOptions::default()
    };
    medh5::sample::open_with(Arc::new(source), options)
        .map_err(|error| Failure::about(input, error.sentence()))
}

/// The member that is named, if one is.
fn member(input: &Input, opened: Opened) -> Result<Opened, Failure> {
    match (&input.key, opened) {
        (None, opened) => Ok(opened),
        (Some(_), Opened::Sample(_)) => {
            Err(Failure::misfit(input, "this is a sample, it has no members"))
        }
        (Some(key), Opened::Collection(collection)) => {
            let sample =
                collection.sample(key).map_err(|error| Failure::about(input, error.sentence()))?;
            sample
                .map(Opened::Sample)
                .ok_or_else(|| Failure::misfit(input, "there is no such member; `ls` lists them"))
        }
    }
}

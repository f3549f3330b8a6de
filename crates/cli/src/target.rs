//! The one file that a command looks into, and what can go wrong on the way there.

use clap::Args;
use hdf5::Class;
use medh5::{Opened, ReadError, Sample};

use crate::exit::Failure;
use crate::inputs::Input;
use crate::source;

/// A file, or a member of a collection.
#[derive(Debug, Args)]
pub(crate) struct Target {
    /// The file; `shard.medh5c::KEY` for a member of a collection
    path: String,
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
    /// [`Failure::Failed`] with the path and the reason.
    pub(crate) fn open(&self) -> Result<(Input, Opened), Failure> {
        let input = self.input();
        let opened = open(&input)?;
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
                    collection.keys().map_err(|error| Failure::about(&input, sentence(&error)))?;
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
/// [`Failure::Failed`] with the path and the reason.
pub(crate) fn open(input: &Input) -> Result<Opened, Failure> {
    let source = source::open(&input.path).map_err(|what| Failure::about(input, what))?;
    let about = |error: &ReadError| Failure::about(input, sentence(error));
    let opened = medh5::open(source).map_err(|error| about(&error))?;
    match (&input.key, opened) {
        (None, opened) => Ok(opened),
        (Some(_), Opened::Sample(_)) => {
            Err(Failure::about(input, "this is a sample, it has no members"))
        }
        (Some(key), Opened::Collection(collection)) => {
            let sample = collection.sample(key).map_err(|error| about(&error))?;
            sample
                .map(Opened::Sample)
                .ok_or_else(|| Failure::about(input, "there is no such member"))
        }
    }
}

/// What went wrong, with whose fault it is where that helps.
pub(crate) fn sentence(error: &ReadError) -> String {
    let remark = match error {
        ReadError::File(error) => match error.class() {
            // No word on damage when this was never such a file.
            Class::Malformed if error.to_string().starts_with("superblock") => "",
            Class::Malformed => " (the file is damaged or was cut off)",
            Class::Unsupported => " (legal, but not supported by this program)",
            Class::Limit => " (refused to protect this computer)",
            _ => "",
        },
        _ => "",
    };
    format!("{error}{remark}")
}

//! How a command ends, and the exit code that says so.

use std::io;
use std::process::ExitCode;

use medh5::ReadError;

/// A command that came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing to complain about.
    Good,
    /// It ran, and what it looked at is not in order.
    Bad,
    /// The user stopped it; what was done until then is reported.
    Interrupted,
}

/// A command that could not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line or the configuration makes no sense, by itself or for the file that it names.
    Usage(String),
    /// Something about a file or the system stood in the way.
    Failed(String),
    /// Whoever reads our output has left.
    ClosedPipe,
}

/// Exit code of a usage error; `clap` uses the same for its own.
const USAGE: u8 = 2;
/// What shells report for a program that Ctrl-C ended.
pub(crate) const INTERRUPTED: u8 = 130;

impl Failure {
    /// A sentence about a file: `PATH: WHAT`.
    pub(crate) fn about(path: impl std::fmt::Display, what: impl std::fmt::Display) -> Self {
        Self::Failed(format!("{path}: {what}"))
    }

    /// What was asked for does not fit the file: `PATH: WHAT`.
    pub(crate) fn misfit(path: impl std::fmt::Display, what: impl std::fmt::Display) -> Self {
        Self::Usage(format!("{path}: {what}"))
    }

    /// The same failure, said of this file.
    pub(crate) fn in_file(self, path: impl std::fmt::Display) -> Self {
        match self {
            Self::Usage(what) => Self::misfit(path, what),
            Self::Failed(what) => Self::about(path, what),
            Self::ClosedPipe => Self::ClosedPipe,
        }
    }

    /// The message, unless nobody is left to read it.
    pub(crate) fn message(&self) -> Option<&str> {
        match self {
            Self::Usage(message) | Self::Failed(message) => Some(message),
            Self::ClosedPipe => None,
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::Failed(error.sentence())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::Failed(format!("cannot write the output: {error}"))
        }
    }
}

/// The exit code: 0 good, 1 bad or failed, 2 usage, 130 interrupted. Output that nobody wants to the end is no failure; what
/// commands that judge make of it, they say themselves.
pub(crate) fn code(result: &Result<Outcome, Failure>) -> ExitCode {
    match result {
        Ok(Outcome::Good) | Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Ok(Outcome::Bad) | Err(Failure::Failed(_)) => ExitCode::FAILURE,
        Ok(Outcome::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(Failure::Usage(_)) => ExitCode::from(USAGE),
    }
}

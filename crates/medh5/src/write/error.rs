//! Why a file was not written.

use std::io;
use std::path::PathBuf;

use crate::ReadError;

/// Why a file could not be written or put in place. What was there before is untouched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    System {
        /// What it refused to create, write or rename.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// Another program changed the file while its successor was being written.
    #[error("{}: changed by another program in the meantime; it was left as it is now", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Another writer is at work on the file.
    #[error("{}: another program is writing this file now; try again when it is done", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// A file of this name is there already.
    #[error("{}: there is such a file already", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The source cannot be read, or the tree cannot be stored.
    #[error("{}", .0.sentence())]
    Read(#[from] ReadError),
    /// The format, or good sense, forbids to write this.
    #[error("{reason}")]
    Refused {
        /// What is there, and what would be needed.
        reason: String,
    },
    /// What was written does not verify.
    #[error("the new file does not verify, nothing was changed: {reason}")]
    Unverified {
        /// What differs where.
        reason: String,
    },
}

impl WriteError {
    /// A refusal.
    pub(crate) fn refused(reason: impl Into<String>) -> Self {
        Self::Refused { reason: reason.into() }
    }

    /// Whether this says nothing about the files: the host wanted to stop.
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Read(error) if error.is_interruption())
    }
}

impl From<hdf5::Error> for WriteError {
    fn from(error: hdf5::Error) -> Self {
        Self::Read(error.into())
    }
}

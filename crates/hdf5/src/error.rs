//! What can go wrong while reading and encoding, and where.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::source::SourceError;

/// Any failure of this crate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A structure of the file is malformed, unsupported, or beyond a limit.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The bytes could not be had.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The bytes could not be written.
    #[error("writing at byte {offset:#x} failed: {reason}")]
    Sink {
        /// First byte to be written, from the start of the file.
        offset: u64,
        /// What the host said.
        reason: String,
    },
    /// The stored bytes of a chunk do not decode.
    #[error("chunk {chunk_coord:?} at byte {offset:#x}: filter {filter}: {problem}")]
    Chunk {
        /// Place in the chunk grid, in chunks, slowest axis first.
        chunk_coord: Vec<u64>,
        /// Offset of the stored chunk, in bytes from the start of the file.
        offset: u64,
        /// Identifier and name of the filter that refused.
        filter: String,
        /// Why.
        problem: Problem,
    },
    /// The caller asked for something that the object cannot give.
    #[error("{reason}")]
    Request {
        /// What was asked and what there is.
        reason: String,
    },
    /// The host wanted to stop.
    #[error("stopped on request")]
    Stopped,
    /// One of the above, met while reading the object at `path`.
    #[error("{path}: {source}")]
    Object {
        /// Absolute path of the object in the file.
        path: String,
        /// What happened there.
        source: Box<Error>,
    },
}

impl Error {
    /// Names the object that was being read; the innermost name wins.
    #[must_use]
    pub fn in_object(self, path: &str) -> Self {
        match self {
            named @ (Self::Object { .. } | Self::Stopped) => named,
            other => Self::Object { path: path.into(), source: Box::new(other) },
        }
    }

    /// The kind of failure, which decides exit codes and wording further up.
    pub fn class(&self) -> Class {
        match self {
            Self::Format(error) => error.problem.class(),
            Self::Chunk { problem, .. } => problem.class(),
            Self::Source(_) | Self::Sink { .. } => Class::Source,
            Self::Request { .. } | Self::Stopped => Class::Request,
            Self::Object { source, .. } => source.class(),
        }
    }

    /// The ranges to fetch, if that is all that is wrong.
    pub fn not_resident(&self) -> Option<&[core::ops::Range<u64>]> {
        match self {
            Self::Source(SourceError::NotResident { ranges }) => Some(ranges),
            Self::Object { source, .. } => source.not_resident(),
            _ => None,
        }
    }
}

/// A structure that cannot be read, and the field where that showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// The structure's name in the format specification.
    pub structure: Cow<'static, str>,
    /// The field within it, if known.
    pub field: Option<&'static str>,
    /// Where the structure starts, in bytes from the start of the file.
    pub start: u64,
    /// Where the field starts, likewise.
    pub offset: u64,
    /// What is wrong there.
    pub problem: Problem,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {:#x}: ", self.structure, self.start)?;
        match self.field {
            Some(field) => {
                write!(f, "field `{field}` at byte {:#x}: {}", self.offset, self.problem)
            }
            None => self.problem.fmt(f),
        }
    }
}

impl core::error::Error for FormatError {}

/// Whose fault a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The file breaks the specification.
    Malformed,
    /// The file is legal, but outside the subset that this crate reads.
    Unsupported,
    /// Refused on purpose: a limit of ours, not of the format.
    Limit,
    /// The bytes could not be had, or not be written.
    Source,
    /// The caller asked for what is not there.
    Request,
}

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The bytes end inside the structure.
    #[error("the structure ends early")]
    EndsEarly,
    /// Another structure stands here.
    #[error("the signature is {found:02x?}, not {expected:02x?}")]
    Signature {
        /// The bytes found.
        found: Vec<u8>,
        /// The bytes that mark this structure.
        expected: &'static [u8],
    },
    /// A version outside the known ones.
    #[error("version {found} is not supported (known: {known:?})")]
    Version {
        /// Found in the file.
        found: u8,
        /// Read by this crate.
        known: &'static [u8],
    },
    /// A value above what the format allows in this place.
    #[error("{found} is more than the {max} that are allowed")]
    AboveMaximum {
        /// Found in the file.
        found: u64,
        /// The format's own bound.
        max: u64,
    },
    /// A checksum that does not agree with the bytes it covers.
    #[error("the checksum is {found:#010x}, the bytes give {computed:#010x}")]
    Checksum {
        /// Stored in the file.
        found: u32,
        /// Computed from the bytes.
        computed: u32,
    },
    /// Breaks the specification in a way that needs words.
    #[error("{0}")]
    Invalid(Cow<'static, str>),
    /// Legal, but not in the subset that this crate reads.
    #[error("{0} is not supported")]
    Unsupported(Cow<'static, str>),
    /// A filter has nothing to gain from these bytes, and says so by failing, as the format lets it.
    #[error("the data does not shrink")]
    DoesNotShrink,
    /// Beyond one of our own limits.
    #[error("{what}: {found} is over the limit `{limit}` of {max}")]
    Limit {
        /// What was counted.
        what: &'static str,
        /// How much the file asks for.
        found: u64,
        /// Name of the field of `Limits`.
        limit: &'static str,
        /// Its value.
        max: u64,
    },
}

impl Problem {
    /// The class of this problem.
    pub fn class(&self) -> Class {
        match self {
            Self::EndsEarly
            | Self::Signature { .. }
            | Self::AboveMaximum { .. }
            | Self::Checksum { .. }
            | Self::Invalid(_) => Class::Malformed,
            Self::Version { .. } | Self::Unsupported(_) | Self::DoesNotShrink => Class::Unsupported,
            Self::Limit { .. } => Class::Limit,
        }
    }

    pub(crate) fn invalid(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Invalid(reason.into())
    }

    pub(crate) fn unsupported(what: impl Into<Cow<'static, str>>) -> Self {
        Self::Unsupported(what.into())
    }
}

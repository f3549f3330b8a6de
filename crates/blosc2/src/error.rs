//! What can go wrong while decoding, and where.

use alloc::borrow::Cow;
use core::fmt;

/// Any failure of this crate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A structure is malformed, unsupported, or beyond a limit.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A block does not decode.
    #[error("block {block} of the chunk at byte {chunk:#x}: {problem}")]
    Block {
        /// Number of the block in its chunk.
        block: usize,
        /// Where the chunk starts, in bytes from the start of the frame.
        chunk: usize,
        /// Why.
        problem: Problem,
    },
    /// The caller asked for bytes or elements that are not there, or for another number of them.
    #[error("{reason}")]
    Request {
        /// What does not fit.
        reason: &'static str,
    },
}

impl Error {
    /// The kind of failure.
    pub fn class(&self) -> Class {
        match self {
            Self::Format(error) => error.problem.class(),
            Self::Block { problem, .. } => problem.class(),
            Self::Request { .. } => Class::Request,
        }
    }
}

/// A structure that cannot be read, and the field where that showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// The structure's name.
    pub structure: &'static str,
    /// The field within it, if known.
    pub field: Option<&'static str>,
    /// Where the structure starts, in bytes from the start of the frame (of the chunk, if it came alone).
    pub start: usize,
    /// Where the field starts, likewise.
    pub offset: usize,
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
    /// The bytes break the specification.
    Malformed,
    /// The bytes are legal, but outside the subset that this crate reads.
    Unsupported,
    /// Refused on purpose: more than the caller allows.
    Limit,
    /// The caller asked for what is not there.
    Request,
}

/// What is wrong with a field or a block.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The bytes end inside the structure.
    #[error("the structure ends early")]
    EndsEarly,
    /// A byte that marks a structure or the type of a value has another value.
    #[error("byte {found:#04x} stands where {expected:#04x} must")]
    Marker {
        /// Found in the bytes.
        found: u8,
        /// What the format has there.
        expected: u8,
    },
    /// A version outside the known ones.
    #[error("version {found} is not supported (known: {known:?})")]
    Version {
        /// Found in the bytes.
        found: u8,
        /// Read by this crate.
        known: &'static [u8],
    },
    /// A number outside the range that makes sense in its place.
    #[error("{found} is not in the range from {min} to {max}")]
    Range {
        /// Found in the bytes.
        found: i64,
        /// The least that fits.
        min: i64,
        /// The most that fits.
        max: i64,
    },
    /// Breaks the specification in a way that needs words.
    #[error("{0}")]
    Invalid(Cow<'static, str>),
    /// Legal, but not in the subset that this crate reads.
    #[error("{0} is not supported")]
    Unsupported(Cow<'static, str>),
    /// More than the caller allows.
    #[error("{what}: {found} is over the limit of {max}")]
    Limit {
        /// What was counted.
        what: &'static str,
        /// How much there is.
        found: u64,
        /// The most that is allowed.
        max: u64,
    },
    /// A compressed stream does not decode.
    #[error(transparent)]
    Codec(#[from] codec::Error),
}

impl Problem {
    /// The class of this problem.
    pub fn class(&self) -> Class {
        match self {
            Self::EndsEarly | Self::Marker { .. } | Self::Range { .. } | Self::Invalid(_) => {
                Class::Malformed
            }
            Self::Version { .. }
            | Self::Unsupported(_)
            | Self::Codec(codec::Error::Unsupported { .. }) => Class::Unsupported,
            Self::Limit { .. } => Class::Limit,
            Self::Codec(_) => Class::Malformed,
        }
    }

    pub(crate) const fn invalid(reason: &'static str) -> Self {
        Self::Invalid(Cow::Borrowed(reason))
    }

    pub(crate) fn unsupported(what: impl Into<Cow<'static, str>>) -> Self {
        Self::Unsupported(what.into())
    }
}

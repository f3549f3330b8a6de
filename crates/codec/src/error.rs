//! What can go wrong while decoding.

/// A compressed stream that cannot be decoded as asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes break the codec's format, or end early.
    #[error("the {codec} data is damaged")]
    Damaged {
        /// Name of the codec.
        codec: &'static str,
    },
    /// The data is whole, but of another length.
    #[error("the {codec} data gives {found} bytes, not {expected}")]
    Length {
        /// Name of the codec.
        codec: &'static str,
        /// What it decodes to, or says that it does, in bytes.
        found: u64,
        /// What the caller expects, in bytes.
        expected: u64,
    },
    /// The data decodes to more bytes than the caller takes.
    #[error("the {codec} data gives more than {max} bytes")]
    TooLong {
        /// Name of the codec.
        codec: &'static str,
        /// The caller's limit, in bytes.
        max: u64,
    },
    /// Legal, but refused, or not part of this build.
    #[error("{codec}: {what} is not supported")]
    Unsupported {
        /// Name of the codec.
        codec: &'static str,
        /// The feature that is missing.
        what: &'static str,
    },
}

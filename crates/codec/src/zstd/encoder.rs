//! Encodes Zstandard frames, by the first implementation of this build that can.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use super::{CODEC, Implementation};
use crate::Error;

/// What an implementation does: it appends one frame, with its content's size and without a checksum.
pub(super) trait Backend: Send {
    /// Encodes at the level that the encoder was made for; `None` when the library fails, which it has no reason to.
    fn encode(&mut self, source: &[u8], target: &mut Vec<u8>) -> Option<()>;
}

/// A Zstandard encoder of one level; it keeps its tables from one frame to the next.
pub struct Encoder {
    backend: Option<Box<dyn Backend>>,
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").finish_non_exhaustive()
    }
}

impl Encoder {
    /// An encoder of `level`, 1 to 22 as libzstd counts them, by the first implementation of this build; with the small
    /// one only or without any, all encoding is [`Error::Unsupported`].
    pub fn new(level: i32) -> Self {
        let mut known = Implementation::ALL.iter();
        Self { backend: known.find_map(|implementation| backend(*implementation, level)) }
    }

    /// An encoder by this implementation.
    pub fn with(implementation: Implementation, level: i32) -> Self {
        Self { backend: backend(implementation, level) }
    }

    /// Encodes `source` as one frame to the end of `target`. The same source gives the same bytes every time.
    ///
    /// # Errors
    /// [`Error::Unsupported`] when this build cannot encode.
    pub fn encode(&mut self, source: &[u8], target: &mut Vec<u8>) -> Result<(), Error> {
        let what = "encoding in this build";
        let failed = Error::Unsupported { codec: CODEC, what };
        self.backend.as_mut().and_then(|backend| backend.encode(source, target)).ok_or(failed)
    }
}

#[cfg_attr(
    not(any(feature = "zstd-c", feature = "zstd-rust")),
    expect(unused_variables, reason = "no implementation of this build has levels")
)]
#[cfg_attr(
    all(any(feature = "zstd-c", feature = "zstd-rust"), not(feature = "zstd-small")),
    expect(clippy::unnecessary_wraps, reason = "not all implementations encode")
)]
fn backend(implementation: Implementation, level: i32) -> Option<Box<dyn Backend>> {
    match implementation {
        #[cfg(feature = "zstd-c")]
        Implementation::C => Some(Box::new(super::c::EncoderBackend::new(level))),
        #[cfg(feature = "zstd-rust")]
        Implementation::Rust => Some(Box::new(super::rust::EncoderBackend::new(level))),
        #[cfg(feature = "zstd-small")]
        Implementation::Small => None,
    }
}

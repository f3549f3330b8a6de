//! Zstandard frames, by one of several interchangeable implementations.
//!
//! Which ones are built is a matter of features (`zstd-rust`, `zstd-c`, `zstd-small`); all give the same bytes. A frame's
//! header and the sizes of its blocks are checked here, before an implementation sees it.

#[cfg(feature = "zstd-c")]
mod c;
mod encoder;
mod frame;
#[cfg(feature = "zstd-rust")]
mod rust;
#[cfg(feature = "zstd-small")]
mod small;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

pub use encoder::Encoder;

use crate::Error;
use frame::Frame;

const CODEC: &str = "Zstandard";

/// The largest window that a frame may ask for beyond its own content, in bytes: what RFC 8878 asks of every decoder.
const MAX_WINDOW: u64 = 8 << 20;

/// A library for Zstandard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Implementation {
    /// libzstd, in C.
    #[cfg(feature = "zstd-c")]
    C,
    /// `rust-zstd`: as fast as C, without a C compiler.
    #[cfg(feature = "zstd-rust")]
    Rust,
    /// `ruzstd`: slow, small, little `unsafe`; it only decodes here.
    #[cfg(feature = "zstd-small")]
    Small,
}

impl Implementation {
    /// Those of this build; the first one is used where nothing is said.
    pub const ALL: &[Self] = &[
        #[cfg(feature = "zstd-c")]
        Self::C,
        #[cfg(feature = "zstd-rust")]
        Self::Rust,
        #[cfg(feature = "zstd-small")]
        Self::Small,
    ];
}

/// What an implementation does: it decodes one whole frame that [`Frame::parse`] has accepted.
trait Backend: Send {
    /// Decodes with this dictionary from now on.
    fn set_dictionary(&mut self, dictionary: Option<&[u8]>) -> Result<(), Error>;

    /// Decodes to the start of `target` and returns how many bytes; `None` when damaged or too long.
    fn decode(&mut self, frame: &Frame<'_>, target: &mut [u8]) -> Option<usize>;

    /// Replaces the content of `target` by the decoded frame of `len` bytes, and returns how many bytes there are.
    fn decode_to_vec(
        &mut self,
        frame: &Frame<'_>,
        len: usize,
        target: &mut Vec<u8>,
    ) -> Option<usize> {
        target.resize(len, 0);
        self.decode(frame, target)
    }
}

/// A Zstandard decoder; it keeps its tables and buffers from one frame to the next.
pub struct Decoder {
    backend: Option<Box<dyn Backend>>,
    has_dictionary: bool,
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").finish_non_exhaustive()
    }
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder by the first implementation of this build; without any, all decoding is [`Error::Unsupported`].
    pub fn new() -> Self {
        Self {
            backend: Implementation::ALL.first().map(|first| backend(*first)),
            has_dictionary: false,
        }
    }

    /// A decoder by this implementation.
    pub fn with(implementation: Implementation) -> Self {
        Self { backend: Some(backend(implementation)), has_dictionary: false }
    }

    /// Decodes the frames that follow with this dictionary, formatted or raw, or with none.
    ///
    /// # Errors
    /// [`Error::Damaged`] when the dictionary is malformed.
    pub fn set_dictionary(&mut self, dictionary: Option<&[u8]>) -> Result<(), Error> {
        if dictionary.is_none() && !self.has_dictionary {
            return Ok(());
        }
        self.has_dictionary = dictionary.is_some();
        self.backend()?.set_dictionary(dictionary)
    }

    /// Decodes the one frame that `source` is; it must fill `target` exactly.
    ///
    /// # Errors
    /// [`Error::Damaged`] when the frame is malformed, [`Error::Length`] when it is of another length.
    pub fn decode(&mut self, source: &[u8], target: &mut [u8]) -> Result<(), Error> {
        let frame = Frame::parse(source)?;
        frame.expect_len(target.len())?;
        let found = self.backend()?.decode(&frame, target);
        exact(found, target.len())
    }

    /// Decodes the one frame that `source` is, `len` bytes, into `target` in place of what was there.
    ///
    /// This spares a copy where the implementation decodes into its own kind of buffer.
    ///
    /// # Errors
    /// Those of [`Decoder::decode`].
    pub fn decode_to_vec(
        &mut self,
        source: &[u8],
        len: usize,
        target: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let frame = Frame::parse(source)?;
        frame.expect_len(len)?;
        let found = self.backend()?.decode_to_vec(&frame, len, target);
        exact(found, len)
    }

    /// Decodes the one frame that `source` is to the end of `target`: at most `max` bytes.
    ///
    /// # Errors
    /// [`Error::Damaged`] when the frame is malformed, [`Error::TooLong`] when it is longer.
    pub fn decode_at_most(
        &mut self,
        source: &[u8],
        max: usize,
        target: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let frame = Frame::parse(source)?;
        let len = frame.content_size.unwrap_or(frame.bound.min(max as u64));
        let Some(len) = usize::try_from(len).ok().filter(|len| *len <= max) else {
            return Err(Error::TooLong { codec: CODEC, max: max as u64 });
        };
        let start = target.len();
        target.resize(start + len, 0);
        let found = self.backend()?.decode(&frame, &mut target[start..]);
        target.truncate(start + found.unwrap_or(0));
        match found {
            Some(found) if frame.content_size.is_none_or(|size| size == found as u64) => Ok(()),
            _ => Err(Error::Damaged { codec: CODEC }),
        }
    }

    fn backend(&mut self) -> Result<&mut dyn Backend, Error> {
        match &mut self.backend {
            Some(backend) => Ok(&mut **backend),
            None => Err(Error::Unsupported { codec: CODEC, what: "any frame in this build" }),
        }
    }
}

fn backend(implementation: Implementation) -> Box<dyn Backend> {
    match implementation {
        #[cfg(feature = "zstd-c")]
        Implementation::C => Box::new(c::Backend::default()),
        #[cfg(feature = "zstd-rust")]
        Implementation::Rust => Box::new(rust::Backend::default()),
        #[cfg(feature = "zstd-small")]
        Implementation::Small => Box::new(small::Backend::default()),
    }
}

fn exact(found: Option<usize>, expected: usize) -> Result<(), Error> {
    match found {
        Some(found) if found == expected => Ok(()),
        Some(found) => {
            Err(Error::Length { codec: CODEC, found: found as u64, expected: expected as u64 })
        }
        None => Err(Error::Damaged { codec: CODEC }),
    }
}

//! The compressors that a chunk may use, by their format number in the chunk's flags.

mod blosclz;

use alloc::vec::Vec;

use crate::error::Problem;
use crate::scratch::Codecs;
use crate::settings::{Compressor, Settings};

/// How the streams of a chunk are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Codec {
    /// Blosc's own LZ77.
    BloscLz,
    /// LZ4 and LZ4 HC.
    Lz4,
    /// Deflate in a zlib wrapper.
    Zlib,
    /// Zstandard.
    Zstd,
}

impl Codec {
    /// The codec with this format number: not the *compcode* of frame headers and filter values.
    pub(crate) fn from_format(format: u8) -> Result<Self, Problem> {
        match format {
            0 => Ok(Self::BloscLz),
            1 => Ok(Self::Lz4),
            3 => Ok(Self::Zlib),
            4 => Ok(Self::Zstd),
            _ => Err(Problem::unsupported(alloc::format!("codec format {format}"))),
        }
    }

    /// Decodes `stream`, which must give `len` bytes, into `target` in place of what was there.
    pub(crate) fn decode_to_vec(
        self,
        codecs: &mut Codecs,
        dictionary: Option<&[u8]>,
        stream: &[u8],
        len: usize,
        target: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        if let Self::Zstd = self {
            codecs.zstd.get_or_insert_default().decode_to_vec(stream, len, target)?;
            return Ok(());
        }
        target.resize(len, 0);
        self.decode(codecs, dictionary, stream, target)
    }

    /// Decodes `stream`, which must fill `target` exactly.
    pub(crate) fn decode(
        self,
        codecs: &mut Codecs,
        dictionary: Option<&[u8]>,
        stream: &[u8],
        target: &mut [u8],
    ) -> Result<(), Problem> {
        match (self, dictionary) {
            (Self::BloscLz, None) => blosclz::decode(stream, target)?,
            (Self::Lz4, None) => codec::lz4::decode(stream, target)?,
            (Self::Lz4, Some(prefix)) => codec::lz4::decode_after(prefix, stream, target)?,
            (Self::Zlib, None) => {
                codecs.zlib.get_or_insert_default().decode(stream, target)?;
            }
            // The dictionary was set when the chunk was opened.
            (Self::Zstd, _) => codecs.zstd.get_or_insert_default().decode(stream, target)?,
            (Self::BloscLz | Self::Zlib, Some(_)) => {
                return Err(Problem::unsupported("a dictionary with this codec"));
            }
        }
        Ok(())
    }
}

/// The compressor of an encoder, with its tables.
#[derive(Debug)]
pub(crate) enum StreamEncoder {
    Lz4(codec::lz4::Encoder),
    Zlib(codec::deflate::Encoder),
    Zstd(codec::zstd::Encoder),
}

impl StreamEncoder {
    pub(crate) fn new(settings: &Settings) -> Self {
        match settings.compressor {
            Compressor::Lz4 | Compressor::Lz4Hc => {
                Self::Lz4(codec::lz4::Encoder::new(settings.lz4_acceleration()))
            }
            Compressor::Zlib => Self::Zlib(codec::deflate::Encoder::new(settings.level)),
            Compressor::Zstd => Self::Zstd(codec::zstd::Encoder::new(settings.zstd_level())),
        }
    }

    /// Encodes `stream` to the end of `target`.
    pub(crate) fn encode(&mut self, stream: &[u8], target: &mut Vec<u8>) -> Result<(), Problem> {
        match self {
            Self::Lz4(encoder) => encoder.encode(stream, target),
            Self::Zlib(encoder) => encoder.encode(stream, target),
            Self::Zstd(encoder) => encoder.encode(stream, target)?,
        }
        Ok(())
    }
}

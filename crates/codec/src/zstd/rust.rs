//! Zstandard by the pure Rust port of libzstd.

use alloc::vec::Vec;

use rust_zstd::decode::DecodeDict;
use rust_zstd::{CompressOptions, Compressor, Decompressor};

use super::{CODEC, Frame};
use crate::Error;

#[derive(Default)]
pub(super) struct Backend {
    state: Decompressor,
    /// The library decodes whole frames only into a `Vec` of its own making.
    buffer: Vec<u8>,
}

impl super::Backend for Backend {
    fn set_dictionary(&mut self, dictionary: Option<&[u8]>) -> Result<(), Error> {
        let dictionary = dictionary
            .map(DecodeDict::new)
            .transpose()
            .map_err(|_| Error::Damaged { codec: CODEC })?;
        self.state.set_dict(dictionary.as_ref());
        Ok(())
    }

    fn decode(&mut self, frame: &Frame<'_>, target: &mut [u8]) -> Option<usize> {
        if frame.content_size.is_none() {
            return self.decode_stream(frame, target);
        }
        let mut buffer = core::mem::take(&mut self.buffer);
        let found =
            self.state.decompress_into(frame.bytes, &mut buffer).ok().map(|()| buffer.len());
        let whole = found.filter(|found| *found <= target.len());
        if let Some(found) = whole {
            target[..found].copy_from_slice(&buffer[..found]);
        }
        self.buffer = buffer;
        whole
    }

    fn decode_to_vec(
        &mut self,
        frame: &Frame<'_>,
        len: usize,
        target: &mut Vec<u8>,
    ) -> Option<usize> {
        if frame.content_size.is_none() {
            target.resize(len, 0);
            return self.decode_stream(frame, target);
        }
        self.state.decompress_into(frame.bytes, target).ok()?;
        Some(target.len())
    }
}

impl Backend {
    /// Decodes a frame that does not say its size: in steps, so that it never gets past the end of `target`.
    fn decode_stream(&mut self, frame: &Frame<'_>, target: &mut [u8]) -> Option<usize> {
        self.state.reset();
        let (mut read, mut written) = (0, 0);
        loop {
            let before = (read, written);
            let hint =
                self.state.decompress_stream(frame.bytes, &mut read, target, &mut written).ok()?;
            if hint == 0 {
                return (read == frame.bytes.len()).then_some(written);
            }
            if before == (read, written) {
                self.state.reset();
                return None;
            }
        }
    }
}

pub(super) struct EncoderBackend {
    state: Compressor,
}

impl EncoderBackend {
    pub(super) fn new(level: i32) -> Self {
        Self { state: Compressor::new(CompressOptions { level, ..CompressOptions::default() }) }
    }
}

impl super::encoder::Backend for EncoderBackend {
    fn encode(&mut self, source: &[u8], target: &mut Vec<u8>) -> Option<()> {
        self.state.compress(source, target);
        Some(())
    }
}

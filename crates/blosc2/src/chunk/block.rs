//! One block: streams that are compressed each for itself, and the filters between them and the elements.

use alloc::vec::Vec;

use codec::{bitshuffle, shuffle};

use super::header::{Body, Header};
use crate::codec::Codec;
use crate::error::Problem;
use crate::filter::{Filter, undo_delta};
use crate::scratch::{Buffers, Codecs};

/// What it takes to decode one block.
pub(super) struct Block<'a> {
    pub(super) header: &'a Header,
    pub(super) codec: Codec,
    pub(super) dictionary: Option<&'a [u8]>,
    /// One stream per byte of the element, instead of one.
    pub(super) split: bool,
    /// From the start of the block on; more may follow it.
    pub(super) bytes: &'a [u8],
}

/// Makes the decoders ready for the blocks of one chunk.
pub(super) fn set_dictionary(
    codecs: &mut Codecs,
    body: Body,
    dictionary: Option<&[u8]>,
) -> Result<(), Problem> {
    if let Body::Blocks { codec: Codec::Zstd, .. } = body {
        codecs.zstd.get_or_insert_default().set_dictionary(dictionary)?;
    }
    Ok(())
}

impl Block<'_> {
    /// Decodes the block into `target`, which has its length.
    pub(super) fn decode(
        &self,
        reference: Option<&[u8]>,
        codecs: &mut Codecs,
        buffers: &mut Buffers,
        target: &mut [u8],
    ) -> Result<(), Problem> {
        let mut filters = self.header.filters.iter().flatten().peekable();
        if filters.peek().is_none() {
            return self.streams(codecs, target);
        }
        let Buffers { filtered, between } = buffers;
        filtered.resize(target.len(), 0);
        self.streams(codecs, filtered)?;
        while let Some(filter) = filters.next() {
            if filters.peek().is_none() {
                self.undo(*filter, reference, filtered, target);
            } else {
                between.resize(target.len(), 0);
                self.undo(*filter, reference, filtered, between);
                core::mem::swap::<Vec<u8>>(filtered, between);
            }
        }
        Ok(())
    }

    fn undo(&self, filter: Filter, reference: Option<&[u8]>, from: &[u8], to: &mut [u8]) {
        let element_size = self.header.element_size;
        match filter {
            Filter::Shuffle { element_size } => shuffle::unshuffle(element_size, from, to),
            Filter::BitShuffle => {
                // Blosc1 left blocks alone that do not hold a multiple of 8 elements.
                if self.header.is_blosc1 && !(from.len() / element_size).is_multiple_of(8) {
                    to.copy_from_slice(from);
                } else {
                    bitshuffle::bitunshuffle(element_size, from, to);
                }
            }
            Filter::Delta => {
                to.copy_from_slice(from);
                undo_delta(element_size, reference, to);
            }
        }
    }

    /// Decodes the streams of the block one after the other into `target`.
    fn streams(&self, codecs: &mut Codecs, target: &mut [u8]) -> Result<(), Problem> {
        let count = if self.split { self.header.element_size } else { 1 };
        let len = target.len() / count;
        if len == 0 || len * count != target.len() {
            return Err(Problem::invalid("the block does not divide into its streams"));
        }
        let mut rest = self.bytes;
        for stream in target.chunks_exact_mut(len) {
            rest = self.stream(codecs, rest, stream)?;
        }
        Ok(())
    }

    /// Decodes the stream at the start of `bytes` into `target` and returns what follows it.
    ///
    /// An i32 says how it is stored: 0 for zeros; negative for a run of the byte that it negates, with a token of which
    /// bit 0 is set; the length of the target for the bytes themselves; else that many bytes of compressed data.
    fn stream<'b>(
        &self,
        codecs: &mut Codecs,
        bytes: &'b [u8],
        target: &mut [u8],
    ) -> Result<&'b [u8], Problem> {
        let (size, rest) = bytes.split_first_chunk().ok_or(Problem::EndsEarly)?;
        let size = i32::from_le_bytes(*size);
        if size == 0 {
            target.fill(0);
            return Ok(rest);
        }
        let Ok(len) = usize::try_from(size) else {
            let (token, rest) = rest.split_first().ok_or(Problem::EndsEarly)?;
            let value = u8::try_from(size.unsigned_abs());
            let (Ok(value), 1) = (value, token & 1) else {
                return Err(Problem::invalid("a run of no known kind"));
            };
            target.fill(value);
            return Ok(rest);
        };
        let (stream, rest) = rest.split_at_checked(len).ok_or(Problem::EndsEarly)?;
        if len == target.len() {
            target.copy_from_slice(stream);
        } else {
            self.codec.decode(codecs, self.dictionary, stream, target)?;
        }
        Ok(rest)
    }
}

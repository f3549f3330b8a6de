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
        let Some(first) = filters.next() else {
            return self.streams(codecs, target);
        };
        if filters.peek().is_none() {
            return self.undo_only(*first, reference, codecs, buffers, target);
        }
        let Buffers { filtered, between, .. } = buffers;
        filtered.resize(target.len(), 0);
        self.streams(codecs, filtered)?;
        let mut filter = first;
        for next in filters {
            between.resize(target.len(), 0);
            self.undo(*filter, reference, filtered, between);
            core::mem::swap::<Vec<u8>>(filtered, between);
            filter = next;
        }
        self.undo(*filter, reference, filtered, target);
        Ok(())
    }

    /// Decodes a block under one filter, as nearly all are. Streams that are stored as they are need no copy then.
    fn undo_only(
        &self,
        filter: Filter,
        reference: Option<&[u8]>,
        codecs: &mut Codecs,
        Buffers { filtered, planes, .. }: &mut Buffers,
        target: &mut [u8],
    ) -> Result<(), Problem> {
        let len = target.len();
        if self.stream_count() == 1 {
            match read_stream(self.bytes, len)?.0 {
                Stream::Stored(bytes) => self.undo(filter, reference, bytes, target),
                Stream::Compressed(bytes) => {
                    self.codec.decode_to_vec(codecs, self.dictionary, bytes, len, filtered)?;
                    self.undo(filter, reference, filtered, target);
                }
                // Zeros stay zeros, however they are shuffled.
                Stream::Run(0) if filter != Filter::Delta => target.fill(0),
                Stream::Run(value) => {
                    filtered.clear();
                    filtered.resize(len, value);
                    self.undo(filter, reference, filtered, target);
                }
            }
            return Ok(());
        }
        match (self.stream_count(), filter) {
            (2, Filter::Shuffle { element_size: 2 }) => self.join::<2>(codecs, planes, target),
            (4, Filter::Shuffle { element_size: 4 }) => self.join::<4>(codecs, planes, target),
            (8, Filter::Shuffle { element_size: 8 }) => self.join::<8>(codecs, planes, target),
            _ => {
                filtered.resize(len, 0);
                self.streams(codecs, filtered)?;
                self.undo(filter, reference, filtered, target);
                Ok(())
            }
        }
    }

    /// Decodes a block whose streams are the byte planes of elements of `N` bytes.
    fn join<const N: usize>(
        &self,
        codecs: &mut Codecs,
        planes: &mut Vec<Vec<u8>>,
        target: &mut [u8],
    ) -> Result<(), Problem> {
        let len = self.stream_len(target.len())?;
        planes.resize_with(N.max(planes.len()), Vec::new);
        let mut stored = [None; N];
        let mut rest = self.bytes;
        for (stored, plane) in stored.iter_mut().zip(&mut *planes) {
            let stream;
            (stream, rest) = read_stream(rest, len)?;
            match stream {
                Stream::Stored(bytes) => *stored = Some(bytes),
                Stream::Run(value) => {
                    plane.clear();
                    plane.resize(len, value);
                }
                Stream::Compressed(bytes) => {
                    self.codec.decode_to_vec(codecs, self.dictionary, bytes, len, plane)?;
                }
            }
        }
        let plane = |i: usize| stored[i].unwrap_or(&planes[i]);
        shuffle::unshuffle_planes::<N>(core::array::from_fn(plane), target);
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
        let len = self.stream_len(target.len())?;
        let mut rest = self.bytes;
        for part in target.chunks_exact_mut(len) {
            let stream;
            (stream, rest) = read_stream(rest, len)?;
            self.decode_stream(stream, codecs, part)?;
        }
        Ok(())
    }

    fn stream_count(&self) -> usize {
        if self.split { self.header.element_size } else { 1 }
    }

    /// Decoded bytes of each stream of a block of `block_len` bytes.
    fn stream_len(&self, block_len: usize) -> Result<usize, Problem> {
        let len = block_len / self.stream_count();
        if len == 0 || len * self.stream_count() != block_len {
            return Err(Problem::invalid("the block does not divide into its streams"));
        }
        Ok(len)
    }

    fn decode_stream(
        &self,
        stream: Stream<'_>,
        codecs: &mut Codecs,
        target: &mut [u8],
    ) -> Result<(), Problem> {
        match stream {
            Stream::Run(value) => target.fill(value),
            Stream::Stored(bytes) => target.copy_from_slice(bytes),
            Stream::Compressed(bytes) => {
                self.codec.decode(codecs, self.dictionary, bytes, target)?;
            }
        }
        Ok(())
    }
}

/// How a stream is stored.
#[derive(Clone, Copy)]
enum Stream<'a> {
    /// One byte all over.
    Run(u8),
    /// As it is.
    Stored(&'a [u8]),
    /// By the codec of the chunk.
    Compressed(&'a [u8]),
}

/// Reads the stream at the start of `bytes`, which decodes to `len` bytes, and returns what follows it.
///
/// An i32 says how it is stored: 0 for zeros; negative for a run of the byte that it negates, with a token of which
/// bit 0 is set; `len` for the bytes themselves; else that many bytes of compressed data.
fn read_stream(bytes: &[u8], len: usize) -> Result<(Stream<'_>, &[u8]), Problem> {
    let (size, rest) = bytes.split_first_chunk().ok_or(Problem::EndsEarly)?;
    let size = i32::from_le_bytes(*size);
    if size == 0 {
        return Ok((Stream::Run(0), rest));
    }
    let Ok(size) = usize::try_from(size) else {
        let (token, rest) = rest.split_first().ok_or(Problem::EndsEarly)?;
        let (Ok(value), 1) = (u8::try_from(size.unsigned_abs()), token & 1) else {
            return Err(Problem::invalid("a run of no known kind"));
        };
        return Ok((Stream::Run(value), rest));
    };
    let (bytes, rest) = rest.split_at_checked(size).ok_or(Problem::EndsEarly)?;
    let stream = if size == len { Stream::Stored(bytes) } else { Stream::Compressed(bytes) };
    Ok((stream, rest))
}

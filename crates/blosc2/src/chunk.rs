//! A chunk: a header, and blocks that are compressed one by one.

mod block;
pub(crate) mod encode;
mod header;
mod table;

use core::ops::Range;

use crate::error::{Error, FormatError, Problem};
use crate::filter::Filter;
use crate::parse::parse_at;
use crate::scratch::Scratch;
use header::{Body, Header};
use table::BlockTable;

/// One chunk, its header and its table of blocks checked; nothing is decoded yet.
#[derive(Debug, Clone)]
pub struct Chunk<'a> {
    header: Header,
    /// Where the chunk starts, in bytes from the start of its frame.
    start: usize,
    /// All its bytes, from the header on.
    bytes: &'a [u8],
    table: BlockTable<'a>,
}

impl<'a> Chunk<'a> {
    /// Opens the chunk at the start of `bytes`, which may decode to `max_decoded` bytes.
    ///
    /// Reads chunks of Blosc2 and of Blosc1.
    ///
    /// # Errors
    /// [`Error::Format`] when the header or the table is malformed, unsupported, or over that limit.
    pub fn parse(bytes: &'a [u8], max_decoded: usize) -> Result<Self, Error> {
        Self::parse_at(0, bytes, max_decoded)
    }

    pub(crate) fn parse_at(
        start: usize,
        bytes: &'a [u8],
        max_decoded: usize,
    ) -> Result<Self, Error> {
        let header = Header::parse(bytes.len(), max_decoded);
        let header = parse_at(Header::NAME, start, bytes, header)?;
        let bytes = &bytes[..header.stored_len];
        let table = BlockTable::parse(&header, bytes).map_err(|(offset, problem)| FormatError {
            structure: Header::NAME,
            field: Some("block offsets"),
            start,
            offset: start.saturating_add(offset),
            problem,
        })?;
        Ok(Self { header, start, bytes, table })
    }

    /// Number of bytes that the chunk decodes to.
    pub fn decoded_len(&self) -> usize {
        self.header.decoded_len
    }

    /// Number of bytes that the chunk takes, with its header.
    pub fn stored_len(&self) -> usize {
        self.header.stored_len
    }

    /// Number of blocks.
    pub fn block_count(&self) -> usize {
        self.header.block_count()
    }

    /// The decoded bytes that block `index` holds.
    pub fn block_range(&self, index: usize) -> Range<usize> {
        let start = index.saturating_mul(self.header.block_size).min(self.header.decoded_len);
        start..start.saturating_add(self.header.block_size).min(self.header.decoded_len)
    }

    /// Decodes all of the chunk into `target`.
    ///
    /// # Errors
    /// [`Error::Request`] when `target` is not of [`Chunk::decoded_len`] bytes, [`Error::Block`] when a block does not
    /// decode.
    pub fn decode(&self, scratch: &mut Scratch, target: &mut [u8]) -> Result<(), Error> {
        if target.len() != self.decoded_len() {
            return Err(Error::Request { reason: "the target differs in length from the chunk" });
        }
        self.decode_range(0, scratch, target)
    }

    /// Decodes the bytes from `start` on that fill `target`: only the blocks that hold them are looked at.
    ///
    /// # Errors
    /// [`Error::Request`] when the range leaves the chunk, [`Error::Block`] when a block does not decode.
    pub fn decode_range(
        &self,
        start: usize,
        scratch: &mut Scratch,
        target: &mut [u8],
    ) -> Result<(), Error> {
        let end = start.checked_add(target.len()).filter(|end| *end <= self.decoded_len());
        let Some(end) = end else {
            return Err(Error::Request { reason: "the range leaves the chunk" });
        };
        let mut blocks = self.blocks(scratch)?;
        let mut rest = target;
        let mut at = start;
        while at < end {
            let index = at / self.header.block_size;
            let block = self.block_range(index);
            let (part, after) = rest.split_at_mut(block.end.min(end) - at);
            if part.len() == block.len() {
                blocks.decode_into(index, part)?;
            } else {
                let from = at - block.start;
                part.copy_from_slice(&blocks.decode(index)?[from..][..part.len()]);
            }
            at += part.len();
            rest = after;
        }
        Ok(())
    }

    /// Prepares to decode blocks of this chunk one by one, in any order.
    ///
    /// # Errors
    /// [`Error::Block`] when the dictionary, or the block that others refer to, does not decode.
    pub fn blocks<'s>(&'s self, scratch: &'s mut Scratch) -> Result<BlockDecoder<'a, 's>, Error> {
        BlockDecoder::new(self, scratch)
    }

    fn has_delta(&self) -> bool {
        matches!(self.header.body, Body::Blocks { .. })
            && self.header.filters.contains(&Some(Filter::Delta))
    }

    fn error(&self, block: usize, problem: Problem) -> Error {
        Error::Block { block, chunk: self.start, problem }
    }
}

const NO_SUCH_BLOCK: Error = Error::Request { reason: "the chunk has no such block" };

/// Decodes the blocks of one chunk.
#[derive(Debug)]
pub struct BlockDecoder<'a, 's> {
    chunk: &'s Chunk<'a>,
    scratch: &'s mut Scratch,
}

impl<'a, 's> BlockDecoder<'a, 's> {
    fn new(chunk: &'s Chunk<'a>, scratch: &'s mut Scratch) -> Result<Self, Error> {
        if let Body::Blocks { .. } = chunk.header.body {
            block::set_dictionary(&mut scratch.codecs, chunk.header.body, chunk.table.dictionary)
                .map_err(|problem| chunk.error(0, problem))?;
        }
        if chunk.has_delta() && chunk.block_count() > 0 {
            let mut reference = core::mem::take(&mut scratch.reference);
            reference.resize(chunk.block_range(0).len(), 0);
            let found = chunk.decode_block(0, None, scratch, &mut reference);
            scratch.reference = reference;
            found?;
        }
        Ok(Self { chunk, scratch })
    }

    /// Decodes block `index` and lends its bytes.
    ///
    /// # Errors
    /// [`Error::Request`] when there is no such block, [`Error::Block`] when it does not decode.
    pub fn decode(&mut self, index: usize) -> Result<&[u8], Error> {
        let range = self.chunk.block_range(index);
        if index >= self.chunk.block_count() {
            return Err(NO_SUCH_BLOCK);
        }
        if let Body::Stored = self.chunk.header.body {
            return Ok(&self.chunk.bytes[self.chunk.header.len..][range]);
        }
        let mut block = core::mem::take(&mut self.scratch.block);
        block.resize(range.len(), 0);
        let found = self.decode_into(index, &mut block);
        self.scratch.block = block;
        found.map(|()| &*self.scratch.block)
    }

    /// Decodes block `index` into `target`, which has the length of [`Chunk::block_range`].
    ///
    /// # Errors
    /// [`Error::Request`] when there is no such block or it has another length, [`Error::Block`] when it does not
    /// decode.
    pub fn decode_into(&mut self, index: usize, target: &mut [u8]) -> Result<(), Error> {
        if index >= self.chunk.block_count() || target.len() != self.chunk.block_range(index).len()
        {
            return Err(NO_SUCH_BLOCK);
        }
        if !self.chunk.has_delta() {
            return self.chunk.decode_block(index, None, self.scratch, target);
        }
        let reference = core::mem::take(&mut self.scratch.reference);
        let found = if index == 0 {
            target.copy_from_slice(&reference);
            Ok(())
        } else {
            self.chunk.decode_block(index, Some(&reference), self.scratch, target)
        };
        self.scratch.reference = reference;
        found
    }
}

impl Chunk<'_> {
    /// Decodes block `index` into `target`, which has its length.
    fn decode_block(
        &self,
        index: usize,
        reference: Option<&[u8]>,
        scratch: &mut Scratch,
        target: &mut [u8],
    ) -> Result<(), Error> {
        let body = &self.bytes[self.header.len..];
        match self.header.body {
            Body::Zeros => target.fill(0),
            Body::Nan => {
                let value = nan(self.header.element_size);
                repeat(value, self.block_range(index).start, target);
            }
            Body::Value => repeat(body, self.block_range(index).start, target),
            Body::Stored => target.copy_from_slice(&body[self.block_range(index)]),
            Body::Blocks { codec, split, .. } => {
                let block = block::Block {
                    header: &self.header,
                    codec,
                    dictionary: self.table.dictionary,
                    split: split && target.len() == self.header.block_size,
                    bytes: self.table.block(index, self.bytes),
                };
                block
                    .decode(reference, &mut scratch.codecs, &mut scratch.buffers, target)
                    .map_err(|problem| self.error(index, problem))?;
            }
        }
        Ok(())
    }
}

/// The quiet NaN that the C library writes for elements of this size; empty if there is none.
pub(crate) fn nan(element_size: usize) -> &'static [u8] {
    match element_size {
        4 => &[0, 0, 0xc0, 0x7f],
        8 => &[0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
        _ => &[],
    }
}

/// Fills `target` as a part of `value` repeated: the part from byte `start` on.
pub(crate) fn repeat(value: &[u8], start: usize, target: &mut [u8]) {
    let begun = &value[start % value.len()..];
    let (first, rest) = target.split_at_mut(begun.len().min(target.len()));
    first.copy_from_slice(&begun[..first.len()]);
    for element in rest.chunks_mut(value.len()) {
        element.copy_from_slice(&value[..element.len()]);
    }
}

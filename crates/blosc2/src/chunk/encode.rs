//! Writes a chunk: its header, the offsets of its blocks, and their streams one after the other.

use alloc::vec::Vec;

use codec::{bitshuffle, shuffle};

use super::header;
use crate::codec::StreamEncoder;
use crate::error::{Error, Problem};
use crate::settings::{Settings, Transform};

/// Shorter chunks are stored, in bytes.
const MIN_LEN: usize = 32;

/// A chunk to be written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) settings: &'a Settings,
    /// Bytes of the chunk, padding of its blocks included.
    pub(crate) decoded_len: usize,
    /// Bytes of all blocks but the last.
    pub(crate) block_size: usize,
}

/// Memory of the encoder: the block at hand, as it is and filtered.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    block: Vec<u8>,
    filtered: Vec<u8>,
}

/// Writes the chunk to the end of `target`. `fill` puts the elements of a block, by its number, in a buffer of its length
/// that may hold anything.
///
/// What does not shrink is stored as it is.
///
/// # Errors
/// [`Error::Block`] when this build has no such compressor.
pub(crate) fn encode(
    plan: Plan<'_>,
    encoder: &mut StreamEncoder,
    buffers: &mut Buffers,
    mut fill: impl FnMut(usize, &mut [u8]),
    target: &mut Vec<u8>,
) -> Result<(), Error> {
    let start = target.len();
    let stored_len = header::LONG_LEN + plan.decoded_len;
    if plan.compresses() {
        target.resize(start + header::LONG_LEN + 4 * plan.block_count(), 0);
        for index in 0..plan.block_count() {
            let offset = i32_bytes(target.len() - start);
            target[start + header::LONG_LEN + 4 * index..][..4].copy_from_slice(&offset);
            let block = plan.block(index, buffers, &mut fill);
            plan.encode_block(block, encoder, target).map_err(|problem| Error::Block {
                block: index,
                chunk: 0,
                problem,
            })?;
            if target.len() - start > stored_len {
                break;
            }
        }
    }
    let is_stored = !plan.compresses() || target.len() - start > stored_len;
    if is_stored {
        target.truncate(start);
        target.resize(start + header::LONG_LEN, 0);
        for index in 0..plan.block_count() {
            let at = target.len();
            target.resize(at + plan.block_len(index), 0);
            fill(index, &mut target[at..]);
        }
    }
    let header = header::encode(&plan, is_stored, target.len() - start);
    target[start..][..header::LONG_LEN].copy_from_slice(&header);
    Ok(())
}

/// A length within a chunk, which is shorter than 2 GiB.
pub(super) fn i32_bytes(len: usize) -> [u8; 4] {
    i32::try_from(len).expect("a chunk is shorter than 2 GiB").to_le_bytes()
}

impl Plan<'_> {
    fn block_count(&self) -> usize {
        self.decoded_len.div_ceil(self.block_size)
    }

    fn block_len(&self, index: usize) -> usize {
        self.block_size.min(self.decoded_len - index * self.block_size)
    }

    /// Whether compression is worth a try.
    pub(super) fn compresses(&self) -> bool {
        self.settings.level > 0 && self.decoded_len >= MIN_LEN
    }

    /// Whether whole blocks have a stream for each byte of the element.
    pub(super) fn splits(&self) -> bool {
        self.settings.splits(self.block_size)
    }

    /// The block, filtered.
    fn block<'b>(
        &self,
        index: usize,
        Buffers { block, filtered }: &'b mut Buffers,
        fill: &mut impl FnMut(usize, &mut [u8]),
    ) -> &'b [u8] {
        let (len, element_size) = (self.block_len(index), self.settings.element_size);
        block.resize(len, 0);
        fill(index, block);
        filtered.resize(len, 0);
        match self.settings.transform {
            Transform::None => return block,
            Transform::Shuffle if element_size == 1 => return block,
            Transform::Shuffle => shuffle::shuffle(element_size, block, filtered),
            Transform::BitShuffle => bitshuffle::bitshuffle(element_size, block, filtered),
        }
        filtered
    }

    fn encode_block(
        &self,
        block: &[u8],
        encoder: &mut StreamEncoder,
        target: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let is_split = self.splits() && block.len() == self.block_size;
        let count = if is_split { self.settings.element_size } else { 1 };
        for stream in block.chunks_exact(block.len() / count) {
            write_stream(stream, encoder, target)?;
        }
        Ok(())
    }
}

/// Writes a stream as [`super::block`] reads it.
fn write_stream(
    stream: &[u8],
    encoder: &mut StreamEncoder,
    target: &mut Vec<u8>,
) -> Result<(), Problem> {
    if let Some(value) = only_value(stream) {
        target.extend_from_slice(&(-i32::from(value)).to_le_bytes());
        if value != 0 {
            target.push(1);
        }
        return Ok(());
    }
    let at = target.len();
    target.extend_from_slice(&[0; 4]);
    encoder.encode(stream, target)?;
    let mut len = target.len() - at - 4;
    if len >= stream.len() {
        target.truncate(at + 4);
        target.extend_from_slice(stream);
        len = stream.len();
    }
    target[at..][..4].copy_from_slice(&i32_bytes(len));
    Ok(())
}

/// The byte that is all that `bytes` hold.
fn only_value(bytes: &[u8]) -> Option<u8> {
    let first = *bytes.first()?;
    is_all(first, bytes).then_some(first)
}

/// Whether there is nothing but `value`.
pub(crate) fn is_all(value: u8, bytes: &[u8]) -> bool {
    // Without a way out inside of it, the comparison of a piece is done with vectors.
    let same = |piece: &[u8]| piece.iter().fold(0, |differs, byte| differs | (byte ^ value)) == 0;
    let (pieces, rest) = bytes.as_chunks::<64>();
    pieces.iter().all(|piece| same(piece)) && same(rest)
}

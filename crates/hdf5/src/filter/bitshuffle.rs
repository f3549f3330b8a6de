//! Bitshuffle (filter 32008): bits regrouped in blocks of some KiB, each compressed by itself or not at all.
//!
//! Client data: two version numbers, element size, elements of a block (0: chosen by the element's size), what
//! compresses the blocks (0 nothing, 2 LZ4, 3 Zstandard), level. Compressed data begins like that of filter 32004, the
//! block's length being that of its elements. The last block has what is left, rounded down to 8 elements; the
//! elements after it are stored as they are.

use alloc::vec;
use alloc::vec::Vec;

use super::lz4::{split_block, split_header};
use super::{Filter, FilterContext, codec_problem};
use crate::error::Problem;

/// Undoes bitshuffle and the compression inside it.
#[derive(Debug)]
pub(super) struct Bitshuffle;

/// Elements that share the bytes of a bit row.
const GROUP: usize = 8;

impl Filter for Bitshuffle {
    fn id(&self) -> u16 {
        32_008
    }

    fn name(&self) -> &'static str {
        "bitshuffle"
    }

    fn decode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let [_major, _minor, element_size, block_elements, rest @ ..] = context.client_data else {
            return Err(Problem::invalid("fewer than 4 filter parameters"));
        };
        let element_size = *element_size as usize;
        if element_size == 0 {
            return Err(Problem::invalid("elements of 0 bytes"));
        }
        let compressor = match rest.first() {
            None | Some(0) => {
                super::check_len(input.len(), context)?;
                let block = block_len(*block_elements as usize, element_size)?;
                stored(input, element_size, block, output);
                return Ok(());
            }
            Some(2) => Compressor::Lz4,
            Some(3) => Compressor::Zstandard(codec::zstd::Decoder::new()),
            Some(other) => {
                return Err(Problem::unsupported(alloc::format!("compression {other}")));
            }
        };
        let (total, block, blocks) = split_header(input)?;
        super::check_len(total, context)?;
        if block.checked_rem(element_size.saturating_mul(GROUP)) != Some(0) {
            return Err(Problem::invalid(alloc::format!("blocks of {block} bytes")));
        }
        compressed(compressor, blocks, (total, block, element_size), output)
    }
}

enum Compressor {
    Lz4,
    Zstandard(codec::zstd::Decoder),
}

impl Compressor {
    fn decode(&mut self, block: &[u8], target: &mut [u8]) -> Result<(), Problem> {
        match self {
            Self::Lz4 => codec::lz4::decode(block, target),
            Self::Zstandard(decoder) => decoder.decode(block, target),
        }
        .map_err(codec_problem)
    }
}

/// Bytes of a block whose number of elements the writer may have left to the filter.
fn block_len(elements: usize, element_size: usize) -> Result<usize, Problem> {
    const TARGET_BYTES: usize = 8192;
    const LEAST_ELEMENTS: usize = 128;
    let elements = match elements {
        0 => codec::bitshuffle::shuffled_bytes(
            1,
            TARGET_BYTES.checked_div(element_size).unwrap_or(0),
        )
        .max(LEAST_ELEMENTS),
        given if given % GROUP == 0 => given,
        given => return Err(Problem::invalid(alloc::format!("blocks of {given} elements"))),
    };
    Ok(elements.saturating_mul(element_size))
}

/// Blocks without compression.
fn stored(input: &[u8], element_size: usize, block: usize, output: &mut Vec<u8>) {
    output.resize(input.len(), 0);
    for (from, to) in input.chunks(block).zip(output.chunks_mut(block)) {
        codec::bitshuffle::bitunshuffle(element_size, from, to);
    }
}

/// Compressed blocks, then the elements that fill no group of 8.
fn compressed(
    mut compressor: Compressor,
    mut blocks: &[u8],
    (total, block, element_size): (usize, usize, usize),
    output: &mut Vec<u8>,
) -> Result<(), Problem> {
    let mut bits = Vec::new();
    loop {
        let left = total.saturating_sub(output.len()).min(block);
        let len = codec::bitshuffle::shuffled_bytes(element_size, left);
        if len == 0 {
            break;
        }
        let (stored, rest) = split_block(blocks)?;
        blocks = rest;
        // A block is some KiB; one that claims to be large must have the bytes for it.
        if len > LARGE_BLOCK && len / MOST_GAIN > stored.len() {
            return Err(Problem::EndsEarly);
        }
        if bits.len() < len {
            bits = vec![0; len];
        }
        let bits = bits.get_mut(..len).unwrap_or_default();
        compressor.decode(stored, bits)?;
        let start = output.len();
        output.resize(start.saturating_add(len), 0);
        let to = output.get_mut(start..).unwrap_or_default();
        codec::bitshuffle::bitunshuffle(element_size, bits, to);
    }
    let left = total.saturating_sub(output.len());
    output.extend_from_slice(blocks.get(..left).ok_or(Problem::EndsEarly)?);
    Ok(())
}

/// Bytes that are allocated without question.
const LARGE_BLOCK: usize = 1 << 20;

/// Zstandard can gain far more than this on constant data, but in blocks above [`LARGE_BLOCK`] no writer meets it.
const MOST_GAIN: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::super::tests::{context, decode};
    use super::*;

    /// 19 numbers of 2 bytes.
    fn numbers() -> Vec<u8> {
        (0..38).map(|i| i * 5).collect()
    }

    fn shuffled(element_size: usize, data: &[u8]) -> Vec<u8> {
        let mut bits = vec![0; data.len()];
        codec::bitshuffle::bitshuffle(element_size, data, &mut bits);
        bits
    }

    #[test]
    fn blocks_without_compression() {
        let input = [shuffled(2, &numbers()[..16]), shuffled(2, &numbers()[16..])].concat();
        assert_eq!(decode(&Bitshuffle, &context(&[0, 4, 2, 8, 0], 38), &input).unwrap(), numbers());
        let one = shuffled(2, &numbers());
        assert_eq!(decode(&Bitshuffle, &context(&[0, 4, 2, 0], 38), &one).unwrap(), numbers());
    }

    #[test]
    fn compressed_blocks_and_what_fills_no_group() {
        let mut input = [&38_u64.to_be_bytes()[..], &32_u32.to_be_bytes()].concat();
        // One LZ4 sequence of 32 literals: 15 in the token, 17 more.
        input.extend([0, 0, 0, 34, 0xf0, 17]);
        input.extend(shuffled(2, &numbers()[..32]));
        input.extend(&numbers()[32..]);
        assert_eq!(
            decode(&Bitshuffle, &context(&[0, 4, 2, 16, 2], 38), &input).unwrap(),
            numbers()
        );
        input.pop();
        assert_eq!(
            decode(&Bitshuffle, &context(&[0, 4, 2, 16, 2], 38), &input),
            Err(Problem::EndsEarly)
        );
    }

    #[test]
    fn hostile_headers() {
        let header = |total: u64, block: u32| {
            [&total.to_be_bytes()[..], &block.to_be_bytes(), &[0, 0, 0, 1, 0]].concat()
        };
        let lz4 = [0, 4, 2, 0, 2];
        let max = usize::MAX;
        assert!(decode(&Bitshuffle, &context(&lz4, 1 << 20), &header(1 << 40, 8192)).is_err());
        assert!(decode(&Bitshuffle, &context(&lz4, max), &header(1 << 40, 1 << 31)).is_err());
        assert!(decode(&Bitshuffle, &context(&lz4, max), &header(64, 0)).is_err());
        assert!(decode(&Bitshuffle, &context(&lz4, max), &header(64, 17)).is_err());
        for wrong in [&[0, 4, 0, 0][..], &[0, 4, 2, 9], &[0, 4, 2, 0, 1], &[0, 4]] {
            assert!(decode(&Bitshuffle, &context(wrong, max), &[0; 64]).is_err());
        }
    }
}

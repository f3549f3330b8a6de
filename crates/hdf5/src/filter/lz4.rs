//! LZ4 (filter 32004): blocks of LZ4, each with its stored size; a block that did not shrink is stored as it is.
//!
//! | bytes | field, big-endian |
//! | --- | --- |
//! | 8 | decoded bytes |
//! | 4 | decoded bytes of a block; the last one has what is left |
//! | 4 | per block: stored bytes |
//! | | the block |

use alloc::vec::Vec;

use super::{Filter, FilterContext, codec_problem};
use crate::error::Problem;

/// Decodes LZ4.
#[derive(Debug)]
pub(super) struct Lz4;

impl Filter for Lz4 {
    fn id(&self) -> u16 {
        32_004
    }

    fn name(&self) -> &'static str {
        "lz4"
    }

    fn decode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let (total, block_len, mut blocks) = split_header(input)?;
        super::check_len(total, context)?;
        while output.len() < total {
            let len = block_len.min(total.saturating_sub(output.len()));
            let (block, rest) = split_block(blocks)?;
            decode_block(block, len, output)?;
            blocks = rest;
        }
        Ok(())
    }
}

/// Decoded bytes, decoded bytes of a block, and the blocks. Bitshuffle's streams begin in the same way.
pub(super) fn split_header(input: &[u8]) -> Result<(usize, usize, &[u8]), Problem> {
    let (total, rest) = input.split_first_chunk::<8>().ok_or(Problem::EndsEarly)?;
    let (block, rest) = rest.split_first_chunk::<4>().ok_or(Problem::EndsEarly)?;
    let total = usize::try_from(u64::from_be_bytes(*total)).unwrap_or(usize::MAX);
    let block = usize::try_from(u32::from_be_bytes(*block)).unwrap_or(usize::MAX);
    if block == 0 && total > 0 {
        return Err(Problem::invalid("blocks of 0 bytes"));
    }
    Ok((total, block, rest))
}

/// The stored bytes of a block, and what follows them.
pub(super) fn split_block(input: &[u8]) -> Result<(&[u8], &[u8]), Problem> {
    let (len, rest) = input.split_first_chunk::<4>().ok_or(Problem::EndsEarly)?;
    let len = usize::try_from(u32::from_be_bytes(*len)).unwrap_or(usize::MAX);
    rest.split_at_checked(len).ok_or(Problem::EndsEarly)
}

fn decode_block(block: &[u8], len: usize, output: &mut Vec<u8>) -> Result<(), Problem> {
    if block.len() == len {
        output.extend_from_slice(block);
        return Ok(());
    }
    // LZ4 gives at most 255 bytes for each one that it reads.
    if len > block.len().saturating_mul(255) {
        return Err(Problem::EndsEarly);
    }
    let start = output.len();
    output.resize(start.saturating_add(len), 0);
    codec::lz4::decode(block, output.get_mut(start..).unwrap_or_default()).map_err(codec_problem)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{context, decode};
    use super::*;

    #[test]
    fn blocks_are_compressed_or_stored() {
        let mut input = [&12_u64.to_be_bytes()[..], &10_u32.to_be_bytes()].concat();
        input.extend([0, 0, 0, 6, 0x24, b'a', b'b', 2, 0, 0x00]);
        input.extend([0, 0, 0, 2, b'x', b'y']);
        assert_eq!(decode(&Lz4, &context(&[], 12), &input).unwrap(), b"abababababxy");
        assert!(decode(&Lz4, &context(&[], 11), &input).is_err());
        input.pop();
        assert_eq!(decode(&Lz4, &context(&[], 12), &input), Err(Problem::EndsEarly));
    }

    #[test]
    fn a_claim_of_a_terabyte_allocates_nothing() {
        let mut input = [&(1_u64 << 40).to_be_bytes()[..], &u32::MAX.to_be_bytes()].concat();
        input.extend([0, 0, 0, 1, 0]);
        assert_eq!(decode(&Lz4, &context(&[], usize::MAX), &input), Err(Problem::EndsEarly));
        assert!(decode(&Lz4, &context(&[], 1 << 20), &input).is_err());
    }
}

//! Zstandard (filter 32015): one frame, which need not state its content's size.

use alloc::vec::Vec;

use super::{Filter, FilterContext, codec_problem};
use crate::error::Problem;

/// Decodes Zstandard.
#[derive(Debug)]
pub(super) struct Zstandard;

impl Filter for Zstandard {
    fn id(&self) -> u16 {
        32_015
    }

    fn name(&self) -> &'static str {
        "zstd"
    }

    fn decode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        codec::zstd::Decoder::new()
            .decode_at_most(input, context.max_decoded_bytes, output)
            .map_err(codec_problem)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{context, decode};
    use super::*;

    #[test]
    fn decodes_a_frame_up_to_the_cap() {
        // Frame header without a content size, then one last block: `z` repeated 100 times.
        let frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x00, 0x23, 0x03, 0x00, b'z'];
        assert_eq!(decode(&Zstandard, &context(&[3], 100), &frame).unwrap(), [b'z'; 100]);
        assert!(decode(&Zstandard, &context(&[3], 99), &frame).is_err());
        assert!(decode(&Zstandard, &context(&[3], 100), &frame[..7]).is_err());
    }
}

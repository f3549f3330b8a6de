//! Deflate (filter 1): one zlib stream. Spec: HDF5 File Format 3.0, IV.A.2.l.

use alloc::vec::Vec;

use super::{Filter, FilterContext, codec_problem};
use crate::error::Problem;

/// Inflates.
#[derive(Debug)]
pub(super) struct Deflate;

impl Filter for Deflate {
    fn id(&self) -> u16 {
        1
    }

    fn name(&self) -> &'static str {
        "deflate"
    }

    fn decode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        codec::deflate::Decoder::new()
            .decode_at_most(input, context.max_decoded_bytes, output)
            .map_err(codec_problem)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{context, decode};
    use super::*;

    /// `zlib.compress(b"abcabcabc")` of Python 3.13.
    const STREAM: [u8; 13] =
        [0x78, 0x9c, 0x4b, 0x4c, 0x4a, 0x4e, 0x04, 0x23, 0x00, 0x11, 0x3d, 0x03, 0x73];

    #[test]
    fn decodes_a_stream_up_to_the_cap() {
        assert_eq!(decode(&Deflate, &context(&[4], 9), &STREAM).unwrap(), b"abcabcabc");
        assert!(decode(&Deflate, &context(&[4], 8), &STREAM).is_err());
        assert!(decode(&Deflate, &context(&[4], 9), &STREAM[..9]).is_err());
    }
}

//! Deflate (filter 1): one zlib stream. Spec: HDF5 File Format 3.0, IV.A.2.l.

use alloc::vec::Vec;

use super::{Filter, FilterContext, codec_problem};
use crate::error::Problem;

/// Inflates and deflates. The client data is the level, 0 to 9.
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

    #[cfg(feature = "encode")]
    fn encode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let level = match context.client_data {
            [level, ..] => u8::try_from(*level).ok().filter(|level| *level <= 9),
            [] => None,
        };
        let level =
            level.ok_or(Problem::invalid("no level from 0 to 9 in the filter parameters"))?;
        codec::deflate::Encoder::new(level).encode(input, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{context, decode, encode};
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

    #[test]
    #[cfg(feature = "encode")]
    fn encodes_at_the_level_of_the_parameters() {
        let data = [b'a'; 1000];
        let stored = encode(&Deflate, &context(&[0], 1000), &data).unwrap();
        let small = encode(&Deflate, &context(&[4], 1000), &data).unwrap();
        assert!(stored.len() > 1000 && small.len() < 50, "{} {}", stored.len(), small.len());
        for stream in [stored, small] {
            assert_eq!(decode(&Deflate, &context(&[4], 1000), &stream).unwrap(), data);
        }
        assert!(encode(&Deflate, &context(&[10], 9), b"a").is_err());
        assert!(encode(&Deflate, &context(&[], 9), b"a").is_err());
    }
}

//! Deflate in its zlib wrapper, as HDF5's filter 1 and Blosc2's zlib codec store it.

use alloc::vec::Vec;

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use crate::Error;

const CODEC: &str = "zlib";

/// Room for the output before anything is known about it, in bytes.
const FIRST_ROOM: usize = 4096;

/// A zlib decoder; it keeps its tables and its window from one stream to the next.
#[derive(Debug)]
pub struct Decoder {
    state: Decompress,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder.
    pub fn new() -> Self {
        Self { state: Decompress::new(true) }
    }

    /// Decodes the stream at the start of `source`, which must fill `target` exactly.
    ///
    /// # Errors
    /// [`Error::Damaged`] when the stream is malformed or ends early, [`Error::Length`] when it is shorter,
    /// [`Error::TooLong`] when it is longer.
    pub fn decode(&mut self, source: &[u8], target: &mut [u8]) -> Result<(), Error> {
        let expected = target.len() as u64;
        self.state.reset(true);
        match self.state.decompress(source, target, FlushDecompress::Finish) {
            Ok(Status::StreamEnd) if self.state.total_out() == expected => Ok(()),
            Ok(Status::StreamEnd) => {
                Err(Error::Length { codec: CODEC, found: self.state.total_out(), expected })
            }
            Ok(Status::Ok | Status::BufError) if self.state.total_out() == expected => {
                self.end(source, expected)
            }
            _ => Err(Error::Damaged { codec: CODEC }),
        }
    }

    /// Decodes the stream at the start of `source` to the end of `target`: at most `max` bytes.
    ///
    /// Memory grows with what is decoded.
    ///
    /// # Errors
    /// [`Error::Damaged`] when the stream is malformed or ends early, [`Error::TooLong`] when it is longer.
    pub fn decode_at_most(
        &mut self,
        source: &[u8],
        max: usize,
        target: &mut Vec<u8>,
    ) -> Result<(), Error> {
        self.state.reset(true);
        let start = target.len();
        loop {
            let done = target.len() - start;
            if done == max {
                return self.end(source, max as u64);
            }
            let room = done.max(source.len().saturating_mul(4)).max(FIRST_ROOM).min(max - done);
            target.resize(target.len() + room, 0);
            let read = to_usize(self.state.total_in());
            let status = self.state.decompress(
                &source[read..],
                &mut target[start + done..],
                FlushDecompress::None,
            );
            let decoded = to_usize(self.state.total_out());
            target.truncate(start + decoded);
            match status {
                Ok(Status::StreamEnd) => return Ok(()),
                Ok(_) if decoded > done => {}
                _ => return Err(Error::Damaged { codec: CODEC }),
            }
        }
    }

    /// Reads what may follow when all bytes are there: the end mark and the checksum.
    fn end(&mut self, source: &[u8], max: u64) -> Result<(), Error> {
        let read = to_usize(self.state.total_in());
        match self.state.decompress(&source[read..], &mut [0], FlushDecompress::Finish) {
            Ok(Status::StreamEnd) if self.state.total_out() == max => Ok(()),
            _ if self.state.total_out() > max => Err(Error::TooLong { codec: CODEC, max }),
            _ => Err(Error::Damaged { codec: CODEC }),
        }
    }
}

/// A zlib encoder of one level; it keeps its tables and its window from one stream to the next.
#[derive(Debug)]
pub struct Encoder {
    state: Compress,
}

impl Encoder {
    /// An encoder of `level`, 0 (stored) to 9 (smallest); a larger one counts as 9.
    pub fn new(level: u8) -> Self {
        Self { state: Compress::new(Compression::new(level.min(9).into()), true) }
    }

    /// Encodes `source` as one stream to the end of `target`.
    pub fn encode(&mut self, source: &[u8], target: &mut Vec<u8>) {
        self.state.reset();
        loop {
            target.reserve(source.len() / 2 + FIRST_ROOM);
            if self.step(source, target) == Status::StreamEnd {
                break;
            }
        }
    }

    /// Goes on until the stream ends or the room in `target` does.
    fn step(&mut self, source: &[u8], target: &mut Vec<u8>) -> Status {
        let rest = &source[to_usize(self.state.total_in())..];
        let status = self.state.compress_vec(rest, target, FlushCompress::Finish);
        status.expect("a stream that has not ended takes input")
    }
}

/// A count of bytes in memory.
fn to_usize(count: u64) -> usize {
    usize::try_from(count).expect("the bytes counted lie in a slice")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec;

    fn encode(data: &[u8]) -> Vec<u8> {
        let mut stream = Vec::new();
        Encoder::new(6).encode(data, &mut stream);
        stream
    }

    #[test]
    fn an_encoder_starts_afresh_with_every_stream() {
        let mut encoder = Encoder::new(4);
        let data: Vec<u8> =
            (0..200_000_u32).flat_map(|i| i.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect();
        let (mut first, mut again) = (Vec::new(), vec![7]);
        encoder.encode(&data, &mut first);
        encoder.encode(&data, &mut again);
        assert_eq!(first, again[1..]);
        let mut back = vec![0; data.len()];
        assert_eq!(Decoder::new().decode(&first, &mut back), Ok(()));
        assert_eq!(back, data);
    }

    #[test]
    fn another_length_is_an_error() {
        let stream = encode(b"twelve bytes");
        let mut decoder = Decoder::new();
        let too_short = decoder.decode(&stream, &mut [0; 13]);
        assert_eq!(too_short, Err(Error::Length { codec: CODEC, found: 12, expected: 13 }));
        let too_long = decoder.decode(&stream, &mut [0; 11]);
        assert_eq!(too_long, Err(Error::TooLong { codec: CODEC, max: 11 }));
        let too_long = decoder.decode_at_most(&stream, 11, &mut Vec::new());
        assert_eq!(too_long, Err(Error::TooLong { codec: CODEC, max: 11 }));
        let cut = decoder.decode(&stream[..stream.len() - 1], &mut [0; 12]);
        assert_eq!(cut, Err(Error::Damaged { codec: CODEC }));
    }

    #[test]
    fn a_stream_of_zeros_that_needs_several_rounds() {
        let stream = encode(&vec![0; 1 << 20]);
        let mut out = vec![7];
        Decoder::new().decode_at_most(&stream, 2 << 20, &mut out).unwrap();
        assert_eq!(out.len(), (1 << 20) + 1);
        assert_eq!(&out[..3], &[7, 0, 0]);
    }

    proptest! {
        #[test]
        fn decodes_what_was_encoded(data: Vec<u8>) {
            let stream = encode(&data);
            let mut decoder = Decoder::new();
            let mut exact = vec![0; data.len()];
            prop_assert_eq!(decoder.decode(&stream, &mut exact), Ok(()));
            prop_assert_eq!(&exact, &data);
            let mut grown = Vec::new();
            prop_assert_eq!(decoder.decode_at_most(&stream, data.len(), &mut grown), Ok(()));
            prop_assert_eq!(&grown, &data);
        }
    }
}

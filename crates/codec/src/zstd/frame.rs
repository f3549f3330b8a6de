//! What can be known of a Zstandard frame without decoding it. Spec: RFC 8878, 3.1.1.

use super::{CODEC, MAX_WINDOW};
use crate::Error;

const MAGIC: u32 = 0xfd2f_b528;

/// The most that one block decodes to, in bytes.
const MAX_BLOCK: u64 = 128 << 10;

/// One whole frame and what its header and block headers promise.
pub(super) struct Frame<'a> {
    /// All of it, from the magic number to the checksum.
    #[cfg_attr(
        not(any(feature = "zstd-rust", feature = "zstd-c", feature = "zstd-small")),
        expect(dead_code, reason = "nobody decodes it in this build")
    )]
    pub(super) bytes: &'a [u8],
    /// How many bytes it decodes to, if it says so.
    pub(super) content_size: Option<u64>,
    /// The dictionary that it needs; 0 if it names none.
    #[cfg_attr(
        not(feature = "zstd-small"),
        expect(dead_code, reason = "others check it themselves")
    )]
    pub(super) dictionary_id: u32,
    /// The most that its blocks can decode to, in bytes.
    pub(super) bound: u64,
}

impl<'a> Frame<'a> {
    /// Reads the headers of the frame that `bytes` is; nothing may follow it.
    ///
    /// | field | bytes |
    /// | --- | --- |
    /// | magic number | 4 |
    /// | descriptor: content size width, single segment, checksum, dictionary width | 1 |
    /// | window | 1, absent from a single segment |
    /// | dictionary | 0, 1, 2 or 4 |
    /// | content size | 0, 1, 2, 4 or 8 |
    /// | blocks: 3 bytes of last, kind and size each, then the content | |
    /// | checksum | 0 or 4 |
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut rest = bytes;
        if take(&mut rest, 4)? != u64::from(MAGIC) {
            return Err(DAMAGED);
        }
        let descriptor = take(&mut rest, 1)?;
        let single_segment = descriptor & 0x20 != 0;
        if descriptor & 0x08 != 0 {
            return Err(DAMAGED);
        }
        let window = if single_segment { None } else { Some(window(take(&mut rest, 1)?)) };
        let dictionary_id = take(&mut rest, [0, 1, 2, 4][(descriptor & 3) as usize])?;
        let content_size = match descriptor >> 6 {
            0 if single_segment => Some(take(&mut rest, 1)?),
            0 => None,
            1 => Some(take(&mut rest, 2)? + 256),
            2 => Some(take(&mut rest, 4)?),
            _ => Some(take(&mut rest, 8)?),
        };
        if window.is_some_and(|window| window > MAX_WINDOW.max(content_size.unwrap_or(0))) {
            return Err(Error::Unsupported { codec: CODEC, what: "a window of more than 8 MiB" });
        }
        let bound = blocks(&mut rest)?;
        let checksum = if descriptor & 0x04 == 0 { 0 } else { 4 };
        if rest.len() != checksum || content_size.is_some_and(|size| size > bound) {
            return Err(DAMAGED);
        }
        let dictionary_id = u32::try_from(dictionary_id).expect("at most 4 bytes were read");
        Ok(Self { bytes, content_size, dictionary_id, bound })
    }

    /// Refuses a frame that says, or whose blocks show, that it is not of `len` bytes.
    pub(super) fn expect_len(&self, len: usize) -> Result<(), Error> {
        let expected = len as u64;
        match self.content_size {
            Some(found) if found != expected => {
                Err(Error::Length { codec: CODEC, found, expected })
            }
            None if self.bound < expected => Err(DAMAGED),
            _ => Ok(()),
        }
    }
}

const DAMAGED: Error = Error::Damaged { codec: CODEC };

/// Walks over the blocks and returns the most that they can decode to, in bytes.
fn blocks(rest: &mut &[u8]) -> Result<u64, Error> {
    let mut bound = 0_u64;
    loop {
        let header = take(rest, 3)?;
        let size = header >> 3;
        let (stored, decoded) = match header >> 1 & 3 {
            0 => (size, size),
            1 => (1, size),
            2 => (size, MAX_BLOCK),
            _ => return Err(DAMAGED),
        };
        if size > MAX_BLOCK {
            return Err(DAMAGED);
        }
        let stored = usize::try_from(stored).expect("at most 128 KiB");
        *rest = rest.get(stored..).ok_or(DAMAGED)?;
        bound = bound.saturating_add(decoded);
        if header & 1 == 1 {
            return Ok(bound);
        }
    }
}

/// The window size that a window descriptor stands for, in bytes.
fn window(descriptor: u64) -> u64 {
    let base = 1 << (10 + (descriptor >> 3));
    base + base / 8 * (descriptor & 7)
}

/// Takes a little-endian integer of `width` bytes, at most 8, off the front.
fn take(rest: &mut &[u8], width: usize) -> Result<u64, Error> {
    let (bytes, after) = rest.split_at_checked(width).ok_or(DAMAGED)?;
    *rest = after;
    Ok(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// A frame of one run of `size` bytes, with its content size.
    fn run(content_size: u8, size: u32) -> Vec<u8> {
        let mut frame = std::vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, content_size];
        frame.extend_from_slice(&(size << 3 | 0b011).to_le_bytes()[..3]);
        frame.push(7);
        frame
    }

    #[test]
    fn the_content_size_is_checked_against_the_blocks() {
        let frame = run(9, 9);
        let parsed = Frame::parse(&frame).unwrap();
        assert_eq!((parsed.content_size, parsed.bound), (Some(9), 9));
        assert!(parsed.expect_len(9).is_ok());
        assert!(parsed.expect_len(8).is_err());
        assert_eq!(Frame::parse(&run(9, 8)).err(), Some(DAMAGED));
    }

    #[test]
    fn a_cut_off_frame_and_a_tail_are_refused() {
        let mut frame = run(9, 9);
        for len in 0..frame.len() {
            assert_eq!(Frame::parse(&frame[..len]).err(), Some(DAMAGED));
        }
        frame.push(0);
        assert_eq!(Frame::parse(&frame).err(), Some(DAMAGED));
    }
}

//! The trailer of a frame: its length, which stands near its end, is all that reading needs.

#![warn(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use nom::Parser;

use crate::error::{FormatError, Problem};
use crate::parse::{Failure, Parsed, field, marker, parse_at};

/// Bytes of the smallest trailer, and of its end: the length and a fingerprint of 18 bytes.
const MIN_LEN: usize = 35;
const END_LEN: usize = 23;

/// Reads how long the trailer of `frame` is. It follows the chunks, which end `chunks_end` bytes into the frame.
pub(super) fn len(frame: &[u8], chunks_end: usize) -> Result<usize, FormatError> {
    let max = frame.len().saturating_sub(chunks_end);
    let start = frame.len().saturating_sub(END_LEN);
    let end = frame.get(start..).unwrap_or_default();
    parse_at("Blosc2 trailer", start, end, field("length", length(max)))
}

/// The smallest trailer: no metalayers, no fingerprint.
pub(super) const ENCODED: [u8; MIN_LEN] = *b"\x94\x01\x93\xcd\x00\x06\xde\x00\x00\xdc\x00\x00\
    \xce\x00\x00\x00\x23\xd8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00";

/// A msgpack uint 32 that fits in what is there.
fn length<'a>(max: usize) -> impl FnMut(&'a [u8]) -> Parsed<'a, usize> {
    move |input: &'a [u8]| {
        let (rest, ()) = marker(0xce)(input)?;
        let (rest, found) = nom::number::complete::be_u32.parse(rest)?;
        match usize::try_from(found) {
            Ok(len) if (MIN_LEN..=max).contains(&len) => Ok((rest, len)),
            _ => {
                let (min, max) = (MIN_LEN as u64, max as u64);
                let [min, max] = [min, max].map(|len| i64::try_from(len).unwrap_or(i64::MAX));
                Err(Failure::at(input, Problem::Range { found: found.into(), min, max }))
            }
        }
    }
}

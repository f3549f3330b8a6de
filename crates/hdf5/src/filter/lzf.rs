//! LZF (filter 32000): the fast compressor that h5py brings along.
//!
//! A stream of runs, each led by one byte:
//!
//! | first byte | follows | meaning |
//! | --- | --- | --- |
//! | `000lllll` | `l` + 1 bytes | these bytes |
//! | `lllooooo` | `o` | copy `l` + 2 bytes from `o` + 1 bytes back, `o` being 13 bits |
//! | `111ooooo` | `l`, `o` | copy `l` + 9 bytes, likewise |

use alloc::vec::Vec;

use super::{Filter, FilterContext};
use crate::error::Problem;

/// Decodes LZF.
#[derive(Debug)]
pub(super) struct Lzf;

impl Filter for Lzf {
    fn id(&self) -> u16 {
        32_000
    }

    fn name(&self) -> &'static str {
        "lzf"
    }

    fn decode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let mut input = input;
        while let Some((lead, rest)) = input.split_first() {
            let (len, rest) = run_len(*lead, rest)?;
            super::check_len(output.len().saturating_add(len), context)?;
            input = if *lead < 32 {
                literals(len, rest, output)
            } else {
                copy(*lead, len, rest, output)
            }?;
        }
        Ok(())
    }
}

/// Bytes that a run gives.
fn run_len(lead: u8, rest: &[u8]) -> Result<(usize, &[u8]), Problem> {
    match lead >> 5 {
        0 => Ok((usize::from(lead).saturating_add(1), rest)),
        7 => {
            let (more, rest) = rest.split_first().ok_or(Problem::EndsEarly)?;
            Ok((usize::from(*more).saturating_add(9), rest))
        }
        len => Ok((usize::from(len).saturating_add(2), rest)),
    }
}

fn literals<'a>(len: usize, rest: &'a [u8], output: &mut Vec<u8>) -> Result<&'a [u8], Problem> {
    let (run, rest) = rest.split_at_checked(len).ok_or(Problem::EndsEarly)?;
    output.extend_from_slice(run);
    Ok(rest)
}

fn copy<'a>(
    lead: u8,
    len: usize,
    rest: &'a [u8],
    output: &mut Vec<u8>,
) -> Result<&'a [u8], Problem> {
    let (low, rest) = rest.split_first().ok_or(Problem::EndsEarly)?;
    let distance = usize::from(u16::from_be_bytes([lead & 0x1f, *low])).saturating_add(1);
    let start = (output.len().checked_sub(distance))
        .ok_or_else(|| Problem::invalid("a copy from before the first byte"))?;
    if distance >= len {
        output.extend_from_within(start..start.saturating_add(len));
    } else {
        // The run repeats what it writes itself.
        for from in start..start.saturating_add(len) {
            output.extend_from_within(from..from.saturating_add(1));
        }
    }
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{context, decode};
    use super::*;

    #[test]
    fn runs_and_copies() {
        // "ab", then 3 bytes from 2 back, then 10 bytes from 1 back.
        let stream = [1, b'a', b'b', 0b001_00000, 1, 0b111_00000, 1, 0];
        assert_eq!(decode(&Lzf, &context(&[], 15), &stream).unwrap(), b"ababaaaaaaaaaaa");
    }

    #[test]
    fn stops_at_the_cap_and_at_the_end() {
        let bomb = [0, b'a', 0b111_00000, 255, 0];
        assert!(matches!(
            decode(&Lzf, &context(&[], 100), &bomb),
            Err(Problem::AboveMaximum { found: 265, max: 100 })
        ));
        assert_eq!(decode(&Lzf, &context(&[], 100), &[3, 1]), Err(Problem::EndsEarly));
        assert!(decode(&Lzf, &context(&[], 100), &[0b001_00000, 0]).is_err());
    }
}

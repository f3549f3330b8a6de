//! Fletcher32 (filter 3): four bytes of checksum behind the data. Spec: HDF5 File Format 3.0, IV.A.2.l.

use alloc::vec::Vec;

use super::{Filter, FilterContext};
use crate::error::Problem;

/// Puts the checksum on; verifies it and takes it off.
#[derive(Debug)]
pub(super) struct Fletcher32;

impl Filter for Fletcher32 {
    fn id(&self) -> u16 {
        3
    }

    fn name(&self) -> &'static str {
        "fletcher32"
    }

    fn decode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let (data, stored) = input.split_last_chunk::<4>().ok_or(Problem::EndsEarly)?;
        super::check_len(data.len(), context)?;
        let computed = fletcher32(data);
        let found = u32::from_le_bytes(*stored);
        // Quirk: libhdf5 before 1.6.3 swapped the bytes of each half on little-endian machines.
        let [a, b, c, d] = *stored;
        if computed != found && computed != u32::from_le_bytes([b, a, d, c]) {
            return Err(Problem::Checksum { found, computed });
        }
        output.extend_from_slice(data);
        Ok(())
    }

    fn encode(
        &self,
        _: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        output.extend_from_slice(input);
        output.extend_from_slice(&fletcher32(input).to_le_bytes());
        Ok(())
    }
}

/// The sum of the big-endian 16-bit words and the sum of those sums, each folded to 16 bits.
///
/// An odd byte at the end is the upper half of a last word.
fn fletcher32(data: &[u8]) -> u32 {
    /// Words after which the sums are folded, so that 32 bits hold them.
    const WORDS: usize = 360;
    let (mut first, mut second) = (0_u32, 0_u32);
    let (words, odd) = data.as_chunks::<2>();
    for block in words.chunks(WORDS) {
        for word in block {
            first = first.wrapping_add(u32::from(u16::from_be_bytes(*word)));
            second = second.wrapping_add(first);
        }
        (first, second) = (fold(first), fold(second));
    }
    if let [byte] = odd {
        first = first.wrapping_add(u32::from(*byte) << 8);
        second = second.wrapping_add(first);
        (first, second) = (fold(first), fold(second));
    }
    second << 16 | first
}

/// Reduces modulo 65,535, where a sum that is not zero stays so.
fn fold(mut sum: u32) -> u32 {
    while sum > 0xffff {
        sum = (sum & 0xffff).wrapping_add(sum >> 16);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::tests::{context, decode, encode};
    use super::*;

    #[test]
    fn known_sums() {
        assert_eq!(fletcher32(b""), 0);
        assert_eq!(fletcher32(&[0; 9]), 0);
        assert_eq!(fletcher32(&[1, 2, 3, 4]), 0x0508_0406);
        assert_eq!(fletcher32(&[1, 2, 3]), 0x0504_0402);
        assert_eq!(fletcher32(&[0xff; 4]), 0xffff_ffff);
        let long: Vec<u8> = (0..5000_u32).map(|i| (i % 251) as u8).collect();
        let sums = long.chunks(2).fold((0_u64, 0_u64), |(first, second), word| {
            let first = first + u64::from(word[0]) * 256 + u64::from(word[1]);
            (first, second + first)
        });
        assert_eq!(u64::from(fletcher32(&long)), (sums.1 % 65_535) << 16 | (sums.0 % 65_535));
    }

    #[test]
    fn both_byte_orders_of_the_checksum_are_accepted_and_no_other() {
        let context = context(&[], 4);
        assert_eq!(decode(&Fletcher32, &context, &[1, 2, 3, 4, 6, 4, 8, 5]).unwrap(), [1, 2, 3, 4]);
        assert_eq!(encode(&Fletcher32, &context, &[1, 2, 3, 4]).unwrap(), [1, 2, 3, 4, 6, 4, 8, 5]);
        assert_eq!(decode(&Fletcher32, &context, &[1, 2, 3, 4, 4, 6, 5, 8]).unwrap(), [1, 2, 3, 4]);
        assert_eq!(
            decode(&Fletcher32, &context, &[1, 2, 3, 5, 6, 4, 8, 5]),
            Err(Problem::Checksum { found: 0x0508_0406, computed: 0x0509_0407 })
        );
        assert_eq!(decode(&Fletcher32, &context, &[0; 3]), Err(Problem::EndsEarly));
    }
}

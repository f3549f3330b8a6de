//! Reads integers of any width from a stream of bits, most significant bit first.

use crate::error::Problem;

/// A place in a stream of bits.
#[derive(Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> BitReader<'a> {
    /// A reader at the first bit of `bytes`.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// The next `width` bits, at most 64.
    ///
    /// # Errors
    /// [`Problem::EndsEarly`] when fewer are left.
    #[expect(clippy::cast_possible_truncation, reason = "the lowest three bits matter")]
    pub(super) fn take(&mut self, width: u32) -> Result<u64, Problem> {
        if width == 0 {
            return Ok(0);
        }
        let skipped = self.position as u32 % 8;
        let tail = self.bytes.get(self.position / 8..).ok_or(Problem::EndsEarly)?;
        let needed = skipped.saturating_add(width).div_ceil(8) as usize;
        if needed > tail.len() || width > 64 {
            return Err(Problem::EndsEarly);
        }
        self.position = self.position.saturating_add(width as usize);
        let head = if let Some(bytes) = tail.first_chunk::<8>() {
            u64::from_be_bytes(*bytes)
        } else {
            let mut bytes = [0; 8];
            bytes.iter_mut().zip(tail).for_each(|(to, from)| *to = *from);
            u64::from_be_bytes(bytes)
        };
        let aligned =
            head << skipped | u64::from(tail.get(8).copied().unwrap_or(0)) << skipped >> 8;
        Ok(aligned >> 64_u32.saturating_sub(width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn crosses_bytes() {
        let mut bits = BitReader::new(&[0b1010_0101, 0b1100_0011]);
        assert_eq!(bits.take(3), Ok(0b101));
        assert_eq!(bits.take(7), Ok(0b001_0111));
        assert_eq!(bits.take(6), Ok(0b00_0011));
        assert_eq!(bits.take(1), Err(Problem::EndsEarly));
    }

    proptest! {
        #[test]
        fn any_widths_give_the_bits_in_order(bytes: [u8; 24], widths in proptest::collection::vec(0_u32..=64, 1..6)) {
            let mut bits = BitReader::new(&bytes);
            let mut at = 0_usize;
            for width in widths {
                if at + width as usize > 192 {
                    prop_assert_eq!(bits.take(width), Err(Problem::EndsEarly));
                    break;
                }
                let expected = (at..at + width as usize)
                    .fold(0_u64, |value, bit| value << 1 | u64::from(bytes[bit / 8] >> (7 - bit % 8) & 1));
                prop_assert_eq!(bits.take(width), Ok(expected));
                at += width as usize;
            }
        }
    }
}

//! N-bit (filter 5): only the significant bits of each number, packed without gaps.
//!
//! The client data is the number of values, a flag that nothing is packed, the number of elements, then the datatype:
//!
//! | class | values that follow |
//! | --- | --- |
//! | 1 atomic | size, byte order (1: big-endian), precision, bit offset |
//! | 2 array | size, type of the elements |
//! | 3 compound | size, number of members, per member: offset, type |
//! | 4 anything else | size |
//!
//! Atomic values take `precision` bits of the stream, most significant first, other types all of theirs. The bits that
//! are not stored read as zero; making a signed number of fewer bits whole is up to who converts it.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::bits::BitReader;
use super::{Filter, FilterContext};
use crate::error::Problem;

/// Unpacks n-bit data.
#[derive(Debug)]
pub(super) struct Nbit;

impl Filter for Nbit {
    fn id(&self) -> u16 {
        5
    }

    fn name(&self) -> &'static str {
        "nbit"
    }

    fn decode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let [_count, not_packed, elements, datatype @ ..] = context.client_data else {
            return Err(Problem::invalid("fewer than 3 filter parameters"));
        };
        if *not_packed != 0 {
            super::check_len(input.len(), context)?;
            output.extend_from_slice(input);
            return Ok(());
        }
        let (layout, _) = BitLayout::parse(datatype, MAX_DEPTH)?;
        let elements = *elements as usize;
        super::check_len(elements.saturating_mul(layout.size()), context)?;
        if layout.bits().saturating_mul(elements as u64) > (input.len() as u64).saturating_mul(8) {
            return Err(Problem::EndsEarly);
        }
        output.resize(elements.saturating_mul(layout.size()), 0);
        let mut bits = BitReader::new(input);
        output
            .chunks_exact_mut(layout.size().max(1))
            .try_for_each(|element| layout.read(&mut bits, element))
    }
}

/// Arrays and compounds inside one another.
const MAX_DEPTH: u32 = 16;

/// Where the stored bits of a type go.
#[derive(Debug, PartialEq)]
enum BitLayout {
    /// The bits `offset..offset + precision` of a number.
    Number { size: usize, big_endian: bool, precision: u32, offset: u32 },
    /// One type after the other.
    Array { size: usize, base: Box<BitLayout> },
    /// Types at byte offsets.
    Compound { size: usize, members: Vec<(usize, BitLayout)> },
    /// All bits.
    Opaque { size: usize },
}

impl BitLayout {
    /// Reads a type from the client data, and gives back what follows it.
    fn parse(words: &[u32], depth: u32) -> Result<(Self, &[u32]), Problem> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(Problem::unsupported("a type nested this deeply"));
        };
        let (layout, rest) = match words {
            [1, size, order, precision, offset, rest @ ..] => {
                let (size, big_endian) = (*size as usize, *order == 1);
                let number =
                    Self::Number { size, big_endian, precision: *precision, offset: *offset };
                (number, rest)
            }
            [2, size, rest @ ..] => {
                let (base, rest) = Self::parse(rest, depth)?;
                (Self::Array { size: *size as usize, base: Box::new(base) }, rest)
            }
            [3, size, count, rest @ ..] => {
                let (mut members, mut rest) = (Vec::new(), rest);
                for _ in 0..*count {
                    let (offset, member) = rest.split_first().ok_or(Problem::EndsEarly)?;
                    let (member, after) = Self::parse(member, depth)?;
                    members.push((*offset as usize, member));
                    rest = after;
                }
                (Self::Compound { size: *size as usize, members }, rest)
            }
            [4, size, rest @ ..] => (Self::Opaque { size: *size as usize }, rest),
            _ => return Err(Problem::invalid("filter parameters that describe no type")),
        };
        if layout.fits() {
            Ok((layout, rest))
        } else {
            Err(Problem::invalid("filter parameters that contradict one another"))
        }
    }

    /// Whether the parts are inside the whole. Each part has bits, which bounds the work by the input's length.
    fn fits(&self) -> bool {
        match self {
            Self::Number { size, precision, offset, .. } => {
                let bits = (*size as u64).saturating_mul(8);
                *precision > 0 && u64::from(*precision).saturating_add(u64::from(*offset)) <= bits
            }
            Self::Array { size, base } => *size > 0 && size.checked_rem(base.size()) == Some(0),
            Self::Compound { size, members } => {
                let inside = |(offset, member): &(usize, Self)| {
                    offset.checked_add(member.size()).is_some_and(|end| end <= *size)
                };
                !members.is_empty() && members.iter().all(inside)
            }
            Self::Opaque { size } => *size > 0,
        }
    }

    /// Bytes of one element.
    fn size(&self) -> usize {
        match self {
            Self::Number { size, .. }
            | Self::Array { size, .. }
            | Self::Compound { size, .. }
            | Self::Opaque { size } => *size,
        }
    }

    /// Stored bits of one element.
    fn bits(&self) -> u64 {
        match self {
            Self::Number { precision, .. } => u64::from(*precision),
            Self::Array { size, base } => {
                let items = size.checked_div(base.size()).unwrap_or(0);
                base.bits().saturating_mul(items as u64)
            }
            Self::Compound { members, .. } => {
                members.iter().fold(0, |sum, (_, member)| sum.saturating_add(member.bits()))
            }
            Self::Opaque { size } => (*size as u64).saturating_mul(8),
        }
    }

    /// Reads one element into `element`, which is zero.
    fn read(&self, bits: &mut BitReader<'_>, element: &mut [u8]) -> Result<(), Problem> {
        match self {
            Self::Number { big_endian, precision, offset, .. } => {
                read_number(bits, *precision, *offset, element)?;
                if *big_endian {
                    element.reverse();
                }
            }
            Self::Array { base, .. } => {
                for item in element.chunks_exact_mut(base.size().max(1)) {
                    base.read(bits, item)?;
                }
            }
            Self::Compound { members, .. } => {
                for (offset, member) in members {
                    let end = offset.saturating_add(member.size());
                    let field = element.get_mut(*offset..end).ok_or(Problem::EndsEarly)?;
                    member.read(bits, field)?;
                }
            }
            Self::Opaque { .. } => {
                for byte in element {
                    [*byte, ..] = bits.take(8)?.to_le_bytes();
                }
            }
        }
        Ok(())
    }
}

/// Puts the next `precision` bits at bit `offset` of a little-endian number.
fn read_number(
    bits: &mut BitReader<'_>,
    precision: u32,
    offset: u32,
    number: &mut [u8],
) -> Result<(), Problem> {
    let end = offset.saturating_add(precision);
    if number.len() <= 8 {
        let bytes = (bits.take(precision)? << offset).to_le_bytes();
        number.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
        return Ok(());
    }
    // Bytes from the most significant one down; the first and the last may hold fewer than 8 bits.
    let mut top = end;
    while top > offset {
        let byte = top.saturating_sub(1) / 8;
        let bottom = byte.saturating_mul(8).max(offset);
        let value = bits.take(top.saturating_sub(bottom))? << (bottom % 8);
        if let Some(place) = number.get_mut(byte as usize) {
            [*place, ..] = value.to_le_bytes();
        }
        top = bottom;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{context, decode};
    use super::*;

    #[test]
    fn numbers_of_both_byte_orders() {
        // Two numbers of 2 bytes, 4 bits at offset 2 each: 0b1010 and 0b0110.
        let little = [8, 0, 2, 1, 2, 0, 4, 2];
        assert_eq!(
            decode(&Nbit, &context(&little, 4), &[0b1010_0110]).unwrap(),
            [0x28, 0, 0x18, 0]
        );
        let big = [8, 0, 2, 1, 2, 1, 4, 2];
        assert_eq!(decode(&Nbit, &context(&big, 4), &[0b1010_0110]).unwrap(), [0, 0x28, 0, 0x18]);
    }

    #[test]
    fn numbers_wider_than_a_word() {
        // 12 bits at offset 60 of a number of 16 bytes.
        let wide = [8, 0, 1, 1, 16, 0, 12, 60];
        let number = decode(&Nbit, &context(&wide, 16), &[0xab, 0xc0]).unwrap();
        assert_eq!(u128::from_le_bytes(number.try_into().unwrap()), 0xabc << 60);
    }

    #[test]
    fn compounds_of_arrays_and_other_bytes() {
        // { 0: [u8 of 4 bits; 2], 2: one opaque byte }
        let record = [15, 0, 1, 3, 3, 2, 0, 2, 2, 1, 1, 0, 4, 0, 2, 4, 1];
        assert_eq!(decode(&Nbit, &context(&record, 3), &[0x7c, 0x5a]).unwrap(), [7, 12, 0x5a]);
    }

    #[test]
    fn unpacked_data_is_copied() {
        assert_eq!(decode(&Nbit, &context(&[8, 1, 3], 3), &[1, 2, 3]).unwrap(), [1, 2, 3]);
    }

    #[test]
    fn hostile_parameters() {
        let early = [8, 0, u32::MAX, 4, u32::MAX];
        assert!(decode(&Nbit, &context(&early, usize::MAX), &[0; 64]).is_err());
        assert_eq!(
            decode(&Nbit, &context(&[8, 0, 9, 1, 1, 0, 8, 0], 9), &[0; 8]),
            Err(Problem::EndsEarly)
        );
        for wrong in [
            &[1, 1, 0, 9, 0][..],
            &[1, 1, 0, 0, 0],
            &[2, 0, 4, 1],
            &[2, 3, 4, 2],
            &[3, 1, 0],
            &[3, 1, 1, 1, 4, 1],
            &[7],
        ] {
            let parameters = [&[9, 0, 1], wrong].concat();
            assert!(decode(&Nbit, &context(&parameters, 64), &[0; 64]).is_err(), "{wrong:?}");
        }
        let nested = [&[99, 0, 1][..], &[2, 1].repeat(40), &[4, 1]].concat();
        assert!(decode(&Nbit, &context(&nested, 64), &[0; 64]).is_err());
    }
}

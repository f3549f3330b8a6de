//! Numbers as files store them: in either byte order, and integers of fewer bits than their bytes have.

use crate::message::datatype::{ByteOrder, Datatype, DatatypeClass};

/// The byte order in which numbers leave a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Native,
}

/// Turns stored numbers into plain ones of the same size, in this order; elements of other types stay as they are.
pub(crate) fn normalize(datatype: &Datatype, order: Order, bytes: &mut [u8]) {
    let (Some(_), Some(stored)) = (datatype.number(), datatype.byte_order()) else { return };
    if let Some(bits) = Bits::of(datatype) {
        set_order(datatype.size, stored != ByteOrder::Little, bytes);
        match datatype.size {
            1 => bits.widen_all::<1>(bytes),
            2 => bits.widen_all::<2>(bytes),
            4 => bits.widen_all::<4>(bytes),
            _ => bits.widen_all::<8>(bytes),
        }
        set_order(datatype.size, order.wanted() != ByteOrder::Little, bytes);
    } else {
        set_order(datatype.size, stored != order.wanted(), bytes);
    }
}

impl Order {
    fn wanted(self) -> ByteOrder {
        if self == Self::Native && cfg!(target_endian = "big") {
            ByteOrder::Big
        } else {
            ByteOrder::Little
        }
    }
}

/// Reverses the bytes of every number, if `reversed`.
fn set_order(size: u32, reversed: bool, bytes: &mut [u8]) {
    match size {
        2 if reversed => reverse_all::<2>(bytes),
        4 if reversed => reverse_all::<4>(bytes),
        8 if reversed => reverse_all::<8>(bytes),
        _ => {}
    }
}

fn reverse_all<const N: usize>(bytes: &mut [u8]) {
    bytes.as_chunks_mut::<N>().0.iter_mut().for_each(|number| number.reverse());
}

/// The significant bits of an integer that has others too.
#[derive(Debug, Clone, Copy)]
struct Bits {
    signed: bool,
    /// Bits above the significant ones, in 64.
    above: u32,
    /// Bits that are not significant, in 64.
    outside: u32,
}

impl Bits {
    /// `None` when all bits are significant.
    fn of(datatype: &Datatype) -> Option<Self> {
        match &datatype.class {
            DatatypeClass::FixedPoint { signed, bit_offset, precision, .. } => {
                let (offset, precision) = (u32::from(*bit_offset), u32::from(*precision));
                let above = 64_u32.checked_sub(offset.checked_add(precision)?)?;
                let all = precision == datatype.size.saturating_mul(8);
                let bits = Self { signed: *signed, above, outside: above.saturating_add(offset) };
                (!all).then_some(bits)
            }
            DatatypeClass::Enumeration { base, .. } => Self::of(base),
            _ => None,
        }
    }

    /// Spreads the significant bits of little-endian numbers of `N` bytes over all of theirs.
    fn widen_all<const N: usize>(self, bytes: &mut [u8]) {
        for number in bytes.as_chunks_mut::<N>().0 {
            let stored =
                number.iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
            let top = stored.checked_shl(self.above).unwrap_or(0);
            let value = if self.signed {
                top.cast_signed().checked_shr(self.outside).unwrap_or(0).cast_unsigned()
            } else {
                top.checked_shr(self.outside).unwrap_or(0)
            };
            number.iter_mut().zip(value.to_le_bytes()).for_each(|(to, from)| *to = from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(
        size: u32,
        order: ByteOrder,
        signed: bool,
        bit_offset: u16,
        precision: u16,
    ) -> Datatype {
        Datatype { size, class: DatatypeClass::FixedPoint { order, signed, bit_offset, precision } }
    }

    #[test]
    fn byte_orders() {
        let mut bytes = [1, 2, 3, 4];
        normalize(&integer(2, ByteOrder::Big, false, 0, 16), Order::Little, &mut bytes);
        assert_eq!(bytes, [2, 1, 4, 3]);
        normalize(&integer(4, ByteOrder::Little, false, 0, 32), Order::Little, &mut bytes);
        assert_eq!(bytes, [2, 1, 4, 3]);
    }

    #[test]
    fn significant_bits() {
        // 0b1_0110_1 at bit 3 of a number of 2 bytes: -19 of 6 bits, or 45.
        let stored = (0b10_1101_u16 << 3 | 0b111).to_be_bytes();
        let mut bytes = stored;
        normalize(&integer(2, ByteOrder::Big, true, 3, 6), Order::Little, &mut bytes);
        assert_eq!(i16::from_le_bytes(bytes), -19);
        let mut bytes = stored;
        normalize(&integer(2, ByteOrder::Big, false, 3, 6), Order::Little, &mut bytes);
        assert_eq!(u16::from_le_bytes(bytes), 45);
    }

    #[test]
    fn other_types_stay() {
        let text = DatatypeClass::Opaque { tag: "x".into() };
        let mut bytes = [1, 2];
        normalize(&Datatype { size: 2, class: text }, Order::Little, &mut bytes);
        assert_eq!(bytes, [1, 2]);
    }
}

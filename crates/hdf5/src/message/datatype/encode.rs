//! Writes the datatype message, class by class, in the oldest version that has the class as it is written.

use super::{
    ByteOrder, CharacterSet, CompoundMember, Datatype, DatatypeClass, EnumMember, FloatFields,
    StringPadding,
};
use crate::encode::Encoder;
use crate::parse::width_of;

/// Numbers, texts, opaque bytes, and old references.
const PLAIN: u8 = 1;
/// Compounds, enumerations and arrays: names without padding. Read from libhdf5 1.8 on.
const NESTED: u8 = 3;
/// References that are not addresses.
const NEW_REFERENCES: u8 = 4;

impl Datatype {
    /// Writes version 1, and 3 for classes with other types inside.
    pub(crate) fn encode(&self, out: &mut Encoder) {
        let size = self.size;
        match &self.class {
            DatatypeClass::FixedPoint { order, signed, bit_offset, precision } => {
                head(PLAIN, 0, order_bit(*order) | u32::from(*signed) << 3, size, out);
                out.u16(*bit_offset);
                out.u16(*precision);
            }
            DatatypeClass::FloatingPoint { order, fields } => fields.encode(*order, size, out),
            DatatypeClass::FixedString { padding, character_set } => {
                head(PLAIN, 3, text_bits(*padding, *character_set), size, out);
            }
            DatatypeClass::Bitfield { order, bit_offset, precision } => {
                head(PLAIN, 4, order_bit(*order), size, out);
                out.u16(*bit_offset);
                out.u16(*precision);
            }
            DatatypeClass::Opaque { tag } => {
                let tag = tag.as_bytes().get(..MAX_TAG_LEN).unwrap_or(tag.as_bytes());
                let len = tag.len().next_multiple_of(8);
                head(PLAIN, 5, low_32(len), size, out);
                out.bytes(tag);
                out.zeros(len.saturating_sub(tag.len()));
            }
            DatatypeClass::Compound { members } => {
                head(NESTED, 6, low_32(members.len()), size, out);
                for member in members {
                    member.encode(size, out);
                }
            }
            DatatypeClass::Reference { kind: kind @ 0..=1 } => {
                head(PLAIN, 7, u32::from(*kind), size, out);
            }
            DatatypeClass::Reference { kind } => {
                const ENCODING: u32 = 1 << 4;
                head(NEW_REFERENCES, 7, u32::from(*kind) | ENCODING, size, out);
            }
            DatatypeClass::Enumeration { base, members } => {
                head(NESTED, 8, low_32(members.len()), size, out);
                base.encode(out);
                for member in members {
                    name(&member.name, out);
                }
                for member in members {
                    member.encode(base, out);
                }
            }
            DatatypeClass::VariableString { padding, character_set } => {
                const TEXT: u32 = 1;
                let bits = TEXT | text_bits(*padding, *character_set) << 4;
                head(PLAIN, 9, bits, size, out);
                character().encode(out);
            }
            DatatypeClass::VariableSequence { base } => {
                head(PLAIN, 9, 0, size, out);
                base.encode(out);
            }
            DatatypeClass::Array { dims, base } => {
                head(NESTED, 10, 0, size, out);
                out.uint(dims.len() as u64, 1);
                for dim in dims {
                    out.u32(*dim);
                }
                base.encode(out);
            }
            DatatypeClass::Other { encoding, .. } => out.bytes(encoding),
        }
    }
}

impl FloatFields {
    fn encode(&self, order: ByteOrder, size: u32, out: &mut Encoder) {
        let normalization = u32::from(self.normalization) << 4;
        let sign = u32::from(self.sign_at) << 8;
        head(PLAIN, 1, order_bit(order) | normalization | sign, size, out);
        out.u16(self.bit_offset);
        out.u16(self.precision);
        out.u8(self.exponent_at);
        out.u8(self.exponent_bits);
        out.u8(self.mantissa_at);
        out.u8(self.mantissa_bits);
        out.u32(self.exponent_bias);
    }
}

impl CompoundMember {
    fn encode(&self, compound_size: u32, out: &mut Encoder) {
        name(&self.name, out);
        out.uint(self.offset.into(), width_of(compound_size.into()));
        self.datatype.encode(out);
    }
}

impl EnumMember {
    fn encode(&self, base: &Datatype, out: &mut Encoder) {
        // An enumeration's base has at most eight bytes, all of them in the lower half of the value.
        let bytes = self.value.to_le_bytes();
        let bytes = bytes.iter().take(usize::try_from(base.size).unwrap_or(0));
        match base.byte_order() {
            Some(ByteOrder::Big) => bytes.rev().for_each(|byte| out.u8(*byte)),
            _ => bytes.for_each(|byte| out.u8(*byte)),
        }
    }
}

/// The most bytes of a tag: a multiple of 8 that fits its length's eight bits.
const MAX_TAG_LEN: usize = 248;

fn head(version: u8, class: u8, bits: u32, size: u32, out: &mut Encoder) {
    out.u8(version << 4 | class);
    out.uint(bits.into(), 3);
    out.u32(size);
}

/// The base of text: an unsigned byte.
fn character() -> Datatype {
    Datatype::number_of(crate::NumberType::U8)
}

fn name(name: &str, out: &mut Encoder) {
    out.bytes(name.as_bytes());
    out.u8(0);
}

fn order_bit(order: ByteOrder) -> u32 {
    match order {
        ByteOrder::Little => 0,
        ByteOrder::Big => 1,
    }
}

fn text_bits(padding: StringPadding, character_set: CharacterSet) -> u32 {
    let padding = match padding {
        StringPadding::NullTerminated => 0,
        StringPadding::NullPadded => 1,
        StringPadding::SpacePadded => 2,
    };
    let character_set = match character_set {
        CharacterSet::Ascii => 0,
        CharacterSet::Utf8 => 1,
    };
    padding | character_set << 4
}

/// A number whose stored field has less bits, which the planner has checked.
fn low_32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::arbitrary::datatype;
    use super::*;
    use crate::Limits;
    use crate::encode::encoded;
    use crate::parse::{Sizes, parse_at};
    use alloc::string::String;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    const SIZES: Sizes = Sizes { offset: 8, length: 8 };

    proptest! {
        #[test]
        fn reads_what_it_writes(datatype in datatype()) {
            let bytes = encoded(SIZES, |out| datatype.encode(out));
            let limits = Limits::default();
            let read = parse_at(Datatype::NAME, 0, &bytes, Datatype::parse(SIZES, &limits));
            prop_assert_eq!(read, Ok(datatype));
        }
    }

    #[test]
    fn text_and_truth_are_written_as_the_reference_does() {
        let bytes = |datatype: Datatype| encoded(SIZES, |out| datatype.encode(out));
        let text = "19 01 01 00 10 00 00 00 10 00 00 00 01 00 00 00 00 00 08 00";
        assert_eq!(hex(&bytes(Datatype::text())), text);
        assert_eq!(bytes(Datatype::boolean())[20..], *b"FALSE\0TRUE\0\0\x01");
    }

    fn hex(bytes: &[u8]) -> String {
        let digits: Vec<_> = bytes.iter().map(|byte| alloc::format!("{byte:02x}")).collect();
        digits.join(" ")
    }
}

//! The types that new objects mostly have.

use alloc::boxed::Box;
use alloc::vec;

use super::{
    ByteOrder, CharacterSet, Datatype, DatatypeClass, EnumMember, FloatFields, NumberType,
    StringPadding,
};

impl Datatype {
    /// Little-endian numbers that use all of their bits.
    pub fn number_of(number: NumberType) -> Self {
        let integer = |size, signed| Self::integer(size, signed);
        let float = |fields: FloatFields| {
            let class = DatatypeClass::FloatingPoint { order: ByteOrder::Little, fields };
            Self { size: u32::from(fields.precision / 8), class }
        };
        match number {
            NumberType::I8 => integer(1, true),
            NumberType::U8 => integer(1, false),
            NumberType::I16 => integer(2, true),
            NumberType::U16 => integer(2, false),
            NumberType::I32 => integer(4, true),
            NumberType::U32 => integer(4, false),
            NumberType::I64 => integer(8, true),
            NumberType::U64 => integer(8, false),
            NumberType::F16 => float(FloatFields::BINARY16),
            NumberType::F32 => float(FloatFields::BINARY32),
            NumberType::F64 => float(FloatFields::BINARY64),
        }
    }

    /// UTF-8 of variable length.
    pub fn text() -> Self {
        let (padding, character_set) = (StringPadding::NullTerminated, CharacterSet::Utf8);
        Self { size: 16, class: DatatypeClass::VariableString { padding, character_set } }
    }

    /// The boolean of h5py: an enumeration over one signed byte, FALSE = 0 and TRUE = 1.
    pub fn boolean() -> Self {
        let member = |name: &str, value| EnumMember { name: name.into(), value };
        let base = Box::new(Self::integer(1, true));
        let members = vec![member("FALSE", 0), member("TRUE", 1)];
        Self { size: 1, class: DatatypeClass::Enumeration { base, members } }
    }

    fn integer(size: u16, signed: bool) -> Self {
        let (order, bit_offset, precision) = (ByteOrder::Little, 0, size.saturating_mul(8));
        let class = DatatypeClass::FixedPoint { order, signed, bit_offset, precision };
        Self { size: size.into(), class }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructed_types_are_what_they_are_called() {
        for number in [NumberType::I8, NumberType::U64, NumberType::F16, NumberType::F64] {
            assert_eq!(Datatype::number_of(number).number(), Some(number));
        }
        assert!(Datatype::text().is_string() && Datatype::boolean().is_boolean());
    }
}

//! Random datatypes for property tests.

use alloc::boxed::Box;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::{
    ByteOrder, CharacterSet, CompoundMember, Datatype, DatatypeClass, EnumMember, FloatFields,
    StringPadding,
};

fn order() -> impl Strategy<Value = ByteOrder> {
    prop_oneof![Just(ByteOrder::Little), Just(ByteOrder::Big)]
}

fn integer() -> impl Strategy<Value = Datatype> {
    (order(), any::<bool>(), 1_u32..9, any::<(u16, u16)>()).prop_map(
        |(order, signed, size, (a, b))| {
            let bits = u16::try_from(size * 8).unwrap();
            let bit_offset = a % bits;
            let precision = b % (bits - bit_offset) + 1;
            let class = DatatypeClass::FixedPoint { order, signed, bit_offset, precision };
            Datatype { size, class }
        },
    )
}

fn text() -> impl Strategy<Value = (StringPadding, CharacterSet)> {
    use StringPadding::{NullPadded, NullTerminated, SpacePadded};
    let padding = prop_oneof![Just(NullTerminated), Just(NullPadded), Just(SpacePadded)];
    (padding, prop_oneof![Just(CharacterSet::Ascii), Just(CharacterSet::Utf8)])
}

fn float() -> impl Strategy<Value = Datatype> {
    let ieee = (order(), prop_oneof![Just(2_u32), Just(4), Just(8)]).prop_map(|(order, size)| {
        let fields = FloatFields::ieee(size).unwrap();
        Datatype { size, class: DatatypeClass::FloatingPoint { order, fields } }
    });
    let other = (order(), any::<[u8; 5]>(), 0_u8..3, any::<(u16, u16, u32)>()).prop_map(
        |(
            order,
            [exponent_at, exponent_bits, mantissa_at, mantissa_bits, sign_at],
            normalization,
            (bit_offset, precision, exponent_bias),
        )| {
            let fields = FloatFields {
                bit_offset,
                precision,
                exponent_at,
                exponent_bits,
                mantissa_at,
                mantissa_bits,
                exponent_bias,
                sign_at,
                normalization,
            };
            Datatype { size: 16, class: DatatypeClass::FloatingPoint { order, fields } }
        },
    );
    prop_oneof![ieee, other]
}

fn enumeration() -> impl Strategy<Value = Datatype> {
    (order(), any::<bool>(), proptest::collection::vec(("[a-zé]{1,9}", any::<i32>()), 1..4))
        .prop_map(|(order, signed, members)| {
            let class = DatatypeClass::FixedPoint { order, signed, bit_offset: 0, precision: 32 };
            let base = Box::new(Datatype { size: 4, class });
            let value = |value: i32| {
                if signed { i128::from(value) } else { i128::from(value.cast_unsigned()) }
            };
            let members =
                members.into_iter().map(|(name, n)| EnumMember { name, value: value(n) }).collect();
            Datatype { size: 4, class: DatatypeClass::Enumeration { base, members } }
        })
}

fn simple() -> impl Strategy<Value = Datatype> {
    let fixed_text = (text(), 1_u32..40).prop_map(|((padding, character_set), size)| Datatype {
        size,
        class: DatatypeClass::FixedString { padding, character_set },
    });
    let variable_text = text().prop_map(|(padding, character_set)| {
        let class = DatatypeClass::VariableString { padding, character_set };
        Datatype { size: 16, class }
    });
    let bits = (order(), 0_u16..8, 1_u16..9).prop_map(|(order, bit_offset, precision)| {
        let class = DatatypeClass::Bitfield { order, bit_offset, precision };
        Datatype { size: 2, class }
    });
    let opaque = ("[a-z ]{0,30}", 1_u32..40)
        .prop_map(|(tag, size)| Datatype { size, class: DatatypeClass::Opaque { tag } });
    let reference =
        (0_u8..5).prop_map(|kind| Datatype { size: 8, class: DatatypeClass::Reference { kind } });
    let time = Just(Datatype {
        size: 4,
        class: DatatypeClass::Other {
            class: 2,
            encoding: [0x12, 0, 0, 0, 4, 0, 0, 0, 32, 0].to_vec(),
        },
    });
    prop_oneof![
        integer(),
        float(),
        enumeration(),
        fixed_text,
        variable_text,
        bits,
        opaque,
        reference,
        time
    ]
}

/// Types of every class, nested to some depth.
pub(crate) fn datatype() -> impl Strategy<Value = Datatype> {
    simple().prop_recursive(3, 12, 4, |inner| {
        let sequence = inner.clone().prop_map(|base| Datatype {
            size: 16,
            class: DatatypeClass::VariableSequence { base: Box::new(base) },
        });
        let array =
            (inner.clone(), proptest::collection::vec(1_u32..4, 1..4)).prop_map(|(base, dims)| {
                Datatype {
                    size: dims.iter().product::<u32>() * base.size,
                    class: DatatypeClass::Array { dims, base: Box::new(base) },
                }
            });
        let compound = proptest::collection::vec((inner, 0_u32..9), 1..5).prop_map(compound);
        prop_oneof![sequence, array, compound]
    })
}

/// A compound of members with gaps before them.
fn compound(members: Vec<(Datatype, u32)>) -> Datatype {
    let mut size = 0;
    let place = |(number, (datatype, gap)): (usize, (Datatype, u32))| {
        let offset = size + gap;
        size = offset + datatype.size;
        CompoundMember { name: alloc::format!("member-{number}"), offset, datatype }
    };
    let members = members.into_iter().enumerate().map(place).collect();
    Datatype { size: size + 1, class: DatatypeClass::Compound { members } }
}

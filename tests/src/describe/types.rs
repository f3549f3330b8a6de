//! Datatypes and extents as text; the twin of `describe_type` in `describe.py`.

use hdf5::{
    ByteOrder, CharacterSet, CompoundMember, Dataspace, Datatype, DatatypeClass, StringPadding,
};
use serde_json::Value;

use super::values;

pub(super) fn shape(space: &Dataspace) -> Value {
    match space {
        Dataspace::Null => Value::Null,
        Dataspace::Simple { dims, .. } => dims.clone().into(),
    }
}

/// A type as text.
pub fn describe(datatype: &Datatype) -> String {
    let size = datatype.size;
    match &datatype.class {
        DatatypeClass::FixedPoint { order, signed, bit_offset, precision } => {
            let sign = if *signed { 'i' } else { 'u' };
            let whole = u32::from(*precision) == 8 * size;
            let part = if whole { String::new() } else { format!("[{bit_offset}+{precision}]") };
            format!("{sign}{size}{}{part}", arrow(*order))
        }
        DatatypeClass::FloatingPoint { order, .. } if datatype.number().is_some() => {
            format!("f{size}{}", arrow(*order))
        }
        DatatypeClass::FloatingPoint { .. } => format!("other-float{size}"),
        DatatypeClass::FixedString { padding, character_set } => {
            string(&size.to_string(), *padding, *character_set)
        }
        DatatypeClass::VariableString { padding, character_set } => {
            string("*", *padding, *character_set)
        }
        DatatypeClass::Bitfield { order, .. } => format!("bits{size}{}", arrow(*order)),
        DatatypeClass::Opaque { tag } => format!("opaque{size}:{tag}"),
        DatatypeClass::Compound { members } => {
            compound(members, size, values::holds_addresses(datatype))
        }
        DatatypeClass::Reference { .. } => format!("reference{size}"),
        DatatypeClass::Enumeration { base, members } => {
            let mut members: Vec<_> = members.iter().map(|m| (m.value, &m.name)).collect();
            members.sort();
            let members: Vec<String> =
                members.iter().map(|(value, name)| format!("{name}={value}")).collect();
            format!("enum({}){{{}}}", describe(base), members.join(","))
        }
        DatatypeClass::VariableSequence { base } => format!("sequence({})", describe(base)),
        DatatypeClass::Array { dims, base } => {
            let dims: Vec<String> = dims.iter().map(u32::to_string).collect();
            format!("[{}]{}", dims.join(","), describe(base))
        }
        _ => "other".to_owned(),
    }
}

/// Offsets and size are left out where libhdf5 would tell those in memory.
fn compound(members: &[CompoundMember], size: u32, holds_addresses: bool) -> String {
    let mut members: Vec<&CompoundMember> = members.iter().collect();
    members.sort_by_key(|member| member.offset);
    let shown = members.iter().map(|CompoundMember { name, offset, datatype }| {
        let place = if holds_addresses { String::new() } else { format!("@{offset}") };
        format!("{name}{place}:{}", describe(datatype))
    });
    let shown = shown.collect::<Vec<_>>().join(",");
    if holds_addresses { format!("{{{shown}}}") } else { format!("{{{shown}}}{size}") }
}

fn arrow(order: ByteOrder) -> char {
    match order {
        ByteOrder::Little => '<',
        ByteOrder::Big => '>',
    }
}

fn string(length: &str, padding: StringPadding, character_set: CharacterSet) -> String {
    let padding = match padding {
        StringPadding::NullTerminated => "terminated",
        StringPadding::NullPadded => "null",
        StringPadding::SpacePadded => "space",
    };
    let character_set = match character_set {
        CharacterSet::Ascii => "ascii",
        CharacterSet::Utf8 => "utf8",
    };
    format!("text[{length}],{padding},{character_set}")
}

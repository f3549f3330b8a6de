//! Datatypes and extents as text; the twin of `describe_type` in `describe.py`.

use hdf5::{ByteOrder, CharacterSet, Dataspace, Datatype, DatatypeClass, StringPadding};
use serde_json::Value;

pub(super) fn shape(space: &Dataspace) -> Value {
    match space {
        Dataspace::Null => Value::Null,
        Dataspace::Simple { dims, .. } => dims.clone().into(),
    }
}

pub(super) fn describe(datatype: &Datatype) -> String {
    let size = datatype.size;
    match &datatype.class {
        DatatypeClass::FixedPoint { order, signed, bit_offset, precision } => {
            let sign = if *signed { 'i' } else { 'u' };
            let whole = u32::from(*precision) == 8 * size;
            let part = if whole { String::new() } else { format!("[{bit_offset}+{precision}]") };
            format!("{sign}{size}{}{part}", arrow(*order))
        }
        DatatypeClass::FloatingPoint { order, ieee: true } => format!("f{size}{}", arrow(*order)),
        DatatypeClass::FloatingPoint { .. } => format!("other-float{size}"),
        DatatypeClass::FixedString { padding, character_set } => {
            string(&size.to_string(), *padding, *character_set)
        }
        DatatypeClass::VariableString { padding, character_set } => {
            string("*", *padding, *character_set)
        }
        DatatypeClass::Bitfield { order } => format!("bits{size}{}", arrow(*order)),
        DatatypeClass::Opaque { tag } => format!("opaque{size}:{tag}"),
        DatatypeClass::Compound { members } => {
            let mut members: Vec<_> = members
                .iter()
                .map(|m| (m.offset, format!("{}@{}:{}", m.name, m.offset, describe(&m.datatype))))
                .collect();
            members.sort();
            let members: Vec<String> = members.into_iter().map(|(_, text)| text).collect();
            format!("{{{}}}{size}", members.join(","))
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

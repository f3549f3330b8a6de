//! Reads the datatype message, versions 1 to 5, class by class.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;

use nom::Parser;
use nom::bytes::complete::take;
use nom::combinator::cond;
use nom::number::complete::{le_u8, le_u16, le_u24, le_u32};

use super::{
    ByteOrder, CharacterSet, CompoundMember, Datatype, DatatypeClass, EnumMember, FloatFields,
    StringPadding,
};
use crate::error::Problem;
use crate::limits::{Limits, MAX_RANK, within};
use crate::parse::{
    Failure, Parsed, Sizes, at_most, count, field, name, reserved, text, uint, width_of,
};

/// Names in compounds and enumerations are padded to 8 bytes before this version.
const FIRST_UNPADDED: u8 = 3;
/// Compound members carry their own array extents in this version only.
const MEMBER_ARRAYS: u8 = 1;

impl Datatype {
    /// Reads versions 1 to 5. Nesting and the number of types inside are capped by `limits`.
    pub(crate) fn parse<'a>(
        sizes: Sizes,
        limits: &Limits,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        let (max_nodes, max_depth) = (limits.max_datatype_nodes, limits.max_depth);
        move |i| Reader { sizes, max_nodes, max_depth, nodes: Cell::new(0) }.datatype(0, i)
    }
}

/// What nested types share while one message is read.
struct Reader {
    sizes: Sizes,
    max_nodes: u32,
    max_depth: u32,
    nodes: Cell<u32>,
}

/// The eight bytes that every class starts with.
#[derive(Clone, Copy)]
struct Head {
    version: u8,
    bits: u32,
    size: u32,
    depth: u32,
}

impl Reader {
    fn datatype<'a>(&self, depth: u32, whole: &'a [u8]) -> Parsed<'a, Datatype> {
        let (i, (version, class)) = field("class and version", class_and_version).parse(whole)?;
        self.count(depth).map_err(|problem| Failure::named("class and version", whole, problem))?;
        let (properties, bits) = field("class bits", le_u24).parse(i)?;
        let (i, size) = field("size", size).parse(properties)?;
        let head = Head { version, bits, size, depth };
        let (i, known) = match class {
            0 => fixed_point(head, i).map(known),
            1 => floating_point(head, i),
            2 => field("bit precision", le_u16).map(|_| None).parse(i),
            3 => fixed_string(head, i).map(known),
            4 => bitfield(head, i).map(known),
            5 => opaque(head, i).map(known),
            6 => self.compound(head, i).map(known),
            7 => {
                let kind = u8::try_from(bits & 0xf).unwrap_or(0);
                Ok((i, Some(DatatypeClass::Reference { kind })))
            }
            8 => self.enumeration(head, i).map(known),
            9 => self.variable_length(head, i).map(known),
            10 => self.array(head, i).map(known),
            11 => self.datatype(depth.saturating_add(1), i).map(|(i, _)| (i, None)),
            unknown => Err(Failure::named(
                "class and version",
                whole,
                Problem::unsupported(alloc::format!("datatype class {unknown}")),
            )),
        }?;
        let as_stored = || {
            let len = whole.len().saturating_sub(i.len());
            let encoding = whole.get(..len).unwrap_or_default().to_vec();
            DatatypeClass::Other { class, encoding }
        };
        Ok((i, Datatype { size, class: known.unwrap_or_else(as_stored) }))
    }

    fn count(&self, depth: u32) -> Result<(), Problem> {
        within("nesting of a datatype", depth.into(), "max_depth", self.max_depth.into())?;
        let nodes = self.nodes.get().saturating_add(1);
        self.nodes.set(nodes);
        within("types in a datatype", nodes.into(), "max_datatype_nodes", self.max_nodes.into())
    }

    fn compound<'a>(&self, head: Head, i: &'a [u8]) -> Parsed<'a, DatatypeClass> {
        let start = i;
        let member = |i| self.member(head, i);
        let (i, members) = field("members", count(member, member_count(head))).parse(i)?;
        inside_and_apart(&members, head.size)
            .map_err(|problem| Failure::named("members", start, problem))?;
        Ok((i, DatatypeClass::Compound { members }))
    }

    fn member<'a>(&self, head: Head, i: &'a [u8]) -> Parsed<'a, CompoundMember> {
        let padded = head.version < FIRST_UNPADDED;
        let (i, name) = field("member name", name(padded)).parse(i)?;
        let width = if padded { 4 } else { width_of(head.size.into()) };
        let (i, offset) = field("member offset", uint(width)).parse(i)?;
        let (i, dims) =
            field("member dimensions", cond(head.version == MEMBER_ARRAYS, member_dims))
                .parse(i)?;
        let type_start = i;
        let (i, datatype) = self.datatype(head.depth.saturating_add(1), i)?;
        let dims = dims.unwrap_or_default();
        let datatype = match array_size(&dims, datatype.size) {
            _ if dims.is_empty() => datatype,
            Some(size) => {
                Datatype { size, class: DatatypeClass::Array { dims, base: Box::new(datatype) } }
            }
            None => {
                let problem = Problem::invalid("a member array of 4 GiB or more");
                return Err(Failure::named("member dimensions", type_start, problem));
            }
        };
        // At most four bytes were read.
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        Ok((i, CompoundMember { name, offset, datatype }))
    }

    fn enumeration<'a>(&self, head: Head, i: &'a [u8]) -> Parsed<'a, DatatypeClass> {
        let base_start = i;
        let (i, base) = self.datatype(head.depth.saturating_add(1), i)?;
        let DatatypeClass::FixedPoint { order, signed, .. } = base.class else {
            let problem = Problem::invalid("an enumeration over something else than an integer");
            return Err(Failure::named("base type", base_start, problem));
        };
        if base.size != head.size || base.size > 8 {
            let problem = Problem::invalid(alloc::format!(
                "an enumeration of {} bytes over an integer of {}",
                head.size,
                base.size
            ));
            return Err(Failure::named("base type", base_start, problem));
        }
        let member_name = |i| name(head.version < FIRST_UNPADDED)(i);
        let (i, names) = field("names", count(member_name, member_count(head))).parse(i)?;
        let value = |i| take(base.size)(i).map(|(i, bytes)| (i, integer(bytes, order, signed)));
        let (i, values) = field("values", count(value, names.len())).parse(i)?;
        let members =
            names.into_iter().zip(values).map(|(name, value)| EnumMember { name, value }).collect();
        Ok((i, DatatypeClass::Enumeration { base: Box::new(base), members }))
    }

    fn variable_length<'a>(&self, head: Head, i: &'a [u8]) -> Parsed<'a, DatatypeClass> {
        let stored = u32::from(self.sizes.offset).saturating_add(8);
        if head.size != stored {
            let problem = Problem::invalid(alloc::format!(
                "a variable-length type of {} bytes, not {stored}",
                head.size
            ));
            return Err(Failure::named("size", i, problem));
        }
        let text = text_bits(head.bits >> 4);
        let kind = head.bits & 0xf;
        let (rest, base) = self.datatype(head.depth.saturating_add(1), i)?;
        let class = match kind {
            0 => DatatypeClass::VariableSequence { base: Box::new(base) },
            1 => {
                let (padding, character_set) =
                    text.map_err(|problem| Failure::named("class bits", i, problem))?;
                DatatypeClass::VariableString { padding, character_set }
            }
            _ => {
                let problem = Problem::invalid(alloc::format!("variable-length kind {kind}"));
                return Err(Failure::named("class bits", i, problem));
            }
        };
        Ok((rest, class))
    }

    fn array<'a>(&self, head: Head, i: &'a [u8]) -> Parsed<'a, DatatypeClass> {
        let old = head.version < FIRST_UNPADDED;
        let (i, rank) = field("dimensionality", at_most(MAX_RANK)).parse(i)?;
        let (dims_start, _) = field("reserved", cond(old, reserved(3))).parse(i)?;
        let (i, dims) = field("dimension sizes", count(le_u32, rank.into())).parse(dims_start)?;
        let permutation = usize::from(rank).saturating_mul(4);
        let (i, _) = field("permutation indices", cond(old, reserved(permutation))).parse(i)?;
        let (i, base) = self.datatype(head.depth.saturating_add(1), i)?;
        if array_size(&dims, base.size) != Some(head.size) {
            let problem = Problem::invalid(alloc::format!(
                "an array {dims:?} of {} bytes each in {} bytes",
                base.size,
                head.size
            ));
            return Err(Failure::named("dimension sizes", dims_start, problem));
        }
        Ok((i, DatatypeClass::Array { dims, base: Box::new(base) }))
    }
}

fn known((i, class): (&[u8], DatatypeClass)) -> (&[u8], Option<DatatypeClass>) {
    (i, Some(class))
}

fn class_and_version(i: &[u8]) -> Parsed<'_, (u8, u8)> {
    const KNOWN: &[u8] = &[1, 2, 3, 4, 5];
    let (rest, byte) = le_u8(i)?;
    let (version, class) = (byte >> 4, byte & 0xf);
    if KNOWN.contains(&version) {
        Ok((rest, (version, class)))
    } else {
        Err(Failure::at(i, Problem::Version { found: version, known: KNOWN }))
    }
}

fn size(i: &[u8]) -> Parsed<'_, u32> {
    match le_u32(i)? {
        (_, 0) => Err(Failure::at(i, Problem::invalid("an element of 0 bytes"))),
        read => Ok(read),
    }
}

fn fixed_point(head: Head, i: &[u8]) -> Parsed<'_, DatatypeClass> {
    let order = if head.bits & 1 == 0 { ByteOrder::Little } else { ByteOrder::Big };
    let signed = head.bits & 0b1000 != 0;
    let (rest, (bit_offset, precision)) = bits_inside(head, i)?;
    Ok((rest, DatatypeClass::FixedPoint { order, signed, bit_offset, precision }))
}

fn bitfield(head: Head, i: &[u8]) -> Parsed<'_, DatatypeClass> {
    let order = if head.bits & 1 == 0 { ByteOrder::Little } else { ByteOrder::Big };
    let (rest, (bit_offset, precision)) = bits_inside(head, i)?;
    Ok((rest, DatatypeClass::Bitfield { order, bit_offset, precision }))
}

fn bits_inside(head: Head, i: &[u8]) -> Parsed<'_, (u16, u16)> {
    let (rest, bit_offset) = field("bit offset", le_u16).parse(i)?;
    let (rest, precision) = field("bit precision", le_u16).parse(rest)?;
    let last = u64::from(bit_offset).saturating_add(precision.into());
    if precision == 0 || last > u64::from(head.size).saturating_mul(8) {
        let problem = Problem::invalid(alloc::format!(
            "bits {bit_offset}..{last} of an element of {} bytes",
            head.size
        ));
        return Err(Failure::named("bit precision", i, problem));
    }
    Ok((rest, (bit_offset, precision)))
}

/// The order of the VAX is neither of the two that are known: such a type is read as another class.
fn floating_point(head: Head, i: &[u8]) -> Parsed<'_, Option<DatatypeClass>> {
    let (i, bit_offset) = field("bit offset", le_u16).parse(i)?;
    let (i, precision) = field("bit precision", le_u16).parse(i)?;
    let (i, exponent_at) = field("exponent location", le_u8).parse(i)?;
    let (i, exponent_bits) = field("exponent size", le_u8).parse(i)?;
    let (i, mantissa_at) = field("mantissa location", le_u8).parse(i)?;
    let (i, mantissa_bits) = field("mantissa size", le_u8).parse(i)?;
    let (i, exponent_bias) = field("exponent bias", le_u32).parse(i)?;
    let order = match (head.bits & 1, head.bits >> 6 & 1) {
        (0, 0) => ByteOrder::Little,
        (1, 0) => ByteOrder::Big,
        _ => return Ok((i, None)),
    };
    let fields = FloatFields {
        bit_offset,
        precision,
        exponent_at,
        exponent_bits,
        mantissa_at,
        mantissa_bits,
        exponent_bias,
        sign_at: u8::try_from(head.bits >> 8 & 0xff).unwrap_or(0),
        normalization: u8::try_from(head.bits >> 4 & 0b11).unwrap_or(0),
    };
    Ok((i, Some(DatatypeClass::FloatingPoint { order, fields })))
}

fn fixed_string(head: Head, i: &[u8]) -> Parsed<'_, DatatypeClass> {
    let (padding, character_set) =
        text_bits(head.bits).map_err(|problem| Failure::named("class bits", i, problem))?;
    Ok((i, DatatypeClass::FixedString { padding, character_set }))
}

fn text_bits(bits: u32) -> Result<(StringPadding, CharacterSet), Problem> {
    let padding = match bits & 0xf {
        0 => StringPadding::NullTerminated,
        1 => StringPadding::NullPadded,
        2 => StringPadding::SpacePadded,
        other => return Err(Problem::invalid(alloc::format!("string padding {other}"))),
    };
    let character_set = match bits >> 4 & 0xf {
        0 => CharacterSet::Ascii,
        1 => CharacterSet::Utf8,
        other => return Err(Problem::invalid(alloc::format!("character set {other}"))),
    };
    Ok((padding, character_set))
}

fn opaque(head: Head, i: &[u8]) -> Parsed<'_, DatatypeClass> {
    let (i, tag) = field("tag", take(head.bits & 0xff)).parse(i)?;
    Ok((i, DatatypeClass::Opaque { tag: text(tag) }))
}

fn member_count(head: Head) -> usize {
    usize::try_from(head.bits & 0xffff).unwrap_or(0)
}

/// The extents that a version 1 member has instead of an array type.
fn member_dims(i: &[u8]) -> Parsed<'_, Vec<u32>> {
    const MAX_MEMBER_RANK: u8 = 4;
    let (i, rank) = at_most(MAX_MEMBER_RANK)(i)?;
    let (i, ()) = reserved(11)(i)?;
    let (i, mut dims) = count(le_u32, MAX_MEMBER_RANK.into())(i)?;
    dims.truncate(rank.into());
    Ok((i, dims))
}

/// Every member lies inside the compound, and no two share a byte.
fn inside_and_apart(members: &[CompoundMember], size: u32) -> Result<(), Problem> {
    if members.is_empty() {
        return Err(Problem::invalid("a compound without members"));
    }
    let mut places: Vec<(u32, Option<u32>, &String)> = members
        .iter()
        .map(|m| (m.offset, m.offset.checked_add(m.datatype.size), &m.name))
        .collect();
    places.sort_unstable();
    let mut last_end = 0;
    for (start, end, name) in places {
        match end {
            Some(end) if end <= size && start >= last_end => last_end = end,
            Some(end) if end <= size => {
                let problem = alloc::format!("member `{name}` overlaps the one before it");
                return Err(Problem::invalid(problem));
            }
            _ => {
                let problem = alloc::format!("member `{name}` ends past its compound");
                return Err(Problem::invalid(problem));
            }
        }
    }
    Ok(())
}

/// Bytes of an array type; `None` when it has no extent or does not fit 32 bits.
fn array_size(dims: &[u32], element_size: u32) -> Option<u32> {
    let size = dims.iter().try_fold(element_size, |size, dim| size.checked_mul(*dim))?;
    (size > 0 && !dims.is_empty()).then_some(size)
}

fn integer(bytes: &[u8], order: ByteOrder, signed: bool) -> i128 {
    let step = |value: i128, byte: &u8| value << 8 | i128::from(*byte);
    let unsigned = match order {
        ByteOrder::Little => bytes.iter().rev().fold(0, step),
        ByteOrder::Big => bytes.iter().fold(0, step),
    };
    let top = match order {
        ByteOrder::Little => bytes.last(),
        ByteOrder::Big => bytes.first(),
    };
    if signed && top.is_some_and(|byte| *byte >= 0x80) {
        // At most eight bytes.
        unsigned | i128::MAX << bytes.len().saturating_mul(8)
    } else {
        unsigned
    }
}

#[cfg(test)]
mod tests {
    use super::super::NumberType;
    use super::*;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use alloc::vec;
    use testkit::Bytes;

    const SIZES: Sizes = Sizes { offset: 8, length: 8 };

    fn parse(bytes: Bytes) -> Result<Datatype, crate::FormatError> {
        let limits = Limits::default();
        parse_at(Datatype::NAME, 0, &bytes.build(), Datatype::parse(SIZES, &limits))
    }

    fn head(version: u8, class: u8, bits: u32, size: u32) -> Bytes {
        Bytes::new().u8(version << 4 | class).uint(bits.into(), 3).u32(size)
    }

    fn fixed(bits: u32, size: u32) -> Bytes {
        head(1, 0, bits, size).u16(0).u16(u16::try_from(size * 8).unwrap())
    }

    fn float(size: u32, fields: [u8; 4], bias: u32) -> Bytes {
        head(1, 1, 0x20 | (size * 8 - 1) << 8, size)
            .u16(0)
            .u16(u16::try_from(size * 8).unwrap())
            .bytes(fields)
            .u32(bias)
    }

    #[test]
    fn reads_numbers() {
        assert_eq!(parse(fixed(8, 2)).unwrap().number(), Some(NumberType::I16));
        let big = parse(fixed(1, 8)).unwrap();
        assert_eq!((big.number(), big.byte_order()), (Some(NumberType::U64), Some(ByteOrder::Big)));
        assert_eq!(parse(fixed(0, 3)).unwrap().number(), None);
        let packed = head(1, 0, 0, 2).u16(2).u16(12);
        assert_eq!(parse(packed).unwrap().number(), Some(NumberType::U16));
        let half = float(2, [10, 5, 0, 10], 15);
        assert_eq!(parse(half).unwrap().number(), Some(NumberType::F16));
        let bfloat = float(2, [7, 8, 0, 7], 127);
        assert_eq!(parse(bfloat).unwrap().number(), None);
    }

    #[test]
    fn reads_text() {
        let fixed_text = parse(head(1, 3, 0x12, 5)).unwrap();
        assert_eq!(
            fixed_text.class,
            DatatypeClass::FixedString {
                padding: StringPadding::SpacePadded,
                character_set: CharacterSet::Utf8
            }
        );
        let variable = parse(head(1, 9, 0x101, 16).then(fixed(0, 1))).unwrap();
        assert!(variable.is_string());
    }

    #[test]
    fn reads_booleans_and_negative_enumerators() {
        let boolean = head(3, 8, 2, 1).then(fixed(8, 1)).text("FALSE\0TRUE\0").bytes([0, 1]);
        assert!(parse(boolean).unwrap().is_boolean());
        let padded = head(1, 8, 1, 2).then(fixed(9, 2)).text("x\0\0\0\0\0\0\0").bytes([0xff, 0xfe]);
        let DatatypeClass::Enumeration { members, .. } = parse(padded).unwrap().class else {
            panic!("enumeration")
        };
        assert_eq!(members, [EnumMember { name: "x".into(), value: -2 }]);
    }

    #[test]
    fn reads_compounds_of_three_versions() {
        let names = |datatype: Datatype| match datatype.class {
            DatatypeClass::Compound { members } => {
                members.into_iter().map(|m| (m.name, m.offset, m.datatype.size)).collect::<Vec<_>>()
            }
            other => panic!("{other:?}"),
        };
        let v3 = head(3, 6, 2, 6)
            .text("a\0")
            .u8(0)
            .then(fixed(0, 2))
            .text("b\0")
            .u8(2)
            .then(fixed(0, 4));
        let expected = vec![("a".to_string(), 0, 2), ("b".to_string(), 2, 4)];
        assert_eq!(names(parse(v3).unwrap()), expected);
        let v1 = head(1, 6, 1, 6).text("a\0\0\0\0\0\0\0").u32(0).u8(1).zeros(11);
        let v1 = v1.u32(3).zeros(12).then(fixed(0, 2));
        assert_eq!(names(parse(v1).unwrap()), [("a".to_string(), 0, 6)]);
    }

    #[test]
    fn reads_arrays_references_and_opaque_bytes() {
        let array = head(3, 10, 0, 12).u8(2).u32(2).u32(3).then(fixed(0, 2));
        let DatatypeClass::Array { dims, .. } = parse(array).unwrap().class else {
            panic!("array")
        };
        assert_eq!(dims, [2, 3]);
        assert_eq!(parse(head(1, 7, 1, 12)).unwrap().class, DatatypeClass::Reference { kind: 1 });
        let opaque = parse(head(1, 5, 8, 4).text("tag\0\0\0\0\0")).unwrap();
        assert_eq!(opaque.class, DatatypeClass::Opaque { tag: "tag".into() });
    }

    #[test]
    fn refuses_what_does_not_fit() {
        let text = |bytes| parse(bytes).unwrap_err().to_string();
        assert_eq!(
            text(head(1, 0, 0, 0)),
            "datatype message at byte 0x0: field `size` at byte 0x4: an element of 0 bytes"
        );
        assert_eq!(
            text(head(3, 6, 1, 4).text("a\0").u8(2).then(fixed(0, 4))),
            "datatype message at byte 0x0: field `members` at byte 0x8: member `a` ends past its compound"
        );
        assert_eq!(
            text(head(6, 0, 0, 1)),
            "datatype message at byte 0x0: field `class and version` at byte 0x0: version 6 is not supported (known: [1, 2, 3, 4, 5])"
        );
        assert_eq!(
            text(head(1, 1, 0, 4).u16(0)),
            "datatype message at byte 0x0: field `bit precision` at byte 0xa: the structure ends early"
        );
    }

    #[test]
    fn bounds_nesting() {
        let mut nested = fixed(0, 1);
        for _ in 0..20 {
            nested = head(3, 10, 0, 1).u8(1).u32(1).then(nested);
        }
        assert_eq!(
            parse(nested).unwrap_err().to_string(),
            "datatype message at byte 0x0: field `class and version` at byte 0xdd: nesting of a datatype: 17 is over the limit `max_depth` of 16"
        );
    }
}

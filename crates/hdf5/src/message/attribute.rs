//! Attribute message (0x000c), also what dense attributes keep in their heap. Spec: HDF5 File Format 3.0, IV.A.2.m.

use alloc::vec::Vec;

use nom::Parser;
use nom::bytes::complete::take;
use nom::combinator::cond;
use nom::number::complete::le_u8;

use super::dataspace::Dataspace;
use super::datatype::Datatype;
use super::shared::{MaybeShared, SharedMessage};
use crate::encode::{Encoder, encoded};
use crate::limits::Limits;
use crate::parse::{
    Address, Parsed, Sizes, bounded, count16, field, flags, reserved, until_nul, version,
};

/// An attribute: name, description, and the place of its value.
///
/// | bytes | field | versions |
/// | --- | --- | --- |
/// | 1 | version | 1 to 3 |
/// | 1 | reserved; flags | 1; 2, 3 |
/// | 2 | name size, with its NUL | 1 to 3 |
/// | 2 | datatype size | 1 to 3 |
/// | 2 | dataspace size | 1 to 3 |
/// | 1 | name character set | 3 |
/// | name size | name; in version 1 padded to a multiple of 8 | 1 to 3 |
/// | datatype size | datatype, likewise padded; shared if flag bit 0 | 1 to 3 |
/// | dataspace size | dataspace, likewise padded; shared if flag bit 1 | 1 to 3 |
/// | | value, to the end of the message | 1 to 3 |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AttributeMessage {
    pub(crate) name: Vec<u8>,
    pub(crate) datatype: MaybeShared<Datatype>,
    pub(crate) dataspace: MaybeShared<Dataspace>,
    /// Where the value starts, in bytes from the start of the message.
    pub(crate) value_start: usize,
}

const UTF_8: u8 = 1;
const SHARED_DATATYPE: u8 = 0b01;
const SHARED_DATASPACE: u8 = 0b10;

impl AttributeMessage {
    pub(crate) const NAME: &str = "attribute message";

    /// Reads versions 1 to 3.
    pub(crate) fn parse<'a>(
        sizes: Sizes,
        limits: &Limits,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |whole| {
            let (i, head) = Head::parse(whole)?;
            let (i, name) = field("name", take(head.stored(head.name_len))).parse(i)?;
            let datatype = Datatype::parse(sizes, limits);
            let (i, datatype) = head
                .shareable("datatype", head.datatype_len, SHARED_DATATYPE, sizes, datatype)
                .parse(i)?;
            let dataspace = Dataspace::parse(sizes);
            let (i, dataspace) = head
                .shareable("dataspace", head.dataspace_len, SHARED_DATASPACE, sizes, dataspace)
                .parse(i)?;
            let name = until_nul(name).to_vec();
            let value_start = whole.len().saturating_sub(i.len());
            Ok((i, Self { name, datatype, dataspace, value_start }))
        }
    }

    /// Writes version 3 with `value` behind it. A datatype that is `committed` is that of the object at this address.
    /// Name, datatype and dataspace have less than 64 KiB each.
    pub(crate) fn encode(
        name: &[u8],
        (datatype, committed): (&Datatype, Option<Address>),
        dataspace: &Dataspace,
        value: &[u8],
        out: &mut Encoder,
    ) {
        let datatype = encoded(out.sizes(), |out| match committed {
            Some(address) => SharedMessage::encode_in_header(address, out),
            None => datatype.encode(out),
        });
        let dataspace = encoded(out.sizes(), |out| dataspace.encode(out));
        out.u8(3);
        out.u8(if committed.is_some() { SHARED_DATATYPE } else { 0 });
        out.uint(name.len().saturating_add(1) as u64, 2);
        out.uint(datatype.len() as u64, 2);
        out.uint(dataspace.len() as u64, 2);
        out.u8(UTF_8);
        out.bytes(name);
        out.u8(0);
        out.bytes(&datatype);
        out.bytes(&dataspace);
        out.bytes(value);
    }
}

/// The fields before the name.
struct Head {
    version: u8,
    flags: u8,
    name_len: usize,
    datatype_len: usize,
    dataspace_len: usize,
}

impl Head {
    fn parse(i: &[u8]) -> Parsed<'_, Self> {
        let (i, version) = field("version", version(&[1, 2, 3])).parse(i)?;
        let known = if version == 1 { 0xff } else { SHARED_DATATYPE | SHARED_DATASPACE };
        let (i, flags) = field("flags", flags(known)).parse(i)?;
        let flags = if version == 1 { 0 } else { flags };
        let (i, name_len) = field("name size", count16).parse(i)?;
        let (i, datatype_len) = field("datatype size", count16).parse(i)?;
        let (i, dataspace_len) = field("dataspace size", count16).parse(i)?;
        let (i, _) = field("name character set", cond(version == 3, le_u8)).parse(i)?;
        Ok((i, Self { version, flags, name_len, datatype_len, dataspace_len }))
    }

    /// Bytes that a field of `len` takes.
    fn stored(&self, len: usize) -> usize {
        if self.version == 1 { len.next_multiple_of(8) } else { len }
    }

    /// A field of `len` bytes and its padding: what `parser` reads or, if the flag `shared` is set, where that is.
    fn shareable<'a, T>(
        &self,
        name: &'static str,
        len: usize,
        shared: u8,
        sizes: Sizes,
        parser: impl Fn(&'a [u8]) -> Parsed<'a, T>,
    ) -> impl FnMut(&'a [u8]) -> Parsed<'a, MaybeShared<T>> {
        let elsewhere = self.flags & shared != 0;
        let padding = self.stored(len).saturating_sub(len);
        move |i| {
            let inner = |i| {
                if elsewhere {
                    SharedMessage::parse(sizes).map(MaybeShared::Shared).parse(i)
                } else {
                    parser(i).map(|(i, value)| (i, MaybeShared::Here(value)))
                }
            };
            let (i, value) = field(name, bounded(len, inner)).parse(i)?;
            let (i, ()) = field(name, reserved(padding)).parse(i)?;
            Ok((i, value))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::datatype::NumberType;
    use crate::message::datatype::arbitrary::datatype;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use proptest::prelude::*;
    use testkit::Bytes;

    const SIZES: Sizes = Sizes { offset: 8, length: 8 };

    fn parse(bytes: Bytes) -> Result<AttributeMessage, crate::FormatError> {
        let limits = Limits::default();
        let bytes = bytes.build();
        let parser = AttributeMessage::parse(SIZES, &limits);
        parse_at(AttributeMessage::NAME, 0, &bytes, parser)
    }

    fn u8_type() -> Bytes {
        Bytes::new().u8(0x10).zeros(3).u32(1).u16(0).u16(8)
    }

    fn number(message: &AttributeMessage) -> Option<NumberType> {
        match &message.datatype {
            MaybeShared::Here(datatype) => datatype.number(),
            MaybeShared::Shared(_) => None,
        }
    }

    #[test]
    fn reads_all_versions() {
        let sizes = || Bytes::new().u16(3).u16(12).u16(4);
        let scalar = || Bytes::new().bytes([2, 0, 0, 0]);
        let v3 = Bytes::new().bytes([3, 0]).then(sizes()).u8(1).text("ab\0").then(u8_type());
        let found = parse(v3.then(scalar()).u8(9)).unwrap();
        assert_eq!((&found.name[..], number(&found)), (&b"ab"[..], Some(NumberType::U8)));
        assert_eq!(found.value_start, 28);
        let v2 = Bytes::new().bytes([2, 0]).then(sizes()).text("ab\0").then(u8_type());
        assert_eq!(parse(v2.then(scalar()).u8(9)).unwrap().value_start, 27);
        let v1 = Bytes::new().bytes([1, 0]).u16(3).u16(12).u16(8).text("ab\0").pad_to(8);
        let v1 = v1.then(u8_type()).pad_to(8).bytes([1, 0, 0, 0, 0, 0, 0, 0]).u8(9);
        let found = parse(v1).unwrap();
        assert_eq!((&found.name[..], found.value_start), (&b"ab"[..], 40));
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(
            name in proptest::collection::vec(1_u8.., 0..99),
            datatype in datatype(),
            committed in proptest::option::of(0..u64::MAX),
            dims in proptest::collection::vec(any::<u64>(), 0..4),
            value: Vec<u8>,
        ) {
            let committed = committed.map(Address);
            let dataspace = Dataspace::fixed(&dims);
            let bytes = encoded(SIZES, |out| {
                AttributeMessage::encode(&name, (&datatype, committed), &dataspace, &value, out);
            });
            let limits = Limits::default();
            let parser = AttributeMessage::parse(SIZES, &limits);
            let read = parse_at(AttributeMessage::NAME, 0, &bytes, parser).unwrap();
            prop_assert_eq!(&bytes[read.value_start..], &value);
            let datatype = match committed {
                Some(address) => MaybeShared::Shared(SharedMessage::InHeader(address)),
                None => MaybeShared::Here(datatype),
            };
            let dataspace = MaybeShared::Here(dataspace);
            let value_start = read.value_start;
            prop_assert_eq!(read, AttributeMessage { name, datatype, dataspace, value_start });
        }
    }

    #[test]
    fn reads_a_shared_datatype() {
        let bytes = Bytes::new().bytes([3, 1]).u16(2).u16(10).u16(4).u8(0).text("a\0");
        let found = parse(bytes.bytes([3, 2]).u64(0x700).bytes([2, 0, 0, 0])).unwrap();
        let shared = SharedMessage::InHeader(Address(0x700));
        assert_eq!(found.datatype, MaybeShared::Shared(shared));
    }

    #[test]
    fn places_errors_in_nested_structures() {
        let bytes = Bytes::new().bytes([3, 0]).u16(2).u16(12).u16(4).u8(0).text("a\0");
        let bytes = bytes.then(u8_type()).bytes([2, 1, 0, 1]).zeros(8);
        assert_eq!(
            parse(bytes).unwrap_err().to_string(),
            "attribute message at byte 0x0: field `dimension sizes` at byte 0x1b: the structure ends early"
        );
    }
}

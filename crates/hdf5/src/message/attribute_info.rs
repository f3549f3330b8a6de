//! Attribute info message (0x0015): where an object keeps many attributes. Spec: HDF5 File Format 3.0, IV.A.2.v.

use nom::Parser;
use nom::combinator::cond;
use nom::number::complete::le_u16;

use crate::encode::Encoder;
use crate::parse::{Address, Parsed, Sizes, address, field, flags, version};

/// Without a heap, the attributes are messages of the object's header.
///
/// | bytes | field |
/// | --- | --- |
/// | 1 | version |
/// | 1 | flags |
/// | 2 | maximum creation index, if flag bit 0 |
/// | offset | fractal heap address |
/// | offset | name index B-tree address |
/// | offset | creation order index B-tree address, if flag bit 1 |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AttributeInfo {
    pub(crate) heap: Option<Address>,
    pub(crate) name_index: Option<Address>,
}

const TRACKS_ORDER: u8 = 0b01;
const INDEXES_ORDER: u8 = 0b10;

impl AttributeInfo {
    pub(crate) const NAME: &str = "attribute info message";

    /// Reads version 0.
    pub(crate) fn parse<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |i| {
            let (i, _) = field("version", version(&[0])).parse(i)?;
            let (i, flags) = field("flags", flags(TRACKS_ORDER | INDEXES_ORDER)).parse(i)?;
            let tracked = flags & TRACKS_ORDER != 0;
            let (i, _) = field("maximum creation index", cond(tracked, le_u16)).parse(i)?;
            let (i, heap) = field("fractal heap address", address(sizes)).parse(i)?;
            let (i, name_index) = field("name index B-tree address", address(sizes)).parse(i)?;
            let order = cond(flags & INDEXES_ORDER != 0, address(sizes));
            let (i, _) = field("creation order index B-tree address", order).parse(i)?;
            Ok((i, Self { heap, name_index }))
        }
    }

    /// Writes version 0, without creation order.
    pub(crate) fn encode(self, out: &mut Encoder) {
        out.bytes(&[0, 0]);
        out.address(self.heap);
        out.address(self.name_index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encoded;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use proptest::prelude::*;
    use testkit::Bytes;

    proptest! {
        #[test]
        fn reads_what_it_writes(heap in proptest::option::of(0..u64::MAX), index in proptest::option::of(0..u64::MAX)) {
            let info = AttributeInfo { heap: heap.map(Address), name_index: index.map(Address) };
            let sizes = Sizes { offset: 8, length: 8 };
            let bytes = encoded(sizes, |out| info.encode(out));
            prop_assert_eq!(parse_at(AttributeInfo::NAME, 0, &bytes, AttributeInfo::parse(sizes)), Ok(info));
        }
    }

    #[test]
    fn reads_with_and_without_creation_order() {
        let parse = |bytes: Bytes| {
            let bytes = bytes.build();
            let parser = AttributeInfo::parse(Sizes { offset: 8, length: 8 });
            parse_at(AttributeInfo::NAME, 0, &bytes, parser)
        };
        let compact = AttributeInfo { heap: None, name_index: None };
        assert_eq!(parse(Bytes::new().bytes([0, 0]).ones(16)), Ok(compact));
        let dense = AttributeInfo { heap: Some(Address(1)), name_index: Some(Address(2)) };
        assert_eq!(parse(Bytes::new().bytes([0, 3]).u16(9).u64(1).u64(2).u64(3)), Ok(dense));
        assert_eq!(
            parse(Bytes::new().bytes([0, 1]).u8(9)).unwrap_err().to_string(),
            "attribute info message at byte 0x0: field `maximum creation index` at byte 0x2: the structure ends early"
        );
    }
}

//! Symbol-table nodes: the leaves of an old group. Spec: HDF5 File Format 3.0, III.B and III.C.

use alloc::vec::Vec;

use nom::Parser;
use nom::number::complete::{le_u16, le_u32};

use crate::error::Problem;
use crate::parse::{
    Address, Parsed, Sizes, address, checked, count, field, reserved, signature, uint, version,
};

/// Some of the links of a group.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | signature `SNOD` |
/// | 1 | version |
/// | 1 | reserved |
/// | 2 | number of symbols |
/// | | entries |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SymbolTableNode {
    pub(crate) entries: Vec<SymbolTableEntry>,
}

/// One link.
///
/// | bytes | field |
/// | --- | --- |
/// | length | link name offset |
/// | offset | object header address |
/// | 4 | cache type |
/// | 4 | reserved |
/// | 16 | scratch space: for a soft link the offset of its path, in 4 bytes |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SymbolTableEntry {
    /// Where the name is in the group's local heap.
    pub(crate) name_offset: u64,
    /// The object of a hard link.
    pub(crate) header: Option<Address>,
    /// Where the path of a soft link is in the local heap.
    pub(crate) soft_link_offset: Option<u32>,
}

const CACHED_SOFT_LINK: u32 = 2;

impl SymbolTableNode {
    pub(crate) const NAME: &str = "symbol table node";

    /// Bytes of a node with `entries` entries.
    pub(crate) fn len(sizes: Sizes, entries: u32) -> u64 {
        let entry = u64::from(sizes.length).saturating_add(sizes.offset.into()).saturating_add(24);
        u64::from(entries).saturating_mul(entry).saturating_add(8)
    }

    /// Reads the number of entries, which is at most `max_entries`, without them.
    pub(crate) fn parse_count<'a>(max_entries: u32) -> impl Fn(&'a [u8]) -> Parsed<'a, u16> {
        move |i| {
            let (i, ()) = field("signature", signature(b"SNOD")).parse(i)?;
            let (i, _) = field("version", version(&[1])).parse(i)?;
            let (i, ()) = field("reserved", reserved(1)).parse(i)?;
            let few = |found: u16| {
                let (found, max) = (u64::from(found), u64::from(max_entries));
                if found <= max { Ok(()) } else { Err(Problem::AboveMaximum { found, max }) }
            };
            field("number of symbols", checked(le_u16, few)).parse(i)
        }
    }

    /// Reads a node of at most `max_entries`.
    pub(crate) fn parse<'a>(
        sizes: Sizes,
        max_entries: u32,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |i| {
            let (i, symbols) = Self::parse_count(max_entries)(i)?;
            let entry = |i| SymbolTableEntry::parse(sizes, i);
            let (i, entries) = field("entries", count(entry, symbols.into())).parse(i)?;
            Ok((i, Self { entries }))
        }
    }
}

impl SymbolTableEntry {
    fn parse(sizes: Sizes, i: &[u8]) -> Parsed<'_, Self> {
        let (i, name_offset) = field("link name offset", uint(sizes.length)).parse(i)?;
        let (i, header) = field("object header address", address(sizes)).parse(i)?;
        let (i, cache_type) = field("cache type", le_u32).parse(i)?;
        let (i, ()) = field("reserved", reserved(4)).parse(i)?;
        let (i, path_offset) = field("scratch space", le_u32).parse(i)?;
        let (i, ()) = field("scratch space", reserved(12)).parse(i)?;
        let soft_link_offset = (cache_type == CACHED_SOFT_LINK).then_some(path_offset);
        Ok((i, Self { name_offset, header, soft_link_offset }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use testkit::Bytes;

    const SIZES: Sizes = Sizes { offset: 8, length: 8 };

    #[test]
    fn reads_hard_and_soft_links() {
        let hard = Bytes::new().u64(8).u64(0x400).u32(1).zeros(4).u64(1).u64(2);
        let soft = Bytes::new().u64(16).ones(8).u32(2).zeros(4).u32(24).zeros(12);
        let bytes = Bytes::new().text("SNOD").u8(1).u8(0).u16(2).then(hard).then(soft).build();
        let parser = SymbolTableNode::parse(SIZES, 8);
        let node = parse_at(SymbolTableNode::NAME, 0, &bytes, parser).unwrap();
        let header = Some(Address(0x400));
        let expected = [
            SymbolTableEntry { name_offset: 8, header, soft_link_offset: None },
            SymbolTableEntry { name_offset: 16, header: None, soft_link_offset: Some(24) },
        ];
        assert_eq!(node.entries, expected);
        assert_eq!(SymbolTableNode::len(SIZES, 2), bytes.len() as u64);
    }

    #[test]
    fn says_where_the_bytes_end() {
        let bytes = Bytes::new().text("SNOD").u8(1).u8(0).u16(1).u64(8).u16(0).build();
        let parser = SymbolTableNode::parse(SIZES, 8);
        assert_eq!(
            parse_at(SymbolTableNode::NAME, 0, &bytes, parser).unwrap_err().to_string(),
            "symbol table node at byte 0x0: field `object header address` at byte 0x10: the structure ends early"
        );
    }
}

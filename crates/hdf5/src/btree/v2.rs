//! Version 2 B-trees: the header and its nodes. Spec: HDF5 File Format 3.0, III.A.2.

use alloc::vec::Vec;
use core::ops::Range;

use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::{le_u8, le_u16, le_u32};

use crate::checksum::seal;
use crate::encode::Encoder;
use crate::error::Problem;
use crate::limits::within;
use crate::parse::{
    Address, Failure, Parsed, Sizes, address, byte_count, checked, field, signature, uint, version,
    width_of,
};

/// Record types, by the number that the header and every node carry.
pub(crate) mod record {
    pub(crate) const HUGE: u8 = 1;
    pub(crate) const HUGE_FILTERED: u8 = 2;
    pub(crate) const LINK_NAME: u8 = 5;
    pub(crate) const ATTRIBUTE_NAME: u8 = 8;
    pub(crate) const CHUNK: u8 = 10;
    pub(crate) const FILTERED_CHUNK: u8 = 11;
    /// Every type that is read.
    pub(crate) const ALL: &[u8] =
        &[HUGE, HUGE_FILTERED, LINK_NAME, ATTRIBUTE_NAME, CHUNK, FILTERED_CHUNK];
}

/// What a tree is.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | signature `BTHD` |
/// | 1 | version |
/// | 1 | type |
/// | 4 | node size |
/// | 2 | record size |
/// | 2 | depth |
/// | 1 | split percent |
/// | 1 | merge percent |
/// | offset | root node address |
/// | 2 | number of records in root node |
/// | length | total number of records |
/// | 4 | checksum |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: u8,
    pub(crate) node_size: u32,
    pub(crate) record_size: u16,
    pub(crate) depth: u16,
    pub(crate) root: Option<Address>,
    pub(crate) root_records: u16,
    pub(crate) total_records: u64,
}

/// What the nodes at each depth can hold, from the leaves (0) up; widths of counts follow from that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Geometry {
    levels: Vec<Level>,
    /// Bytes of the number of records in a child pointer.
    count_width: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Level {
    max_records: u64,
    /// Most records in the whole subtree.
    max_total: u64,
    /// Bytes of a subtree's total in its parent; leaves have none.
    total_width: u8,
}

/// One node.
///
/// | bytes | field | nodes |
/// | --- | --- | --- |
/// | 4 | signature `BTIN`, `BTLF` | internal, leaf |
/// | 1 | version | both |
/// | 1 | type | both |
/// | | records | both |
/// | | child pointers, one more than records | internal |
/// | 4 | checksum, right after what is used | both |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    /// The bytes of the node that are its records.
    pub(crate) records: Range<usize>,
    pub(crate) children: Vec<Child>,
}

/// | bytes | field |
/// | --- | --- |
/// | offset | child address |
/// | as wide as a leaf's capacity needs | number of records in the child |
/// | as wide as the subtree's capacity needs | total number of records below, unless the child is a leaf |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Child {
    pub(crate) address: Address,
    pub(crate) records: u64,
    /// Records of the child and below it; for a leaf, only its own.
    pub(crate) total: u64,
}

/// When a later writer splits and merges nodes, in percent of their size; what libhdf5 uses throughout.
pub(crate) const SPLIT_PERCENT: u8 = 100;
pub(crate) const MERGE_PERCENT: u8 = 40;
/// Signature, version, type and checksum.
const NODE_OVERHEAD: u64 = 10;

impl Header {
    pub(crate) const NAME: &str = "version 2 B-tree header";

    /// Bytes of the header.
    pub(crate) fn len(sizes: Sizes) -> u64 {
        22_u64.saturating_add(sizes.offset.into()).saturating_add(sizes.length.into())
    }

    /// Reads the header of a tree of one of the `kinds`, of at most `max_depth`.
    pub(crate) fn parse<'a>(
        sizes: Sizes,
        kinds: &'static [u8],
        max_depth: u32,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |whole| {
            let (i, ()) = field("signature", signature(b"BTHD")).parse(whole)?;
            let (i, _) = field("version", version(&[0])).parse(i)?;
            let right_kind = |kind: u8| {
                if kinds.contains(&kind) {
                    Ok(())
                } else {
                    Err(Problem::invalid(alloc::format!("type {kind}, not one of {kinds:?}")))
                }
            };
            let (i, kind) = field("type", checked(le_u8, right_kind)).parse(i)?;
            let (i, node_size) = field("node size", le_u32).parse(i)?;
            let (i, record_size) = field("record size", le_u16).parse(i)?;
            let shallow = |depth: u16| {
                within("depth of a B-tree", u64::from(depth), "max_depth", max_depth.into())
            };
            let (i, depth) = field("depth", checked(le_u16, shallow)).parse(i)?;
            let (i, _) = field("split percent", le_u8).parse(i)?;
            let (i, _) = field("merge percent", le_u8).parse(i)?;
            let (i, root) = field("root node address", address(sizes)).parse(i)?;
            let (i, root_records) = field("number of records in root node", le_u16).parse(i)?;
            let (i, total_records) =
                field("total number of records", uint(sizes.length)).parse(i)?;
            let (i, ()) = seal(whole, i)?;
            Ok((i, Self { kind, node_size, record_size, depth, root, root_records, total_records }))
        }
    }

    /// Writes the header.
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.bytes(b"BTHD");
        out.u8(0);
        out.u8(self.kind);
        out.u32(self.node_size);
        out.u16(self.record_size);
        out.u16(self.depth);
        out.u8(SPLIT_PERCENT);
        out.u8(MERGE_PERCENT);
        out.address(self.root);
        out.u16(self.root_records);
        out.length(self.total_records);
        out.seal();
    }

    /// What the nodes of this tree can hold.
    pub(crate) fn geometry(&self, sizes: Sizes) -> Result<Geometry, Problem> {
        let too_small = || Problem::invalid("a node size that does not hold a record");
        let room = u64::from(self.node_size).saturating_sub(NODE_OVERHEAD);
        let record = u64::from(self.record_size);
        let in_leaf = room.checked_div(record).filter(|n| *n > 0).ok_or_else(too_small)?;
        let count_width = width_of(in_leaf);
        let mut levels =
            alloc::vec![Level { max_records: in_leaf, max_total: in_leaf, total_width: 0 }];
        let mut below = Level { max_records: in_leaf, max_total: in_leaf, total_width: 0 };
        for _ in 0..self.depth {
            let pointer = u64::from(sizes.offset)
                .saturating_add(count_width.into())
                .saturating_add(below.total_width.into());
            let max_records = room
                .saturating_sub(pointer)
                .checked_div(record.saturating_add(pointer))
                .filter(|n| *n > 0)
                .ok_or_else(too_small)?;
            let children = max_records.saturating_add(1);
            let max_total = children.saturating_mul(below.max_total).saturating_add(max_records);
            below = Level { max_records, max_total, total_width: width_of(max_total) };
            levels.push(below);
        }
        Ok(Geometry { levels, count_width })
    }
}

impl Geometry {
    /// Bytes of a node at `depth` with `records` records, up to and with its checksum.
    pub(crate) fn used_len(&self, header: &Header, sizes: Sizes, depth: u16, records: u64) -> u64 {
        let children = if depth == 0 { 0 } else { records.saturating_add(1) };
        let pointer = u64::from(sizes.offset)
            .saturating_add(self.count_width.into())
            .saturating_add(self.total_width_below(depth).into());
        records
            .saturating_mul(header.record_size.into())
            .saturating_add(children.saturating_mul(pointer))
            .saturating_add(NODE_OVERHEAD)
    }

    /// Most records of a node at `depth` and all nodes below it.
    pub(crate) fn max_total(&self, depth: u16) -> u64 {
        self.levels.get(usize::from(depth)).map_or(0, |level| level.max_total)
    }

    /// Most records of one node at `depth`.
    pub(crate) fn max_records(&self, depth: u16) -> u64 {
        self.levels.get(usize::from(depth)).map_or(0, |level| level.max_records)
    }

    fn total_width_below(&self, depth: u16) -> u8 {
        let below = usize::from(depth).checked_sub(1);
        below.and_then(|below| self.levels.get(below)).map_or(0, |level| level.total_width)
    }
}

impl Node {
    pub(crate) const NAME: &str = "version 2 B-tree node";

    /// Reads the node at `depth` (0 for a leaf) whose parent says that it has `records` records.
    pub(crate) fn parse<'a>(
        sizes: Sizes,
        header: &Header,
        geometry: &Geometry,
        depth: u16,
        records: u64,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        let (kind, record_size) = (header.kind, u64::from(header.record_size));
        let (count_width, total_width) = (geometry.count_width, geometry.total_width_below(depth));
        move |whole| {
            let mark: &[u8] = if depth == 0 { b"BTLF" } else { b"BTIN" };
            let (i, ()) = field("signature", signature(mark)).parse(whole)?;
            let (i, _) = field("version", version(&[0])).parse(i)?;
            let same_kind = |found: u8| {
                if found == kind {
                    Ok(())
                } else {
                    Err(Problem::invalid(alloc::format!("type {found}, the tree has {kind}")))
                }
            };
            let (i, _) = field("type", checked(le_u8, same_kind)).parse(i)?;
            let start = whole.len().saturating_sub(i.len());
            let len = byte_count(records.saturating_mul(record_size));
            let (mut i, bytes) = field("records", take(len)).parse(i)?;
            let mut children = Vec::new();
            let pointers = if depth == 0 { 0 } else { records.saturating_add(1) };
            for _ in 0..pointers {
                let child_start = i;
                let (rest, address) = field("child address", address(sizes)).parse(i)?;
                let (rest, records) = field("child records", uint(count_width)).parse(rest)?;
                let (rest, total) = field("child total", uint(total_width)).parse(rest)?;
                let total = if total_width == 0 { records } else { total };
                let Some(address) = address else {
                    let problem = Problem::invalid("a pointer without a child");
                    return Err(Failure::named("child address", child_start, problem));
                };
                children.push(Child { address, records, total });
                i = rest;
            }
            let (i, ()) = seal(whole, i)?;
            Ok((i, Self { records: start..start.saturating_add(bytes.len()), children }))
        }
    }

    /// Writes the node at `depth` with these records, and fills what it does not use.
    pub(crate) fn encode(
        header: &Header,
        geometry: &Geometry,
        depth: u16,
        (records, children): (&[Vec<u8>], &[Child]),
        out: &mut Encoder,
    ) {
        out.bytes(if depth == 0 { b"BTLF" } else { b"BTIN" });
        out.u8(0);
        out.u8(header.kind);
        for record in records {
            out.bytes(record);
        }
        for child in children {
            out.address(Some(child.address));
            out.uint(child.records, geometry.count_width);
            out.uint(child.total, geometry.total_width_below(depth));
        }
        out.seal();
        out.zeros(byte_count(header.node_size.into()).saturating_sub(out.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::lookup3;
    use crate::encode::encoded;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use proptest::prelude::*;
    use testkit::Bytes;

    const SIZES: Sizes = Sizes { offset: 8, length: 8 };

    fn header(kind: u8, depth: u16) -> Bytes {
        let head = Bytes::new().text("BTHD").u8(0).u8(kind).u32(512).u16(11).u16(depth);
        head.u8(100).u8(40).u64(0x700).u16(2).u64(70).sealed(lookup3)
    }

    fn parse_header(bytes: Bytes) -> Result<Header, crate::FormatError> {
        let bytes = bytes.build();
        let parser = Header::parse(SIZES, &[record::LINK_NAME], 16);
        parse_at(Header::NAME, 0, &bytes, parser)
    }

    #[test]
    fn reads_a_header_and_knows_its_nodes() {
        let found = parse_header(header(5, 2)).unwrap();
        assert_eq!((found.root, found.total_records), (Some(Address(0x700)), 70));
        let geometry = found.geometry(SIZES).unwrap();
        // Leaves: (512 - 10) / 11. Above: a pointer of 8 + 1 bytes, then of 8 + 1 + 2.
        assert_eq!((0..3).map(|d| geometry.max_records(d)).collect::<Vec<_>>(), [45, 24, 22]);
        assert_eq!(geometry.used_len(&found, SIZES, 0, 2), 10 + 22);
        assert_eq!(geometry.used_len(&found, SIZES, 2, 1), 10 + 11 + 2 * 11);
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(
            depth in 0_u16..4,
            records in proptest::collection::vec(any::<[u8; 11]>(), 1..20),
            children in proptest::collection::vec((0..u64::MAX, 0_u64..256), 20),
        ) {
            let header = Header {
                kind: record::LINK_NAME,
                node_size: 512,
                record_size: 11,
                depth,
                root: Some(Address(0x700)),
                root_records: 2,
                total_records: 70,
            };
            let bytes = encoded(SIZES, |out| header.encode(out));
            prop_assert_eq!(bytes.len() as u64, Header::len(SIZES));
            let read = parse_at(Header::NAME, 0, &bytes, Header::parse(SIZES, record::ALL, 16));
            prop_assert_eq!(read.as_ref(), Ok(&header));

            let geometry = header.geometry(SIZES).unwrap();
            let records: Vec<Vec<u8>> = records.iter().map(|record| record.to_vec()).collect();
            let pointers = if depth == 0 { 0 } else { records.len() + 1 };
            let children: Vec<_> = children[..pointers]
                .iter()
                .map(|(address, records)| Child { address: Address(*address), records: *records, total: *records })
                .collect();
            let content = (&records[..], &children[..]);
            let bytes = encoded(SIZES, |out| Node::encode(&header, &geometry, depth, content, out));
            prop_assert_eq!(bytes.len(), 512);
            let count = records.len() as u64;
            let parser = Node::parse(SIZES, &header, &geometry, depth, count);
            let read = parse_at(Node::NAME, 0, &bytes, parser).unwrap();
            prop_assert_eq!(&bytes[read.records], records.concat());
            prop_assert_eq!(read.children, children);
        }
    }

    #[test]
    fn reads_nodes() {
        let tree = parse_header(header(5, 1)).unwrap();
        let geometry = tree.geometry(SIZES).unwrap();
        let leaf = Bytes::new().text("BTLF").u8(0).u8(5).zeros(22).sealed(lookup3).zeros(9).build();
        let found =
            parse_at(Node::NAME, 0, &leaf, Node::parse(SIZES, &tree, &geometry, 0, 2)).unwrap();
        assert_eq!((found.records, found.children.len()), (6..28, 0));
        let inner = Bytes::new().text("BTIN").u8(0).u8(5).zeros(11).u64(0x10).u8(3).u64(0x20).u8(4);
        let inner = inner.sealed(lookup3).build();
        let found =
            parse_at(Node::NAME, 0, &inner, Node::parse(SIZES, &tree, &geometry, 1, 1)).unwrap();
        let child = |address, records| Child { address: Address(address), records, total: records };
        assert_eq!(found.children, [child(0x10, 3), child(0x20, 4)]);
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let text = |bytes| parse_header(bytes).unwrap_err().to_string();
        assert_eq!(
            text(header(8, 0)),
            "version 2 B-tree header at byte 0x0: field `type` at byte 0x5: type 8, not one of [5]"
        );
        assert_eq!(
            text(header(5, 17)),
            "version 2 B-tree header at byte 0x0: field `depth` at byte 0xc: depth of a B-tree: 17 is over the limit `max_depth` of 16"
        );
        assert_eq!(
            text(Bytes::new().text("BTHD").u8(0).u8(5).u16(0)),
            "version 2 B-tree header at byte 0x0: field `node size` at byte 0x6: the structure ends early"
        );
    }
}

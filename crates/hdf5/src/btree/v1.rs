//! Version 1 B-tree nodes, of groups and of chunk indexes. Spec: HDF5 File Format 3.0, III.A.1.

use alloc::vec::Vec;
use core::ops::Range;

use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::{le_u8, le_u16};

use crate::error::Problem;
use crate::parse::{
    Address, Failure, Parsed, Sizes, address, byte_count, checked, field, signature,
};

/// What a tree indexes; its keys have a width that depends on this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Symbol-table nodes by the place of a name in the local heap.
    Group,
    /// Chunks by their place in the dataset, with one coordinate per axis and one more.
    Chunk {
        /// Number of axes of the dataset.
        rank: u8,
    },
}

/// The start of a node, which says how much of it is in use.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | signature `TREE` |
/// | 1 | node type |
/// | 1 | node level |
/// | 2 | entries used |
/// | offset | left sibling |
/// | offset | right sibling |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    /// 0 for a node whose children are what the tree indexes.
    pub(crate) level: u8,
    pub(crate) entries: u16,
}

/// The entries of a node: keys with the children between them.
///
/// | bytes | field |
/// | --- | --- |
/// | key | key 0 |
/// | offset | child 0 |
/// | … | … |
/// | key | key n |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entries {
    pub(crate) entries: Vec<Entry>,
}

/// One child and the keys around it, as bytes of the node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: Range<usize>,
    pub(crate) child: Address,
    pub(crate) next_key: Range<usize>,
}

impl Kind {
    fn number(self) -> u8 {
        match self {
            Self::Group => 0,
            Self::Chunk { .. } => 1,
        }
    }

    fn key_len(self, sizes: Sizes) -> usize {
        match self {
            Self::Group => sizes.length.into(),
            // Stored size and filter mask, then a coordinate per axis and one within the element.
            Self::Chunk { rank } => 16_usize.saturating_add(usize::from(rank).saturating_mul(8)),
        }
    }
}

impl Head {
    pub(crate) const NAME: &str = "version 1 B-tree node";

    /// Bytes of the head.
    pub(crate) fn len(sizes: Sizes) -> u64 {
        8_u64.saturating_add(u64::from(sizes.offset).saturating_mul(2))
    }

    /// Reads the head of a node of a tree of this `kind` whose nodes have at most `max_entries`.
    pub(crate) fn parse<'a>(
        sizes: Sizes,
        kind: Kind,
        max_entries: u32,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |i| {
            let (i, ()) = field("signature", signature(b"TREE")).parse(i)?;
            let right_kind = |found: u8| {
                if found == kind.number() {
                    Ok(())
                } else {
                    Err(Problem::invalid(alloc::format!(
                        "node type {found}, not {}",
                        kind.number()
                    )))
                }
            };
            let (i, _) = field("node type", checked(le_u8, right_kind)).parse(i)?;
            let (i, level) = field("node level", le_u8).parse(i)?;
            let few = |found: u16| {
                let (found, max) = (u64::from(found), u64::from(max_entries));
                if found <= max { Ok(()) } else { Err(Problem::AboveMaximum { found, max }) }
            };
            let (i, entries) = field("entries used", checked(le_u16, few)).parse(i)?;
            // Siblings are a shortcut for writers; readers that follow them can be sent in circles.
            let (i, _) = field("left sibling", address(sizes)).parse(i)?;
            let (i, _) = field("right sibling", address(sizes)).parse(i)?;
            Ok((i, Self { level, entries }))
        }
    }

    /// Bytes of the head and of the entries in use; a node has room for more.
    pub(crate) fn used_len(self, sizes: Sizes, kind: Kind) -> u64 {
        let key = kind.key_len(sizes) as u64;
        let entry = key.saturating_add(sizes.offset.into());
        let entries = u64::from(self.entries).saturating_mul(entry);
        Self::len(sizes).saturating_add(entries).saturating_add(key)
    }
}

impl Entries {
    /// Reads the entries of a node that starts with `head`.
    pub(crate) fn parse<'a>(
        sizes: Sizes,
        kind: Kind,
        head: Head,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |whole| {
            let key = |i: &'a [u8]| -> Parsed<'a, Range<usize>> {
                let start = whole.len().saturating_sub(i.len());
                let (rest, key) = take(kind.key_len(sizes))(i)?;
                Ok((rest, start..start.saturating_add(key.len())))
            };
            let (mut i, _) = take(byte_count(Head::len(sizes)))(whole)?;
            let mut last;
            (i, last) = field("key", key).parse(i)?;
            let mut entries = Vec::new();
            for _ in 0..head.entries {
                let child_start = i;
                let (rest, child) = field("child", address(sizes)).parse(i)?;
                let Some(child) = child else {
                    let problem = Problem::invalid("an entry without a child");
                    return Err(Failure::named("child", child_start, problem));
                };
                let (rest, next) = field("key", key).parse(rest)?;
                entries.push(Entry { key: last, child, next_key: next.clone() });
                (i, last) = (rest, next);
            }
            Ok((i, Self { entries }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use testkit::Bytes;

    const SIZES: Sizes = Sizes { offset: 8, length: 8 };

    fn node(kind: u8, entries: u16) -> Bytes {
        Bytes::new().text("TREE").u8(kind).u8(0).u16(entries).ones(16)
    }

    #[test]
    fn reads_a_chunk_node() {
        let kind = Kind::Chunk { rank: 1 };
        let key = |at| Bytes::new().u32(10).u32(0).u64(at).u64(0);
        let bytes = node(1, 1).then(key(0)).u64(0x900).then(key(8)).build();
        let head = parse_at(Head::NAME, 0, &bytes, Head::parse(SIZES, kind, 64)).unwrap();
        assert_eq!(head.used_len(SIZES, kind), bytes.len() as u64);
        let found = parse_at(Head::NAME, 0, &bytes, Entries::parse(SIZES, kind, head)).unwrap();
        let expected = Entry { key: 24..48, child: Address(0x900), next_key: 56..80 };
        assert_eq!(found.entries, [expected]);
    }

    #[test]
    fn refuses_a_node_of_another_tree_or_with_too_many_entries() {
        let text = |bytes: Bytes| {
            let bytes = bytes.build();
            let parsed = parse_at(Head::NAME, 0, &bytes, Head::parse(SIZES, Kind::Group, 32));
            parsed.unwrap_err().to_string()
        };
        assert_eq!(
            text(node(1, 1)),
            "version 1 B-tree node at byte 0x0: field `node type` at byte 0x4: node type 1, not 0"
        );
        assert_eq!(
            text(node(0, 33)),
            "version 1 B-tree node at byte 0x0: field `entries used` at byte 0x6: 33 is more than the 32 that are allowed"
        );
        assert_eq!(
            text(Bytes::new().text("TREE").u8(0)),
            "version 1 B-tree node at byte 0x0: field `node level` at byte 0x5: the structure ends early"
        );
    }
}

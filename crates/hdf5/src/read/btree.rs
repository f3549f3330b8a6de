//! Walks B-trees of both kinds, in the order of their keys.

use alloc::collections::BTreeSet;
use core::cmp::Ordering;

use super::storage::{Block, Storage, required, whole};
use crate::btree::{v1, v2};
use crate::error::{Error, Problem};
use crate::limits::within;
use crate::parse::Address;

/// A key of an old tree, or a record of a new one, as stored.
#[derive(Clone, Copy)]
pub(crate) struct Stored<'a> {
    /// Where it starts, in bytes from the start of the file.
    pub(crate) offset: u64,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Stored<'a> {
    fn of(block: &'a Block, start: usize, end: usize) -> Self {
        Self {
            offset: block.offset.saturating_add(start as u64),
            bytes: block.bytes.get(start..end).unwrap_or_default(),
        }
    }
}

/// Visits what a version 1 B-tree indexes, in its order.
///
/// `wanted` sees the keys on both sides of a child and says whether anything between them is of interest;
/// `visit` gets the left key and the address of each child of the lowest level that is.
pub(crate) fn walk_v1(
    storage: &Storage,
    root: Address,
    kind: v1::Kind,
    mut wanted: impl FnMut(Stored<'_>, Stored<'_>) -> Result<bool, Error>,
    mut visit: impl FnMut(Stored<'_>, Address) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut walk =
        WalkV1 { storage, kind, seen: BTreeSet::new(), wanted: &mut wanted, visit: &mut visit };
    walk.node(root, None)
}

struct WalkV1<'w> {
    storage: &'w Storage,
    kind: v1::Kind,
    seen: BTreeSet<Address>,
    wanted: &'w mut dyn FnMut(Stored<'_>, Stored<'_>) -> Result<bool, Error>,
    visit: &'w mut dyn FnMut(Stored<'_>, Address) -> Result<(), Error>,
}

impl WalkV1<'_> {
    fn node(&mut self, address: Address, parent_level: Option<u8>) -> Result<(), Error> {
        let sizes = self.storage.sizes();
        let refuse = |problem| whole(v1::Head::NAME, self.storage.offset(address), problem);
        if !self.seen.insert(address) {
            return Err(refuse(Problem::invalid("the tree comes here for the second time")));
        }
        let head_block = self.storage.block(v1::Head::NAME, address, v1::Head::len(sizes))?;
        let head = head_block
            .parse(v1::Head::NAME, v1::Head::parse(sizes, self.kind, self.max_entries()))?;
        match parent_level {
            None => {
                let max = self.storage.limits().max_depth.into();
                within("levels of a B-tree", head.level.into(), "max_depth", max)
                    .map_err(refuse)?;
            }
            Some(parent) if parent.checked_sub(1) == Some(head.level) => {}
            Some(parent) => {
                let problem = alloc::format!("level {} below level {parent}", head.level);
                return Err(refuse(Problem::invalid(problem)));
            }
        }
        let used = head.used_len(sizes, self.kind);
        let block = self.storage.block(v1::Head::NAME, address, used)?;
        let entries =
            block.parse(v1::Head::NAME, v1::Entries::parse(sizes, self.kind, head))?.entries;
        for entry in entries {
            let key = Stored::of(&block, entry.key.start, entry.key.end);
            let next = Stored::of(&block, entry.next_key.start, entry.next_key.end);
            if !(self.wanted)(key, next)? {
                continue;
            }
            if head.level == 0 {
                (self.visit)(key, entry.child)?;
            } else {
                self.node(entry.child, Some(head.level))?;
            }
        }
        Ok(())
    }

    fn max_entries(&self) -> u32 {
        let sizes = self.storage.node_sizes();
        let k = match self.kind {
            v1::Kind::Group => sizes.group_internal,
            v1::Kind::Chunk { .. } => sizes.chunk_internal,
        };
        u32::from(k).saturating_mul(2)
    }
}

/// A version 2 B-tree whose header was read.
pub(crate) struct TreeV2<'s> {
    storage: &'s Storage,
    pub(crate) header: v2::Header,
    geometry: v2::Geometry,
}

impl<'s> TreeV2<'s> {
    /// Reads the header at `address` of a tree of one of the `kinds` (see [`v2::record`]).
    pub(crate) fn open(
        storage: &'s Storage,
        address: Address,
        kinds: &'static [u8],
    ) -> Result<Self, Error> {
        let sizes = storage.sizes();
        let block = storage.block(v2::Header::NAME, address, v2::Header::len(sizes))?;
        let max_depth = storage.limits().max_depth;
        let header = block.parse(v2::Header::NAME, v2::Header::parse(sizes, kinds, max_depth))?;
        let geometry = header
            .geometry(sizes)
            .map_err(|problem| whole(v2::Header::NAME, storage.offset(address), problem))?;
        Ok(Self { storage, header, geometry })
    }

    /// Visits all records in their order, and checks that there are as many as the header says.
    pub(crate) fn walk(
        &self,
        mut visit: impl FnMut(Stored<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut records = 0_u64;
        self.search(
            |_| Ok(Ordering::Equal),
            |record| {
                records = records.saturating_add(1);
                visit(record)
            },
        )?;
        if records == self.header.total_records {
            return Ok(());
        }
        let root = self.header.root.map_or(0, |root| self.storage.offset(root));
        let problem = alloc::format!(
            "{records} records below, the header says {}",
            self.header.total_records
        );
        Err(whole(v2::Node::NAME, root, Problem::invalid(problem)))
    }

    /// Visits the records that `place` calls equal to what is sought, in their order;
    /// `place` must put records in the order of the tree.
    pub(crate) fn search(
        &self,
        mut place: impl FnMut(Stored<'_>) -> Result<Ordering, Error>,
        mut visit: impl FnMut(Stored<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.header.total_records == 0 {
            return Ok(());
        }
        let root = required(v2::Node::NAME, self.storage.base(), self.header.root)?;
        let mut walk =
            WalkV2 { tree: self, seen: BTreeSet::new(), place: &mut place, visit: &mut visit };
        walk.node(root, self.header.depth, self.header.root_records.into())
    }
}

struct WalkV2<'w> {
    tree: &'w TreeV2<'w>,
    seen: BTreeSet<Address>,
    place: &'w mut dyn FnMut(Stored<'_>) -> Result<Ordering, Error>,
    visit: &'w mut dyn FnMut(Stored<'_>) -> Result<(), Error>,
}

impl WalkV2<'_> {
    fn node(&mut self, address: Address, depth: u16, records: u64) -> Result<(), Error> {
        let TreeV2 { storage, header, geometry } = self.tree;
        let refuse = |problem| whole(v2::Node::NAME, storage.offset(address), problem);
        if !self.seen.insert(address) {
            return Err(refuse(Problem::invalid("the tree comes here for the second time")));
        }
        let max = geometry.max_records(depth);
        if records > max {
            return Err(refuse(Problem::AboveMaximum { found: records, max }));
        }
        let sizes = storage.sizes();
        let used = geometry.used_len(header, sizes, depth, records);
        let block = storage.block(v2::Node::NAME, address, used)?;
        let parser = v2::Node::parse(sizes, header, geometry, depth, records);
        let node = block.parse(v2::Node::NAME, parser)?;
        let record_len = usize::from(header.record_size).max(1);
        let starts = node.records.clone().step_by(record_len);
        let mut children = node.children.iter();
        let mut before = Ordering::Less;
        for start in starts {
            let record = Stored::of(&block, start, start.saturating_add(record_len));
            let here = (self.place)(record)?;
            // What stands between two records is of interest when the right one is not too small,
            // and the left one not too large.
            self.child(
                children.next(),
                depth,
                before != Ordering::Greater && here != Ordering::Less,
            )?;
            if here == Ordering::Equal {
                (self.visit)(record)?;
            }
            before = here;
        }
        self.child(children.next(), depth, before != Ordering::Greater)
    }

    fn child(&mut self, child: Option<&v2::Child>, depth: u16, wanted: bool) -> Result<(), Error> {
        match child {
            Some(child) if wanted => {
                self.node(child.address, depth.saturating_sub(1), child.records)
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::OpenOptions;
    use super::super::test_file::{
        ROOT, file, header, link_info, name_leaf, name_record, name_tree, text_of,
    };
    use super::*;
    use crate::btree::v2::record;
    use crate::checksum::lookup3;
    use alloc::sync::Arc;
    use alloc::vec;
    use alloc::vec::Vec;
    use testkit::Bytes;

    const TREE: usize = 0x100;
    const NODE: usize = 0x140;

    /// A tree of one internal node with the record 20, between a leaf with 10 and one with 30.
    /// Records are numbers in place of hashes.
    fn storage(right: usize, total: u64) -> Storage {
        let number =
            |n: u32| Bytes::new().u32(n).then(name_record("", 0, 0)).build()[..11].to_vec();
        let leaf = |n| name_leaf(vec![Bytes::new().bytes(number(n))]);
        let node = Bytes::new().text("BTIN").u8(0).u8(5).bytes(number(20));
        let node = node.u64(0x200).u8(1).u64(right as u64).u8(1).sealed(lookup3).build();
        let bytes = file(&[
            (ROOT, header(vec![link_info()])),
            (TREE, name_tree(1, NODE, 1, total)),
            (NODE, node),
            (0x200, leaf(10)),
            (0x280, leaf(30)),
        ]);
        Storage::open(Arc::new(bytes), OpenOptions::default()).unwrap()
    }

    fn number(record: Stored<'_>) -> u32 {
        u32::from_le_bytes(*record.bytes.first_chunk().unwrap())
    }

    fn found(storage: &Storage, wanted: impl Fn(u32) -> Ordering) -> Result<Vec<u32>, Error> {
        let tree = TreeV2::open(storage, Address(TREE as u64), &[record::LINK_NAME])?;
        let mut numbers = Vec::new();
        tree.search(
            |record| Ok(wanted(number(record))),
            |record| {
                numbers.push(number(record));
                Ok(())
            },
        )?;
        Ok(numbers)
    }

    #[test]
    fn visits_records_in_order_and_searches_among_them() {
        let storage = storage(0x280, 3);
        assert_eq!(found(&storage, |_| Ordering::Equal).unwrap(), [10, 20, 30]);
        for sought in [10, 20, 30] {
            assert_eq!(found(&storage, |n| n.cmp(&sought)).unwrap(), [sought]);
        }
        assert_eq!(found(&storage, |n| n.cmp(&15)).unwrap(), []);
    }

    #[test]
    fn looks_only_where_records_can_be() {
        // The right leaf is missing, which only matters to who goes there.
        let storage = storage(0x9000, 3);
        assert_eq!(found(&storage, |n| n.cmp(&10)).unwrap(), [10]);
        assert_eq!(
            text_of(found(&storage, |n| n.cmp(&30))),
            "version 2 B-tree node at byte 0x9000: it starts past the end of the file, which has 661 bytes"
        );
    }

    #[test]
    fn refuses_circles_and_wrong_counts() {
        let walk = |storage: &Storage| {
            TreeV2::open(storage, Address(TREE as u64), &[record::LINK_NAME])
                .and_then(|tree| tree.walk(|_| Ok(())))
        };
        assert_eq!(
            text_of(walk(&storage(0x200, 3))),
            "version 2 B-tree node at byte 0x200: the tree comes here for the second time"
        );
        assert_eq!(
            text_of(walk(&storage(0x280, 4))),
            "version 2 B-tree node at byte 0x140: 3 records below, the header says 4"
        );
    }
}

//! The links of a group, in each of the three ways in which groups keep them.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use nom::Parser;
use nom::number::complete::le_u32;

use super::btree::{Stored, TreeV2, walk_v1};
use super::fractal_heap::FractalHeapReader;
use super::object::Node;
use super::storage::{Block, Storage, required, whole};
use crate::btree::symbol_table_node::{SymbolTableEntry, SymbolTableNode};
use crate::btree::v1;
use crate::btree::v2::record;
use crate::checksum::lookup3;
use crate::error::{Error, Problem};
use crate::heap::local::{LocalHeap, text_at};
use crate::limits::within;
use crate::message::kind;
use crate::message::link::{Link, LinkTarget, usable_name};
use crate::message::link_info::LinkInfo;
use crate::message::symbol_table::SymbolTable;
use crate::object_header::Prefix;
use crate::parse::{Address, Parsed, field, parse_at};

/// How a group keeps links that are not in its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DenseLinks {
    /// It does not, or so few that reading them all is the way to find one.
    ReadAll,
    /// In a heap, indexed by name.
    Indexed { heap: Address, name_index: Address },
}

/// Up to this many links, finding one by its hash reads as many nodes as reading all.
const FEW_LINKS: u64 = 64;

/// All links of the group, sorted by the bytes of their names.
pub(super) fn read_all(storage: &Storage, node: &Node) -> Result<Arc<Vec<Link>>, Error> {
    if let Some(links) = node.links.with(|known| known.clone()) {
        return Ok(links);
    }
    let mut found = Vec::new();
    symbol_table(storage, node, &mut found)?;
    compact(storage, node, &mut found)?;
    if let Some((heap, name_index)) = dense_storage(storage, node)? {
        dense(storage, heap, name_index, &mut found)?;
    }
    found.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    refuse_duplicates(node, &found)?;
    // Not copied into a slice: of a million links two copies would be many.
    let links = Arc::new(found);
    node.links.with(|known| *known = Some(Arc::clone(&links)));
    Ok(links)
}

/// The link of this name.
pub(super) fn find(storage: &Storage, node: &Node, name: &[u8]) -> Result<Option<Link>, Error> {
    look_up(storage, node, name, Link::clone)
}

/// What the link of this name leads to.
pub(super) fn target(
    storage: &Storage,
    node: &Node,
    name: &[u8],
) -> Result<Option<LinkTarget>, Error> {
    look_up(storage, node, name, |link| link.target.clone())
}

fn look_up<T>(
    storage: &Storage,
    node: &Node,
    name: &[u8],
    take: impl FnOnce(&Link) -> T,
) -> Result<Option<T>, Error> {
    let known = node.links.with(|known| known.clone());
    if known.is_none()
        && let DenseLinks::Indexed { heap, name_index } = indexed(storage, node)?
    {
        return Ok(find_dense(storage, heap, name_index, name)?.as_ref().map(take));
    }
    let links = read_all(storage, node)?;
    let place = links.binary_search_by(|link| link.name.as_slice().cmp(name));
    Ok(place.ok().and_then(|place| links.get(place)).map(take))
}

/// Whether one link is found by its hash; worked out once.
fn indexed(storage: &Storage, node: &Node) -> Result<DenseLinks, Error> {
    if let Some(dense) = node.dense.with(|known| *known) {
        return Ok(dense);
    }
    let mut found = DenseLinks::ReadAll;
    let only_dense = !node.header.has(kind::LINK) && !node.header.has(kind::SYMBOL_TABLE);
    if let Some((heap, name_index)) = dense_storage(storage, node)?
        && only_dense
    {
        let tree = TreeV2::open(storage, name_index, &[record::LINK_NAME])?;
        if tree.header.total_records > FEW_LINKS {
            found = DenseLinks::Indexed { heap, name_index };
        }
    }
    node.dense.with(|known| *known = Some(found));
    Ok(found)
}

/// Links that are messages of the group's header.
fn compact(storage: &Storage, node: &Node, found: &mut Vec<Link>) -> Result<(), Error> {
    for message in node.header.messages().filter(|message| message.kind == kind::LINK) {
        check_count(storage, node.header.offset(), found.len())?;
        found.push(message.parse(Link::MESSAGE_NAME, Link::parse(storage.sizes()))?);
    }
    Ok(())
}

/// Heap and name index of a group that keeps its links there.
fn dense_storage(storage: &Storage, node: &Node) -> Result<Option<(Address, Address)>, Error> {
    let Some(message) = node.header.message(kind::LINK_INFO) else { return Ok(None) };
    let info = message.parse(LinkInfo::NAME, LinkInfo::parse(storage.sizes()))?;
    let Some(heap) = info.heap else { return Ok(None) };
    let name_index = required("name index B-tree", message.offset, info.name_index)?;
    Ok(Some((heap, name_index)))
}

fn dense(
    storage: &Storage,
    heap: Address,
    name_index: Address,
    found: &mut Vec<Link>,
) -> Result<(), Error> {
    let tree = TreeV2::open(storage, name_index, &[record::LINK_NAME])?;
    let mut heap = FractalHeapReader::open(storage, heap)?;
    tree.walk(|record| {
        check_count(storage, record.offset, found.len())?;
        let record = NameRecord::of(record, heap.id_len())?;
        let object = heap.object(record.id, record.id_offset)?;
        found.push(object.parse(Link::MESSAGE_NAME, Link::parse(storage.sizes()))?);
        Ok(())
    })
}

fn find_dense(
    storage: &Storage,
    heap: Address,
    name_index: Address,
    name: &[u8],
) -> Result<Option<Link>, Error> {
    let tree = TreeV2::open(storage, name_index, &[record::LINK_NAME])?;
    let mut heap = FractalHeapReader::open(storage, heap)?;
    let (hash, id_len) = (lookup3(name), heap.id_len());
    let mut found = None;
    // Names may share a hash, so those that do are all looked at.
    tree.search(
        |record| Ok(NameRecord::of(record, id_len)?.hash.cmp(&hash)),
        |record| {
            let record = NameRecord::of(record, id_len)?;
            let object = heap.object(record.id, record.id_offset)?;
            let link = object.parse(Link::MESSAGE_NAME, Link::parse(storage.sizes()))?;
            if link.name == name {
                found = Some(link);
            }
            Ok(())
        },
    )?;
    Ok(found)
}

/// A record of the name index.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | hash of name |
/// | what is left | heap ID |
struct NameRecord<'a> {
    hash: u32,
    id: &'a [u8],
    id_offset: u64,
}

impl<'a> NameRecord<'a> {
    fn of(record: Stored<'a>, id_len: usize) -> Result<Self, Error> {
        let parser = |i: &'a [u8]| -> Parsed<'a, (u32, &'a [u8])> {
            let (i, hash) = field("hash of name", le_u32).parse(i)?;
            let (i, id) = field("heap ID", nom::bytes::complete::take(id_len)).parse(i)?;
            Ok((i, (hash, id)))
        };
        let (hash, id) = parse_at("link name record", record.offset, record.bytes, parser)?;
        Ok(Self { hash, id, id_offset: record.offset.saturating_add(4) })
    }
}

/// Links of an old group: a B-tree of symbol-table nodes, with the names in a local heap.
fn symbol_table(storage: &Storage, node: &Node, found: &mut Vec<Link>) -> Result<(), Error> {
    let Some(message) = node.header.message(kind::SYMBOL_TABLE) else { return Ok(()) };
    let sizes = storage.sizes();
    let table = message.parse(SymbolTable::NAME, SymbolTable::parse(sizes))?;
    let tree = required(v1::Head::NAME, message.offset, table.tree)?;
    let heap = required(LocalHeap::NAME, message.offset, table.heap)?;
    let names = local_heap(storage, heap)?;
    let mut allowance = storage.allowance();
    walk_v1(
        storage,
        tree,
        v1::Kind::Group,
        |_, _| Ok(true),
        |_, child| {
            let (offset, node) = symbol_table_node(storage, child)?;
            for entry in node.entries {
                check_count(storage, offset, found.len())?;
                let link = link_of(&entry, offset, &names)?;
                // Offsets into the heap may overlap, so that its bytes are names many times over.
                allowance.take(LocalHeap::DATA_NAME, names.offset, link.stored_len())?;
                found.push(link);
            }
            Ok(())
        },
    )
}

fn symbol_table_node(storage: &Storage, address: Address) -> Result<(u64, SymbolTableNode), Error> {
    let (name, sizes) = (SymbolTableNode::NAME, storage.sizes());
    let max = u32::from(storage.node_sizes().group_leaf).saturating_mul(2);
    let head = storage.block(name, address, SymbolTableNode::len(sizes, 0))?;
    let entries = head.parse(name, SymbolTableNode::parse_count(max))?;
    let used = SymbolTableNode::len(sizes, entries.into());
    let block = storage.block(name, address, used)?;
    Ok((block.offset, block.parse(name, SymbolTableNode::parse(sizes, max))?))
}

/// The data segment of a local heap.
fn local_heap(storage: &Storage, address: Address) -> Result<Block, Error> {
    let sizes = storage.sizes();
    let block = storage.block(LocalHeap::NAME, address, LocalHeap::len(sizes))?;
    let heap = block.parse(LocalHeap::NAME, LocalHeap::parse(sizes))?;
    let data = required(LocalHeap::DATA_NAME, block.offset, heap.data)?;
    storage.block(LocalHeap::DATA_NAME, data, heap.data_len)
}

fn link_of(entry: &SymbolTableEntry, offset: u64, names: &Block) -> Result<Link, Error> {
    let text = |at: u64| {
        text_at(&names.bytes, at)
            .map_err(|problem| whole(LocalHeap::DATA_NAME, names.offset, problem))
    };
    let name = text(entry.name_offset)?;
    usable_name(name).map_err(|problem| whole(LocalHeap::DATA_NAME, names.offset, problem))?;
    let target = match entry.soft_link_offset {
        Some(at) => LinkTarget::Soft(text(at.into())?.to_vec()),
        None => LinkTarget::Hard(required(Prefix::NAME, offset, entry.header)?),
    };
    Ok(Link { name: name.to_vec(), target })
}

fn check_count(storage: &Storage, offset: u64, known: usize) -> Result<(), Error> {
    let count = (known as u64).saturating_add(1);
    within("links of a group", count, "max_links", storage.limits().max_links)
        .map_err(|problem| whole("group", offset, problem))
}

fn refuse_duplicates(node: &Node, sorted: &[Link]) -> Result<(), Error> {
    let twin = sorted
        .iter()
        .zip(sorted.iter().skip(1))
        .find(|(a, b)| a.name.cmp(&b.name) == Ordering::Equal);
    match twin {
        None => Ok(()),
        Some((link, _)) => {
            let problem = alloc::format!("two links are called `{}`", link.name());
            Err(whole("group", node.header.offset(), Problem::invalid(problem)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_file::{
        ROOT, direct_block, file, fractal_heap, hard, hard_link, header, link_info, name_leaf,
        name_record, name_tree, open, text_of,
    };
    use crate::Group;
    use crate::error::Error;
    use crate::message::kind;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;
    use testkit::Bytes;

    const HEAP: usize = 0x100;
    const BLOCK: usize = 0x200;
    const TREE: usize = 0x400;
    const LEAF: usize = 0x440;

    fn names(root: &Group) -> Result<Vec<String>, Error> {
        Ok(root.links()?.iter().map(|link| link.name().into_owned()).collect())
    }

    /// A group with the links `a` and `b` in a heap whose block claims to belong to the heap at `owner`.
    fn dense(owner: usize, total: u64) -> Group {
        let links = [hard_link("a", ROOT), hard_link("b", ROOT)];
        let (block, at) = direct_block(owner, &links);
        let len = links[0].len();
        let mut records = vec![name_record("a", at[0], len), name_record("b", at[1], len)];
        records.sort_by_key(|record| {
            u32::from_le_bytes(*record.clone().build().first_chunk().unwrap())
        });
        let info = Bytes::new().u16(0).u64(HEAP as u64).u64(TREE as u64);
        let bytes = file(&[
            (ROOT, header(vec![(kind::LINK_INFO, 0, info)])),
            (HEAP, fractal_heap(BLOCK)),
            (BLOCK, block),
            (TREE, name_tree(0, LEAF, 2, total)),
            (LEAF, name_leaf(records)),
        ]);
        open(bytes).unwrap().root().unwrap()
    }

    #[test]
    fn reads_dense_links() {
        let root = dense(HEAP, 2);
        assert_eq!(names(&root).unwrap(), ["a", "b"]);
        assert!(root.link("b").unwrap().is_some() && root.link("c").unwrap().is_none());
    }

    #[test]
    fn finds_one_of_many_dense_links_by_its_hash() {
        // The header claims so many that nobody lists them, which would notice the difference.
        let root = dense(HEAP, 1000);
        assert_eq!(root.link("b").unwrap().unwrap().name(), "b");
        assert!(root.link("c").unwrap().is_none());
        assert_eq!(
            text_of(root.links()),
            "/: version 2 B-tree node at byte 0x440: 2 records below, the header says 1000"
        );
    }

    #[test]
    fn refuses_a_block_of_another_heap() {
        assert_eq!(
            text_of(dense(ROOT, 2).links()),
            "/: fractal heap direct block at byte 0x200: field `heap header address` at byte 0x205: a block of another heap"
        );
    }

    /// An old group: two symbol-table nodes below a B-tree node of this level.
    fn old(level: u8, first_child: usize) -> Group {
        let table = Bytes::new().u64(TREE as u64).u64(HEAP as u64);
        let symbol = |name: u64| Bytes::new().u64(name).u64(ROOT as u64).zeros(24);
        let soft = |name: u64, path: u32| {
            Bytes::new().u64(name).ones(8).u32(2).zeros(4).u32(path).zeros(12)
        };
        let node =
            |symbol: Bytes| Bytes::new().text("SNOD").bytes([1, 0, 1, 0]).then(symbol).build();
        let tree = Bytes::new().text("TREE").u8(0).u8(level).u16(2).ones(16);
        let tree = tree.u64(0).u64(first_child as u64).u64(8).u64(0x600).u64(16);
        let heap = Bytes::new().text("HEAP").zeros(4).u64(24).u64(1).u64(BLOCK as u64);
        let bytes = file(&[
            (ROOT, header(vec![(kind::SYMBOL_TABLE, 0, table)])),
            (HEAP, heap.build()),
            (BLOCK, b"\0\0\0\0\0\0\0\0a\0\0\0\0\0\0\0b\0/path\0\0".to_vec()),
            (TREE, tree.build()),
            (0x500, node(symbol(8))),
            (0x600, node(soft(16, 18))),
        ]);
        open(bytes).unwrap().root().unwrap()
    }

    #[test]
    fn reads_symbol_tables() {
        let root = old(0, 0x500);
        assert_eq!(names(&root).unwrap(), ["a", "b"]);
        assert_eq!(root.get("a").unwrap().unwrap().path(), "/a");
        assert!(root.get("b").unwrap().is_none());
    }

    #[test]
    fn refuses_trees_that_run_in_circles() {
        assert_eq!(
            text_of(old(1, TREE).links()),
            "/: version 1 B-tree node at byte 0x400: the tree comes here for the second time"
        );
        assert_eq!(
            text_of(old(17, 0x500).links()),
            "/: version 1 B-tree node at byte 0x400: levels of a B-tree: 17 is over the limit `max_depth` of 16"
        );
    }

    #[test]
    fn refuses_doubled_names() {
        let root = vec![link_info(), hard("a", ROOT), hard("a", ROOT)];
        let root = open(file(&[(ROOT, header(root))])).unwrap().root().unwrap();
        assert_eq!(text_of(root.links()), "/: group at byte 0x40: two links are called `a`");
    }
}

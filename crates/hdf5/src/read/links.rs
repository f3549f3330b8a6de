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
pub(super) fn read_all(storage: &Storage, node: &Node) -> Result<Arc<[Link]>, Error> {
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
    let links: Arc<[Link]> = found.into();
    node.links.with(|known| *known = Some(Arc::clone(&links)));
    Ok(links)
}

/// The link of this name.
pub(super) fn find(storage: &Storage, node: &Node, name: &[u8]) -> Result<Option<Link>, Error> {
    let known = node.links.with(|known| known.clone());
    if known.is_none()
        && let DenseLinks::Indexed { heap, name_index } = indexed(storage, node)?
    {
        return find_dense(storage, heap, name_index, name);
    }
    let links = read_all(storage, node)?;
    let place = links.binary_search_by(|link| link.name.as_slice().cmp(name));
    Ok(place.ok().and_then(|place| links.get(place)).cloned())
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

//! Says in a line what a structure holds.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::Debug;

use crate::btree::symbol_table_node::SymbolTableNode;
use crate::btree::{v1, v2};
use crate::error::FormatError;
use crate::heap::fractal::FractalHeap;
use crate::heap::global::Collection;
use crate::heap::local::LocalHeap;
use crate::message::attribute::AttributeMessage;
use crate::message::attribute_info::AttributeInfo;
use crate::message::dataspace::Dataspace;
use crate::message::datatype::Datatype;
use crate::message::fill_value::FillValue;
use crate::message::filter_pipeline::FilterPipeline;
use crate::message::group_info::GroupInfo;
use crate::message::kind;
use crate::message::layout::Layout;
use crate::message::link::Link;
use crate::message::link_info::LinkInfo;
use crate::message::shared::SharedMessage;
use crate::message::symbol_table::SymbolTable;
use crate::object_header::Prefix;
use crate::parse::parse_at;
use crate::read::header::Message;
use crate::read::storage::Storage;

use super::words;

/// What a message of an object header says.
pub(super) fn message(storage: &Storage, message: Message<'_>) -> String {
    let (sizes, limits) = (storage.sizes(), storage.limits());
    if message.is_shared() {
        return said(message.parse(SharedMessage::NAME, SharedMessage::parse(sizes)));
    }
    match message.kind {
        kind::DATASPACE => said(message.parse(Dataspace::NAME, Dataspace::parse(sizes))),
        kind::LINK_INFO => said(message.parse(LinkInfo::NAME, LinkInfo::parse(sizes))),
        kind::DATATYPE => said(message.parse(Datatype::NAME, Datatype::parse(sizes, limits))),
        kind::OLD_FILL_VALUE => said(message.parse(FillValue::OLD_NAME, FillValue::parse_old)),
        kind::FILL_VALUE => said(message.parse(FillValue::NAME, FillValue::parse)),
        kind::LINK => {
            told(message.parse(Link::MESSAGE_NAME, Link::parse(sizes)).map(|link| in_words(&link)))
        }
        kind::LAYOUT => said(message.parse(Layout::NAME, Layout::parse(sizes))),
        kind::GROUP_INFO => said(message.parse(GroupInfo::NAME, GroupInfo::parse)),
        kind::FILTER_PIPELINE => said(message.parse(FilterPipeline::NAME, FilterPipeline::parse)),
        kind::ATTRIBUTE => {
            let parser = AttributeMessage::parse(sizes, limits);
            let name = |found: AttributeMessage| String::from_utf8_lossy(&found.name).into();
            told(message.parse(AttributeMessage::NAME, parser).map(name))
        }
        kind::SYMBOL_TABLE => said(message.parse(SymbolTable::NAME, SymbolTable::parse(sizes))),
        kind::ATTRIBUTE_INFO => {
            said(message.parse(AttributeInfo::NAME, AttributeInfo::parse(sizes)))
        }
        _ => String::new(),
    }
}

/// What a structure of its own says, if it says anything by itself.
pub(super) fn block(storage: &Storage, name: &str, bytes: &[u8]) -> String {
    let sizes = storage.sizes();
    match name {
        Prefix::NAME => said(parse_at(Prefix::NAME, 0, bytes, Prefix::parse)),
        v1::Head::NAME => {
            // Any rank will do, since only the start of the node is read.
            let chunks = bytes.get(4) == Some(&1);
            let kind = if chunks { v1::Kind::Chunk { rank: 0 } } else { v1::Kind::Group };
            said(parse_at(v1::Head::NAME, 0, bytes, v1::Head::parse(sizes, kind, u32::MAX)))
        }
        v2::Header::NAME => {
            let max_depth = storage.limits().max_depth;
            let parser = v2::Header::parse(sizes, v2::record::ALL, max_depth);
            said(parse_at(v2::Header::NAME, 0, bytes, parser))
        }
        SymbolTableNode::NAME => {
            let count = SymbolTableNode::parse_count(u32::MAX);
            let entries = |count| counted(count, "entry", "entries");
            told(parse_at(SymbolTableNode::NAME, 0, bytes, count).map(entries))
        }
        LocalHeap::NAME => said(parse_at(LocalHeap::NAME, 0, bytes, LocalHeap::parse(sizes))),
        Collection::NAME => {
            let objects = |found: Collection| counted(found.len() as u64, "object", "objects");
            told(parse_at(Collection::NAME, 0, bytes, Collection::parse(sizes)).map(objects))
        }
        FractalHeap::NAME => said(parse_at(FractalHeap::NAME, 0, bytes, FractalHeap::parse(sizes))),
        _ => String::new(),
    }
}

fn in_words(link: &Link) -> String {
    format!("{} -> {}", link.name(), words::of(&link.target))
}

fn counted(count: impl Into<u64>, one: &str, more: &str) -> String {
    let count = count.into();
    format!("{count} {}", if count == 1 { one } else { more })
}

fn said(result: Result<impl Debug, FormatError>) -> String {
    told(result.map(|value| words::of(&value)))
}

fn told(result: Result<String, FormatError>) -> String {
    result.unwrap_or_else(|error| error.problem.to_string())
}

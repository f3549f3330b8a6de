//! Dense storage: the many links or attributes of an object, in a fractal heap with an index of their names.

mod heap;
pub(super) mod tree;

use alloc::vec::Vec;

use self::heap::Objects;
use super::SIZES;
use super::blob::Blob;
use crate::btree::v2::record;
use crate::checksum::lookup3;
use crate::encode::encoded;
use crate::heap::fractal::{FractalHeap, HeapId};
use crate::parse::Address;

/// Up to this many links or attributes of an object are messages of its header; libhdf5 draws the line here too.
pub(super) const MAX_COMPACT: usize = 8;

/// Size of the nodes of a name index, and of the index of huge objects: what libhdf5 uses.
const NODE_SIZE: u32 = 512;

/// What dense storage keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Links,
    Attributes,
}

/// Where the two parts of a dense storage are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DenseStorage {
    pub(super) heap: Address,
    pub(super) name_index: Address,
}

impl DenseStorage {
    /// Adds the storage of these messages, each with its name, to `blob`. Where it is, and how long, depends on the names
    /// and lengths only.
    pub(super) fn add(content: Content, messages: &[(&[u8], Vec<u8>)], blob: &mut Blob) -> Self {
        let empty = match content {
            Content::Links => FractalHeap::for_links(),
            Content::Attributes => FractalHeap::for_attributes(),
        };
        let objects: Vec<&[u8]> = messages.iter().map(|(_, message)| &message[..]).collect();
        let (heap, ids) = Objects::place(empty.clone(), &objects).add(blob);
        let mut records: Vec<_> =
            messages.iter().zip(ids).map(|((name, _), id)| (lookup3(name), *name, id)).collect();
        // Names that share a hash are in the order of their bytes.
        records.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        let record = |(hash, _, id): (u32, &[u8], HeapId)| match content {
            Content::Links => link_record(&empty, hash, &id),
            Content::Attributes => attribute_record(&empty, hash, &id),
        };
        let records: Vec<Vec<u8>> = records.into_iter().map(record).collect();
        let kind = match content {
            Content::Links => record::LINK_NAME,
            Content::Attributes => record::ATTRIBUTE_NAME,
        };
        let name_index = tree::add(kind, NODE_SIZE, &records, blob);
        Self { heap, name_index }
    }
}

/// A record of the name index of links.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | hash of name |
/// | as the heap says | heap ID |
fn link_record(heap: &FractalHeap, hash: u32, id: &HeapId) -> Vec<u8> {
    encoded(SIZES, |out| {
        out.u32(hash);
        id.encode(heap, out);
    })
}

/// A record of the name index of attributes; its fields are listed where it is read.
fn attribute_record(heap: &FractalHeap, hash: u32, id: &HeapId) -> Vec<u8> {
    encoded(SIZES, |out| {
        id.encode(heap, out);
        out.u8(0);
        out.u32(0);
        out.u32(hash);
    })
}

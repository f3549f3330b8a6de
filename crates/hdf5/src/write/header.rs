//! The header of an object, with the dense storage that belongs to it.

use alloc::vec;
use alloc::vec::Vec;

use super::SIZES;
use super::blob::Blob;
use super::dense::{Content, DenseStorage, MAX_COMPACT};
use super::global_heap::GlobalHeap;
use super::layout::{Place, StoredData};
use super::plan::{ChunkPlan, DatasetPlan, LAYOUT_VERSION, PlannedIndex, StoragePlan};
use super::tree::{
    Committed, MAX_MESSAGE_LEN, PlannedAttribute, PlannedKind, PlannedLink, PlannedObject,
};
use crate::chunk_index::fixed_array::PAGE_BITS;
use crate::encode::{Encoder, encoded};
use crate::message::attribute::AttributeMessage;
use crate::message::attribute_info::AttributeInfo;
use crate::message::datatype::Datatype;
use crate::message::group_info::GroupInfo;
use crate::message::kind;
use crate::message::layout::{ChunkIndex, ChunkedLayout, Layout};
use crate::message::link::{Link, LinkTarget};
use crate::message::link_info::LinkInfo;
use crate::message::reference_count::ReferenceCount;
use crate::message::shared::SharedMessage;
use crate::object_header::{NewMessage, Prefix};
use crate::parse::Address;

/// The nodes of chunk indexes that are trees; what libhdf5 uses.
pub(super) const CHUNK_NODE_SIZE: u32 = 2048;

/// What headers say of other structures: where those are, zero until they have been placed.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub(super) places: &'a [Place],
    pub(super) heap: &'a GlobalHeap,
}

/// Adds the header of `object`, which has this place, and its dense storage to `blob`; where the header is.
/// `compact` has the elements of a compact dataset.
///
/// Lengths depend on nothing but the object, so that adding it once to an empty blob tells how long it is.
pub(super) fn add(
    object: &PlannedObject,
    place: &Place,
    around: Surroundings<'_>,
    compact: &[u8],
    blob: &mut Blob,
) -> Address {
    let attributes = Messages::of_attributes(object, around);
    let links = Messages::of_links(object, around);
    let mut header = Header { object, place, around, compact, attributes, links, dense: [None; 2] };
    let at = blob.reserve(encoded(SIZES, |out| header.encode(out)).len() as u64);
    header.dense = [header.links.add_dense(blob), header.attributes.add_dense(blob)];
    blob.fill(at, |out| header.encode(out));
    at
}

/// Messages of links or attributes, by their names.
struct Messages<'o> {
    content: Content,
    kind: u16,
    by_name: Vec<(&'o [u8], Vec<u8>)>,
}

impl<'o> Messages<'o> {
    fn of_attributes(object: &'o PlannedObject, around: Surroundings<'_>) -> Self {
        let by_name = object
            .attributes
            .iter()
            .map(|attribute| (&attribute.name[..], attribute.message(around)))
            .collect();
        Self { content: Content::Attributes, kind: kind::ATTRIBUTE, by_name }
    }

    fn of_links(object: &'o PlannedObject, around: Surroundings<'_>) -> Self {
        let links = match &object.kind {
            PlannedKind::Group(links) => &links[..],
            _ => &[],
        };
        let by_name =
            links.iter().map(|(name, link)| (&name[..], link.message(name, around))).collect();
        Self { content: Content::Links, kind: kind::LINK, by_name }
    }

    fn are_dense(&self) -> bool {
        self.by_name.len() > MAX_COMPACT
            || self.by_name.iter().any(|(_, message)| message.len() > MAX_MESSAGE_LEN)
    }

    fn add_dense(&self, blob: &mut Blob) -> Option<DenseStorage> {
        self.are_dense().then(|| DenseStorage::add(self.content, &self.by_name, blob))
    }

    fn compact(&self) -> impl Iterator<Item = NewMessage> {
        let messages = if self.are_dense() { &[] } else { &self.by_name[..] };
        messages.iter().map(|(_, message)| NewMessage {
            kind: self.kind,
            flags: 0,
            data: message.clone(),
        })
    }
}

/// Everything that goes into one header.
struct Header<'h> {
    object: &'h PlannedObject,
    place: &'h Place,
    around: Surroundings<'h>,
    compact: &'h [u8],
    links: Messages<'h>,
    attributes: Messages<'h>,
    /// Of links and of attributes.
    dense: [Option<DenseStorage>; 2],
}

impl Header<'_> {
    fn encode(&self, out: &mut Encoder) {
        let mut messages = match &self.object.kind {
            PlannedKind::Group(_) => self.of_group(),
            PlannedKind::Dataset(plan) => self.of_dataset(plan),
            PlannedKind::Datatype(datatype) => vec![datatype_message(datatype, None)],
        };
        if let Some(comment) = &self.object.comment {
            messages.push(message(kind::COMMENT, 0, |out| out.bytes(comment)));
        }
        if self.object.references != 1 {
            let count = ReferenceCount(self.object.references);
            messages.push(message(kind::REFERENCE_COUNT, 0, |out| count.encode(out)));
        }
        if !self.attributes.by_name.is_empty() {
            // Quirk: libhdf5 counts the attributes of an object without this message as none, dense or not.
            let [_, dense] = self.dense;
            let (heap, name_index) = (dense.map(|d| d.heap), dense.map(|d| d.name_index));
            let info = AttributeInfo { heap, name_index };
            messages.push(message(kind::ATTRIBUTE_INFO, NEVER_SHARED, |out| info.encode(out)));
        }
        messages.extend(self.attributes.compact());
        Prefix::encode(&messages, out);
    }

    fn of_group(&self) -> Vec<NewMessage> {
        let [dense, _] = self.dense;
        let (heap, name_index) = (dense.map(|d| d.heap), dense.map(|d| d.name_index));
        let info = LinkInfo { heap, name_index };
        let mut messages = vec![
            message(kind::LINK_INFO, 0, |out| info.encode(out)),
            message(kind::GROUP_INFO, kind::CONSTANT, GroupInfo::encode),
        ];
        messages.extend(self.links.compact());
        messages
    }

    fn of_dataset(&self, plan: &DatasetPlan) -> Vec<NewMessage> {
        let layout = layout(plan, self.place.data);
        let mut messages = vec![
            message(kind::DATASPACE, 0, |out| plan.dataspace.encode(out)),
            datatype_message(&plan.datatype, self.around.committed(plan.committed)),
            message(kind::FILL_VALUE, kind::CONSTANT, |out| plan.fill.encode(out)),
            message(kind::LAYOUT, 0, |out| layout.encode(self.compact, out)),
        ];
        if !plan.pipeline.filters.is_empty() {
            let pipeline = |out: &mut Encoder| plan.pipeline.encode(out);
            messages.push(message(kind::FILTER_PIPELINE, kind::CONSTANT, pipeline));
        }
        messages
    }
}

/// The message never becomes one that objects share.
const NEVER_SHARED: u8 = 0b0000_0100;

fn message(kind: u16, flags: u8, encode: impl FnOnce(&mut Encoder)) -> NewMessage {
    NewMessage { kind, flags, data: encoded(SIZES, encode) }
}

fn datatype_message(datatype: &Datatype, committed: Option<Address>) -> NewMessage {
    match committed {
        Some(address) => message(kind::DATATYPE, kind::CONSTANT | kind::SHARED, |out| {
            SharedMessage::encode_in_header(address, out);
        }),
        None => message(kind::DATATYPE, kind::CONSTANT, |out| datatype.encode(out)),
    }
}

fn layout(plan: &DatasetPlan, data: StoredData) -> Layout {
    match &plan.storage {
        StoragePlan::Compact => Layout::Compact { data: 0..0 },
        StoragePlan::Contiguous => {
            Layout::Contiguous { address: data.address, size: Some(plan.total_bytes) }
        }
        StoragePlan::Chunked(chunks) => Layout::Chunked(ChunkedLayout {
            version: LAYOUT_VERSION,
            chunk_dims: chunks.grid.chunk_dims().to_vec(),
            element_size: plan.datatype.size.into(),
            partial_chunks_unfiltered: false,
            index: index(chunks, data),
            address: data.address,
        }),
    }
}

fn index(chunks: &ChunkPlan, data: StoredData) -> ChunkIndex {
    match chunks.index {
        PlannedIndex::SingleChunk => {
            let filtered = (data.stored_bytes, data.filter_mask);
            let filtered = chunks.format.is_filtered().then_some(filtered);
            ChunkIndex::SingleChunk { filtered }
        }
        PlannedIndex::FixedArray(_) => ChunkIndex::FixedArray { page_bits: PAGE_BITS },
        PlannedIndex::BTree2 => ChunkIndex::BTree2 { node_size: CHUNK_NODE_SIZE },
    }
}

impl Surroundings<'_> {
    fn header(self, object: usize) -> Address {
        self.places.get(object).map_or(Address(0), |place| place.header)
    }

    fn committed(self, committed: Committed) -> Option<Address> {
        committed.object().map(|object| self.header(object))
    }
}

impl PlannedAttribute {
    fn message(&self, around: Surroundings<'_>) -> Vec<u8> {
        let value = self.value.bytes(around.heap);
        let datatype = (&self.datatype, around.committed(self.committed));
        encoded(SIZES, |out| {
            AttributeMessage::encode(&self.name, datatype, &self.dataspace, &value, out);
        })
    }
}

impl PlannedLink {
    fn message(&self, name: &[u8], around: Surroundings<'_>) -> Vec<u8> {
        let target = match self {
            Self::Hard(object) => LinkTarget::Hard(around.header(*object)),
            Self::Again(_) => LinkTarget::Hard(Address(0)),
            Self::Soft(path) => LinkTarget::Soft(path.clone()),
            Self::External { file, path } => {
                LinkTarget::External { file: file.clone(), path: path.clone() }
            }
        };
        let link = Link { name: name.to_vec(), target };
        encoded(SIZES, |out| link.encode(out))
    }
}

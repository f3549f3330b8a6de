//! The new file's global heap: values of variable length, in collections.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::SIZES;
use super::stored_elements::{HeapValue, StoredElements};
use crate::encode::{Encoder, encoded};
use crate::heap::global::{Collection, CollectionHead, HeapReference};
use crate::parse::{Address, byte_count};

/// The least that libhdf5 accepts.
const MIN_COLLECTION_LEN: usize = 4096;
/// A collection is read whole for one value in it, so it is not made longer than this for the sake of several.
const USUAL_COLLECTION_LEN: usize = 64 << 10;
/// Indexes of objects are 16 bits wide and count from 1.
const MAX_OBJECTS: usize = u16::MAX as usize;

/// All collections of the file.
#[derive(Debug, Default)]
pub(super) struct GlobalHeap {
    collections: Vec<NewCollection>,
    /// The collection of each cluster that takes the next value.
    open: BTreeMap<usize, usize>,
}

#[derive(Debug)]
struct NewCollection {
    cluster: usize,
    objects: Vec<PlacedElements>,
    used: usize,
    address: Address,
}

/// Elements whose values of variable length have their places in the heap.
#[derive(Debug, Clone, Default)]
pub(super) struct PlacedElements {
    bytes: Vec<u8>,
    references: Vec<Reference>,
}

#[derive(Debug, Clone, Copy)]
struct Reference {
    at: usize,
    len: u32,
    /// Collection and index there; `None` for an empty value.
    place: Option<(usize, u32)>,
}

impl GlobalHeap {
    /// Gives the values of `elements` places in the collections of `cluster`, in their order.
    pub(super) fn place(&mut self, cluster: usize, elements: StoredElements) -> PlacedElements {
        let StoredElements { bytes, values } = elements;
        let references = values
            .into_iter()
            .map(|HeapValue { at, len, elements }| {
                let place = (len > 0).then(|| {
                    let elements = self.place(cluster, elements);
                    self.add(cluster, elements)
                });
                Reference { at, len, place }
            })
            .collect();
        PlacedElements { bytes, references }
    }

    fn add(&mut self, cluster: usize, object: PlacedElements) -> (usize, u32) {
        let head_len = byte_count(CollectionHead::len_of_head(SIZES));
        let len = Collection::object_len(SIZES, object.bytes.len());
        let number = self.open.get(&cluster).copied().filter(|number| {
            self.collections.get(*number).is_some_and(|open| {
                open.used.saturating_add(len) <= USUAL_COLLECTION_LEN
                    && open.objects.len() < MAX_OBJECTS
            })
        });
        let number = number.unwrap_or_else(|| {
            let (objects, address) = (Vec::new(), Address(0));
            self.collections.push(NewCollection { cluster, objects, used: head_len, address });
            let number = self.collections.len().saturating_sub(1);
            self.open.insert(cluster, number);
            number
        });
        let collection = self.collections.get_mut(number).expect("it was found or just added");
        collection.objects.push(object);
        collection.used = collection.used.saturating_add(len);
        (number, u32::try_from(collection.objects.len()).unwrap_or(u32::MAX))
    }

    /// All collections in their order, each with its cluster and its length.
    pub(super) fn collections(&self) -> impl Iterator<Item = (usize, usize, u64)> {
        let all = self.collections.iter().enumerate();
        all.map(|(number, collection)| (number, collection.cluster, collection.len() as u64))
    }

    /// Says where a collection is.
    pub(super) fn set_address(&mut self, collection: usize, address: Address) {
        if let Some(collection) = self.collections.get_mut(collection) {
            collection.address = address;
        }
    }

    /// Where a collection is.
    pub(super) fn address(&self, collection: usize) -> Address {
        self.collections.get(collection).map_or(Address(0), |collection| collection.address)
    }

    /// Writes a collection.
    pub(super) fn encode(&self, collection: usize, out: &mut Encoder) {
        if let Some(collection) = self.collections.get(collection) {
            let objects: Vec<_> = collection.objects.iter().map(|o| o.bytes(self)).collect();
            Collection::encode(&objects, collection.len(), out);
        }
    }
}

impl NewCollection {
    fn len(&self) -> usize {
        self.used.max(MIN_COLLECTION_LEN)
    }
}

impl PlacedElements {
    /// The elements, once the heap has its addresses; before that, as many bytes.
    pub(super) fn bytes(&self, heap: &GlobalHeap) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for Reference { at, len, place } in &self.references {
            let (collection, index) = place.unwrap_or((usize::MAX, 0));
            let collection = Some(heap.address(collection));
            let reference = HeapReference { len: *len, collection, index };
            let stored = encoded(SIZES, |out| reference.encode(out));
            bytes.iter_mut().skip(*at).zip(stored).for_each(|(to, from)| *to = from);
        }
        bytes
    }
}

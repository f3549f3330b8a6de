//! Fetches values of variable length from the global heap.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::storage::{Storage, required, whole};
use crate::error::Error;
use crate::error::Problem;
use crate::heap::global::{Collection, CollectionHead, HeapReference};
use crate::limits::within;
use crate::parse::Address;

/// Reads values for one call, which may ask for so many bytes only.
pub(crate) struct GlobalHeapReader<'s> {
    storage: &'s Storage,
    /// The collection used last; neighbours mostly are in the same one.
    last: Option<(Address, Arc<Collection>)>,
    read_bytes: u64,
}

/// How much of a collection is announced before its length is known: the least that libhdf5 allocates.
const USUAL_COLLECTION_BYTES: u64 = 4 << 10;

impl<'s> GlobalHeapReader<'s> {
    pub(crate) fn new(storage: &'s Storage) -> Self {
        Self { storage, last: None, read_bytes: 0 }
    }

    /// Announces the collections that will be needed.
    pub(crate) fn prefetch(
        &self,
        references: impl IntoIterator<Item = HeapReference>,
    ) -> Result<(), Error> {
        let mut addresses: Vec<Address> = references
            .into_iter()
            .filter(|reference| reference.len > 0)
            .filter_map(|reference| reference.collection)
            .collect();
        addresses.sort_unstable();
        addresses.dedup();
        let unknown = self.storage.collections.with(|known| {
            addresses.retain(|address| !known.contains_key(address));
            addresses
        });
        if unknown.len() > 1 {
            self.storage.prefetch(unknown, USUAL_COLLECTION_BYTES)?;
        }
        Ok(())
    }

    /// The value that the element at `offset` stands for, whose own elements have `element_size` bytes.
    pub(crate) fn value(
        &mut self,
        reference: HeapReference,
        element_size: u32,
        offset: u64,
    ) -> Result<Vec<u8>, Error> {
        let refuse = |problem| whole(HeapReference::NAME, offset, problem);
        if reference.len == 0 {
            // Whatever the address says: writers leave anything there.
            return Ok(Vec::new());
        }
        let wanted = u64::from(reference.len).saturating_mul(element_size.into());
        self.read_bytes = self.read_bytes.saturating_add(wanted);
        let max = self.storage.limits().max_variable_bytes;
        within("bytes of variable length", self.read_bytes, "max_variable_bytes", max)
            .map_err(refuse)?;
        let address = required(Collection::NAME, offset, reference.collection)?;
        let collection = self.collection(address)?;
        let place = collection.object(reference.index).map_err(refuse)?;
        let len = place.end.saturating_sub(place.start);
        // An object may be longer than the value: writers reuse them.
        if wanted > len {
            let problem = alloc::format!("{wanted} bytes of a heap object of {len}");
            return Err(refuse(Problem::invalid(problem)));
        }
        let start = Address(address.0.saturating_add(place.start));
        self.storage.value(Collection::NAME, start, wanted)
    }

    fn collection(&mut self, address: Address) -> Result<Arc<Collection>, Error> {
        if let Some((last, collection)) = &self.last
            && *last == address
        {
            return Ok(Arc::clone(collection));
        }
        let collection = self.storage.collection(address)?;
        self.last = Some((address, Arc::clone(&collection)));
        Ok(collection)
    }
}

impl Storage {
    /// The table of the collection at `address`, read once.
    fn collection(&self, address: Address) -> Result<Arc<Collection>, Error> {
        let known = self.collections.with(|known| known.get(&address).cloned());
        if let Some(collection) = known {
            return Ok(collection);
        }
        let (name, sizes) = (Collection::NAME, self.sizes());
        let head = self.block(name, address, CollectionHead::len_of_head(sizes))?;
        let head = head.parse(name, CollectionHead::parse(sizes))?;
        let block = self.block(name, address, head.len)?;
        let collection = Arc::new(block.parse(name, Collection::parse(sizes))?);
        self.collections.with(|known| known.insert(address, Arc::clone(&collection)));
        Ok(collection)
    }
}

//! Objects of a heap in each place that they can have.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use testkit::Bytes;

use super::super::OpenOptions;
use super::super::test_file::{ROOT, file, header, link_info, text_of};
use super::*;
use crate::checksum::lookup3;
use crate::filter::FilterRegistry;
use crate::message::filter_pipeline::FilterDescription;

const HEAP: usize = 0x100;
const BLOCK: usize = 0x200;
const TREE: usize = 0x500;
const LEAF: usize = 0x580;
const HUGE: usize = 0x600;

/// Where the IDs of these tests would be.
const ID_OFFSET: u64 = 0x77;

/// The object that every heap here has in its direct block, at this heap offset.
const MANAGED: &[u8] = b"a managed object";
const MANAGED_OFFSET: u32 = 40;

/// An object that is none of a block.
fn huge_object() -> Vec<u8> {
    b"a huge object, ".repeat(9)
}

/// A heap whose IDs have `id_len` bytes, with its blocks and huge objects under Deflate or not.
struct Heap {
    id_len: u16,
    is_filtered: bool,
}

impl Heap {
    fn storage(&self) -> Storage {
        let block = Bytes::new().text("FHDB").u8(0).u64(HEAP as u64).u32(0);
        let block = block.grow_to(MANAGED_OFFSET as usize).bytes(MANAGED.iter().copied());
        let block = self.stored(&block.grow_to(512).build());
        let bytes = file(&[
            (ROOT, header(vec![link_info()])),
            (HEAP, self.header(block.len())),
            (BLOCK, block),
            (TREE, self.tree()),
            (LEAF, self.leaf()),
            (HUGE, self.stored(&huge_object())),
        ]);
        let options = OpenOptions { filters: FilterRegistry::standard(), ..OpenOptions::default() };
        Storage::open(Arc::new(bytes), options).unwrap()
    }

    fn header(&self, root_len: usize) -> Vec<u8> {
        // Version 2 of the message: one filter, Deflate, mandatory, with its level.
        let filters = Bytes::new().bytes([2, 1]).u16(1).u16(0).u16(1).u32(6);
        let filters_len = if self.is_filtered { filters.len() } else { 0 };
        let head = Bytes::new().text("FRHP").u8(0).u16(self.id_len);
        let head = head.u16(u16::try_from(filters_len).unwrap()).u8(0).u32(4096);
        let head = head.u64(0).u64(TREE as u64).u64(0).ones(8).zeros(64);
        let head = head.u16(4).u64(512).u64(65536).u16(32).u16(1).u64(BLOCK as u64).u16(0);
        let end = if self.is_filtered {
            Bytes::new().u64(root_len as u64).u32(0).then(filters)
        } else {
            Bytes::new()
        };
        head.then(end).sealed(lookup3).build()
    }

    /// The B-tree of huge objects: records of type 1 or 2, in one leaf.
    fn tree(&self) -> Vec<u8> {
        let record_len = u16::try_from(self.place().len() + 8).unwrap();
        let head = Bytes::new().text("BTHD").u8(0).u8(self.record_type()).u32(128);
        let head = head.u16(record_len).u16(0).u8(100).u8(40);
        head.u64(LEAF as u64).u16(2).u64(2).sealed(lookup3).build()
    }

    fn leaf(&self) -> Vec<u8> {
        let head = Bytes::new().text("BTLF").u8(0).u8(self.record_type());
        let lost = Bytes::new().u64(0x9_0000).u64(1).grow_to(self.place().len());
        head.then(lost).u64(3).then(self.place()).u64(5).sealed(lookup3).build()
    }

    fn record_type(&self) -> u8 {
        if self.is_filtered { record::HUGE_FILTERED } else { record::HUGE }
    }

    /// Where the huge object is, as records and long IDs say it.
    fn place(&self) -> Bytes {
        let decoded = huge_object();
        let place = Bytes::new().u64(HUGE as u64).u64(self.stored(&decoded).len() as u64);
        if self.is_filtered { place.u32(0).u64(decoded.len() as u64) } else { place }
    }

    fn stored(&self, bytes: &[u8]) -> Vec<u8> {
        let deflate =
            FilterDescription { id: 1, name: None, optional: false, client_data: vec![6] };
        let pipeline = Pipeline {
            registry: &FilterRegistry::standard(),
            filters: if self.is_filtered { &[deflate] } else { &[] },
            chunk_dims: &[bytes.len() as u64],
            element_size: 1,
            chunk_bytes: bytes.len(),
        };
        pipeline.encode(bytes, &mut Scratch::default()).unwrap().bytes.to_vec()
    }

    /// The object behind an ID that starts with `id`.
    fn object(&self, id: Bytes) -> Result<Vec<u8>, Error> {
        let storage = self.storage();
        let mut heap = FractalHeapReader::open(&storage, Address(HEAP as u64)).unwrap();
        let id = id.grow_to(self.id_len.into()).build();
        heap.object(&id, ID_OFFSET).map(|object| object.bytes.to_vec())
    }
}

const ALL: [Heap; 2] =
    [Heap { id_len: 7, is_filtered: false }, Heap { id_len: 7, is_filtered: true }];

#[test]
fn managed_objects_lie_in_blocks() {
    for heap in ALL {
        let len = u16::try_from(MANAGED.len()).unwrap();
        let id = Bytes::new().u8(0x00).u32(MANAGED_OFFSET).u16(len);
        assert_eq!(heap.object(id).unwrap(), MANAGED);
        let beyond = Bytes::new().u8(0x00).u32(500).u16(13);
        assert_eq!(
            text_of(heap.object(beyond)),
            "fractal heap object at byte 0x77: it ends past its block"
        );
    }
}

#[test]
fn tiny_objects_lie_in_their_id() {
    for heap in ALL {
        assert_eq!(heap.object(Bytes::new().u8(0x23).text("tinyxx")).unwrap(), b"tiny");
    }
}

#[test]
fn huge_objects_are_found_by_key() {
    for heap in ALL {
        assert_eq!(heap.object(Bytes::new().u8(0x10).u8(5)).unwrap(), huge_object());
        assert_eq!(
            text_of(heap.object(Bytes::new().u8(0x10).u8(4))),
            "fractal heap object at byte 0x77: there is no huge object 4"
        );
        let lost = text_of(heap.object(Bytes::new().u8(0x10).u8(3)));
        assert!(lost.starts_with("fractal heap object at byte 0x90000: it starts past the end"));
    }
}

#[test]
fn long_ids_say_where_huge_objects_are() {
    for is_filtered in [false, true] {
        let heap = Heap { id_len: if is_filtered { 29 } else { 17 }, is_filtered };
        assert_eq!(heap.object(Bytes::new().u8(0x10).then(heap.place())).unwrap(), huge_object());
    }
}

#[test]
fn refuses_objects_that_do_not_decode() {
    let heap = Heap { id_len: 29, is_filtered: true };
    let place = Bytes::new().u64(HUGE as u64 + 1).u64(8).u32(0).u64(9);
    let refused = text_of(heap.object(Bytes::new().u8(0x10).then(place)));
    assert!(refused.starts_with("fractal heap object at byte 0x601: "), "{refused}");
    let place = Bytes::new().u64(HUGE as u64).u64(8).u32(0).u64(1 << 40);
    assert_eq!(
        text_of(heap.object(Bytes::new().u8(0x10).then(place))),
        "fractal heap object at byte 0x600: bytes of one structure: 1099511627776 is over the limit `max_block_bytes` of 16777216"
    );
}

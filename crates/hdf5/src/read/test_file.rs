//! Small files for the tests of this folder, laid out by hand.

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use std::sync::Mutex;

use testkit::Bytes;

use super::{File, OpenOptions};
use crate::checksum::lookup3;
use crate::error::Error;
use crate::message::kind;
use crate::source::{ByteSource, SourceError};
use crate::superblock::Superblock;

/// Where the root group's header is.
pub(super) const ROOT: usize = 0x40;

/// A file of version 3 whose structures are at the given offsets; its root group is at [`ROOT`].
pub(super) fn file(structures: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let len = structures.iter().map(|(at, bytes)| at + bytes.len()).max().unwrap_or(0);
    file_with(0, len, structures)
}

/// The same with the consistency `flags`, whose superblock claims `len` bytes.
pub(super) fn file_with(flags: u8, len: usize, structures: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let superblock = Bytes::new()
        .bytes(Superblock::SIGNATURE.iter().copied())
        .bytes([3, 8, 8, flags])
        .u64(0)
        .ones(8)
        .u64(len as u64)
        .u64(ROOT as u64)
        .sealed(lookup3);
    let mut bytes = superblock.build();
    for (at, structure) in structures {
        bytes.resize(bytes.len().max(at + structure.len()), 0);
        bytes[*at..at + structure.len()].copy_from_slice(structure);
    }
    bytes
}

/// One message of a header.
pub(super) type Message = (u16, u8, Bytes);

/// An object header of version 2.
pub(super) fn header(messages: Vec<Message>) -> Vec<u8> {
    let body = body(messages);
    let prefix = Bytes::new().text("OHDR").u8(2).u8(1).u16(u16::try_from(body.len()).unwrap());
    prefix.then(body).sealed(lookup3).build()
}

/// A continuation block of version 2.
pub(super) fn continuation_block(messages: Vec<Message>) -> Vec<u8> {
    Bytes::new().text("OCHK").then(body(messages)).sealed(lookup3).build()
}

fn body(messages: Vec<Message>) -> Bytes {
    messages.into_iter().fold(Bytes::new(), |body, (kind, flags, data)| {
        let (kind, len) = (u8::try_from(kind).unwrap(), u16::try_from(data.len()).unwrap());
        body.u8(kind).u16(len).u8(flags).then(data)
    })
}

/// What makes a header that of a group with its links inside.
pub(super) fn link_info() -> Message {
    (kind::LINK_INFO, 0, Bytes::new().u16(0).ones(16))
}

pub(super) fn continuation(at: usize, len: usize) -> Message {
    (kind::CONTINUATION, 0, Bytes::new().u64(at as u64).u64(len as u64))
}

pub(super) fn hard(name: &str, at: usize) -> Message {
    (kind::LINK, 0, hard_link(name, at))
}

pub(super) fn soft(name: &str, path: &str) -> Message {
    let len = u8::try_from(name.len()).unwrap();
    let link = Bytes::new().bytes([1, 8, 1, len]).text(name);
    (kind::LINK, 0, link.u16(u16::try_from(path.len()).unwrap()).text(path))
}

/// The body of a link message, which is also what dense groups keep.
pub(super) fn hard_link(name: &str, at: usize) -> Bytes {
    Bytes::new().bytes([1, 0, u8::try_from(name.len()).unwrap()]).text(name).u64(at as u64)
}

/// A scalar of one little-endian byte.
pub(super) fn attribute(name: &str, value: u8) -> Message {
    (kind::ATTRIBUTE, 0, typed_attribute(name, u8_type(), Bytes::new().u8(value)))
}

/// The body of an attribute message with one element of this type.
pub(super) fn typed_attribute(name: &str, datatype: Bytes, value: Bytes) -> Bytes {
    let (name_len, type_len) = (name.len() + 1, datatype.len());
    let lens = [name_len, type_len, 4].map(|len| u16::try_from(len).unwrap());
    let head = lens.into_iter().fold(Bytes::new().bytes([3, 0]), Bytes::u16);
    head.u8(1).text(name).u8(0).then(datatype).bytes([2, 0, 0, 0]).then(value)
}

pub(super) fn u8_type() -> Bytes {
    Bytes::new().u8(0x10).zeros(3).u32(1).u16(0).u16(8)
}

pub(super) fn text_type() -> Bytes {
    Bytes::new().u8(0x19).bytes([0x01, 0x01, 0]).u32(16).then(u8_type())
}

/// The element of a variable-length text: its length and the place of its heap object.
pub(super) fn text_at(len: u32, collection: usize, index: u32) -> Bytes {
    Bytes::new().u32(len).u64(collection as u64).u32(index)
}

/// A collection of heap objects, numbered from 1 on.
pub(super) fn collection(texts: &[&str]) -> Vec<u8> {
    let objects = texts.iter().zip(1_u16..).fold(Bytes::new(), |objects, (text, index)| {
        let head = Bytes::new().u16(index).u16(1).zeros(4).u64(text.len() as u64);
        objects.then(head.text(text).pad_to(8))
    });
    let len = 16 + objects.len() as u64;
    Bytes::new().text("GCOL").u8(1).zeros(3).u64(len).then(objects).build()
}

pub(super) fn open(bytes: Vec<u8>) -> Result<File, Error> {
    File::open_with(Arc::new(bytes), OpenOptions::default())
}

/// The text of the error that reading something gave.
pub(super) fn text_of<T>(result: Result<T, Error>) -> std::string::String {
    match result {
        Ok(_) => panic!("it could be read"),
        Err(error) => std::string::ToString::to_string(&error),
    }
}

/// A source that has nothing until it is told to fetch; it then has what was asked for.
pub(super) struct Remote {
    bytes: Vec<u8>,
    resident: Mutex<BTreeSet<u64>>,
}

impl Remote {
    const BLOCK: u64 = 64;

    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, resident: Mutex::default() }
    }

    fn blocks(range: &Range<u64>) -> Range<u64> {
        range.start / Self::BLOCK..range.end.div_ceil(Self::BLOCK)
    }

    /// Runs `call` again and again, fetching what it misses; the number of fetches comes along.
    pub(super) fn drive<T>(
        &self,
        mut call: impl FnMut() -> Result<T, Error>,
    ) -> (Result<T, Error>, usize) {
        for fetches in 0.. {
            let result = call();
            match result.as_ref().err().and_then(Error::not_resident) {
                Some(ranges) => {
                    let missing = ranges.iter().flat_map(Self::blocks);
                    self.resident.lock().unwrap().extend(missing);
                }
                None => return (result, fetches),
            }
        }
        unreachable!("the numbers do not end")
    }
}

impl ByteSource for Remote {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
        let range = offset..offset + buf.len() as u64;
        self.prefetch(core::slice::from_ref(&range))?;
        self.bytes.read_at(offset, buf)
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<(), SourceError> {
        let resident = self.resident.lock().unwrap();
        let is_missing = |range: &&Range<u64>| Self::blocks(range).any(|b| !resident.contains(&b));
        let missing: Vec<_> = ranges.iter().filter(is_missing).cloned().collect();
        if missing.is_empty() { Ok(()) } else { Err(SourceError::NotResident { ranges: missing }) }
    }
}

/// A version 2 B-tree of link names: a header that says `depth`, root and counts.
pub(super) fn name_tree(depth: u16, root: usize, root_records: u16, total: u64) -> Vec<u8> {
    let head = Bytes::new().text("BTHD").u8(0).u8(5).u32(64).u16(11).u16(depth).u8(100).u8(40);
    head.u64(root as u64).u16(root_records).u64(total).sealed(lookup3).build()
}

/// A leaf of such a tree.
pub(super) fn name_leaf(records: Vec<Bytes>) -> Vec<u8> {
    let head = Bytes::new().text("BTLF").u8(0).u8(5);
    records.into_iter().fold(head, Bytes::then).sealed(lookup3).build()
}

/// A record of such a tree: the hash of a name, and a managed object of the heap.
pub(super) fn name_record(name: &str, offset: usize, len: usize) -> Bytes {
    let (offset, len) = (u32::try_from(offset).unwrap(), u16::try_from(len).unwrap());
    Bytes::new().u32(lookup3(name.as_bytes())).u8(0).u32(offset).u16(len)
}

/// The header of a fractal heap with one direct block of 512 bytes at `root`.
pub(super) fn fractal_heap(root: usize) -> Vec<u8> {
    let head = Bytes::new().text("FRHP").u8(0).u16(7).u16(0).u8(0).u32(4096);
    let head = head.u64(0).ones(8).u64(0).ones(8).zeros(64);
    let head = head.u16(4).u64(512).u64(65536).u16(32).u16(1).u64(root as u64).u16(0);
    head.sealed(lookup3).build()
}

/// A direct block of the heap at `owner`, and the heap offsets of its objects.
pub(super) fn direct_block(owner: usize, objects: &[Bytes]) -> (Vec<u8>, Vec<usize>) {
    let mut block = Bytes::new().text("FHDB").u8(0).u64(owner as u64).u32(0);
    let mut offsets = Vec::new();
    for object in objects {
        offsets.push(block.len());
        block = block.then(object.clone());
    }
    (block.grow_to(512).build(), offsets)
}

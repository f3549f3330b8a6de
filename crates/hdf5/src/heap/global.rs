//! Global heap collections: values of variable length. Spec: HDF5 File Format 3.0, III.E and IV.B.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use nom::Parser;
use nom::number::complete::{le_u16, le_u32};

use crate::encode::Encoder;
use crate::error::Problem;
use crate::parse::{
    Address, Failure, Parsed, Sizes, address, field, reserved, signature, uint, version,
};

/// The start of a collection.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | signature `GCOL` |
/// | 1 | version |
/// | 3 | reserved |
/// | length | collection size, all of it |
/// | | objects |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CollectionHead {
    pub(crate) len: u64,
}

/// Where the objects of a collection are.
///
/// | bytes | field of an object |
/// | --- | --- |
/// | 2 | heap object index; 0 is the free space |
/// | 2 | reference count |
/// | 4 | reserved |
/// | length | object size |
/// | size, padded to 8 | object data |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Collection {
    /// Bytes of the collection that are an object's data, by index.
    objects: BTreeMap<u16, Range<u32>>,
}

/// A variable-length value as its element is stored.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | length, in elements |
/// | offset | collection address |
/// | 4 | object index |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeapReference {
    pub(crate) len: u32,
    pub(crate) collection: Option<Address>,
    pub(crate) index: u32,
}

impl CollectionHead {
    /// Bytes of the head, which is padded to 8.
    pub(crate) fn len_of_head(sizes: Sizes) -> u64 {
        8_u64.saturating_add(sizes.length.into()).next_multiple_of(8)
    }

    /// Reads the head.
    pub(crate) fn parse<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |i| {
            let (i, ()) = field("signature", signature(b"GCOL")).parse(i)?;
            let (i, _) = field("version", version(&[1])).parse(i)?;
            let (i, ()) = field("reserved", reserved(3)).parse(i)?;
            let (i, len) = field("collection size", uint(sizes.length)).parse(i)?;
            Ok((i, Self { len }))
        }
    }
}

impl Collection {
    pub(crate) const NAME: &str = "global heap collection";

    /// Reads the places of all objects of a whole collection.
    pub(crate) fn parse<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        // Quirk: libhdf5 pads the heads of collections and objects to 8 bytes, whatever the width of lengths.
        let head_len = usize::try_from(CollectionHead::len_of_head(sizes)).unwrap_or(usize::MAX);
        let padding = head_len.saturating_sub(usize::from(sizes.length).saturating_add(8));
        move |whole| {
            let (i, _) = CollectionHead::parse(sizes)(whole)?;
            let (mut rest, ()) = field("padding", reserved(padding)).parse(i)?;
            let mut objects = BTreeMap::new();
            // Less than a head is free space without one.
            while rest.len() >= head_len {
                let start = rest;
                let (i, index) = field("heap object index", le_u16).parse(rest)?;
                let (i, ()) = field("reference count", reserved(2)).parse(i)?;
                let (i, ()) = field("reserved", reserved(4)).parse(i)?;
                let size_start = i;
                let (i, size) = field("object size", uint(sizes.length)).parse(i)?;
                if index == 0 {
                    break;
                }
                let (i, ()) = field("padding", reserved(padding)).parse(i)?;
                let len = usize::try_from(size).unwrap_or(usize::MAX);
                if len > i.len() {
                    let problem = Problem::invalid(alloc::format!(
                        "an object of {size} bytes where {} are left",
                        i.len()
                    ));
                    return Err(Failure::named("object size", size_start, problem));
                }
                let at = whole.len().saturating_sub(i.len());
                // A limit of ours keeps collections far below 4 GiB.
                let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
                let place = offset(at)..offset(at.saturating_add(len));
                if objects.insert(index, place).is_some() {
                    let problem =
                        Problem::invalid(alloc::format!("object {index} for the second time"));
                    return Err(Failure::named("heap object index", start, problem));
                }
                rest = i.get(len.next_multiple_of(8)..).unwrap_or_default();
            }
            Ok((rest, Self { objects }))
        }
    }

    /// Bytes that an object of `len` bytes takes in a collection.
    pub(crate) fn object_len(sizes: Sizes, len: usize) -> usize {
        let head = usize::try_from(CollectionHead::len_of_head(sizes)).unwrap_or(usize::MAX);
        len.checked_next_multiple_of(8).unwrap_or(usize::MAX).saturating_add(head)
    }

    /// Writes a collection of `len` bytes with these objects, which have the indexes from 1 on; what is left is free space.
    /// Lengths have 8 bytes, so that heads need no padding.
    pub(crate) fn encode(objects: &[Vec<u8>], len: usize, out: &mut Encoder) {
        let head_len = Self::object_len(out.sizes(), 0);
        out.bytes(b"GCOL");
        out.u8(1);
        out.zeros(3);
        out.length(len as u64);
        for (index, object) in (1_u16..).zip(objects) {
            out.u16(index);
            out.u16(1);
            out.zeros(4);
            out.length(object.len() as u64);
            out.bytes(object);
            out.pad_to_8();
        }
        let free = len.saturating_sub(out.len());
        if free >= head_len {
            out.zeros(8);
            out.length(free as u64);
        }
        out.zeros(len.saturating_sub(out.len()));
    }

    /// The bytes of the collection that are the object `index`.
    pub(crate) fn object(&self, index: u32) -> Result<Range<u64>, Problem> {
        u16::try_from(index)
            .ok()
            .and_then(|index| self.objects.get(&index))
            .map(|place| place.start.into()..place.end.into())
            .ok_or_else(|| Problem::invalid(alloc::format!("there is no object {index}")))
    }

    /// Number of objects.
    pub(crate) fn len(&self) -> usize {
        self.objects.len()
    }
}

impl HeapReference {
    pub(crate) const NAME: &str = "variable-length element";

    /// Reads one element.
    pub(crate) fn parse<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |i| {
            let (i, len) = field("length", le_u32).parse(i)?;
            let (i, collection) = field("collection address", address(sizes)).parse(i)?;
            let (i, index) = field("object index", le_u32).parse(i)?;
            Ok((i, Self { len, collection, index }))
        }
    }

    /// Writes one element.
    pub(crate) fn encode(self, out: &mut Encoder) {
        out.u32(self.len);
        out.address(self.collection);
        out.u32(self.index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encoded;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use proptest::prelude::*;
    use testkit::Bytes;

    fn collection(sizes: Sizes, bytes: &[u8]) -> Result<Collection, crate::FormatError> {
        parse_at(Collection::NAME, 0, bytes, Collection::parse(sizes))
    }

    fn object(index: u16, text: &str) -> Bytes {
        Bytes::new().u16(index).u16(1).zeros(4).u64(text.len() as u64).text(text).pad_to(8)
    }

    #[test]
    fn finds_objects_in_any_order_up_to_the_free_space() {
        let sizes = Sizes { offset: 8, length: 8 };
        let free = Bytes::new().zeros(8).u64(99).zeros(8);
        let head = Bytes::new().text("GCOL").u8(1).zeros(3).u64(96);
        let bytes = head.then(object(2, "hello world")).then(object(1, "")).then(free).build();
        let found = collection(sizes, &bytes).unwrap();
        assert_eq!((found.object(2), found.object(1)), (Ok(32..43), Ok(64..64)));
        assert_eq!(found.object(70_000).unwrap_err().to_string(), "there is no object 70000");
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(objects: Vec<Vec<u8>>, free in 0_usize..40, len: u32, collection in proptest::option::of(0..u64::MAX), index: u32) {
            let sizes = Sizes { offset: 8, length: 8 };
            let used: usize = objects.iter().map(|object| Collection::object_len(sizes, object.len())).sum();
            let bytes = encoded(sizes, |out| Collection::encode(&objects, 16 + used + free, out));
            prop_assert_eq!(bytes.len(), 16 + used + free);
            let found = self::collection(sizes, &bytes).unwrap();
            prop_assert_eq!(found.len(), objects.len());
            for (index, object) in (1..).zip(&objects) {
                let place = found.object(index).unwrap();
                let place = usize::try_from(place.start).unwrap()..usize::try_from(place.end).unwrap();
                prop_assert_eq!(&bytes[place], object);
            }
            let reference = HeapReference { len, collection: collection.map(Address), index };
            let bytes = encoded(sizes, |out| reference.encode(out));
            let read = parse_at(HeapReference::NAME, 0, &bytes, HeapReference::parse(sizes));
            prop_assert_eq!(read, Ok(reference));
        }
    }

    #[test]
    fn pads_heads_when_lengths_are_narrow() {
        let sizes = Sizes { offset: 8, length: 4 };
        let head = Bytes::new().text("GCOL").u8(1).zeros(3).u32(40).zeros(4);
        let bytes = head.u16(1).u16(1).zeros(4).u32(3).zeros(4).text("abc").pad_to(8).build();
        assert_eq!(collection(sizes, &bytes).unwrap().object(1), Ok(32..35));
    }

    #[test]
    fn refuses_objects_that_run_out_or_repeat() {
        let sizes = Sizes { offset: 8, length: 8 };
        let head = || Bytes::new().text("GCOL").u8(1).zeros(3).u64(64);
        let text = |bytes: Bytes| collection(sizes, &bytes.build()).unwrap_err().to_string();
        assert_eq!(
            text(head().u16(1).u16(1).zeros(4).u64(9).zeros(8)),
            "global heap collection at byte 0x0: field `object size` at byte 0x18: an object of 9 bytes where 8 are left"
        );
        assert_eq!(
            text(head().then(object(3, "a")).then(object(3, "b"))),
            "global heap collection at byte 0x0: field `heap object index` at byte 0x28: object 3 for the second time"
        );
    }
}

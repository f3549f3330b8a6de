//! Heap IDs: where an object of a fractal heap is. Spec: HDF5 File Format 3.0, III.G.

use alloc::vec::Vec;
use core::ops::Range;

use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::{le_u8, le_u32};

use super::FractalHeap;
use crate::error::Problem;
use crate::parse::{Address, Failure, Parsed, Sizes, address, checked, field, uint};

/// Where an object is.
///
/// | bytes | field | kinds |
/// | --- | --- | --- |
/// | 1 | version (upper two bits), type (next two) | all |
/// | as the heap size needs | offset | managed |
/// | as the largest object needs | length | managed |
/// | offset, length | address and stored length, if the ID has room | huge |
/// | 4, length | filter mask and decoded length, likewise and if filtered | huge |
/// | what is left, up to 8 | key of the huge objects' B-tree, otherwise | huge |
/// | 1 more if the ID is longer than 17 bytes | length - 1, with the lower half of byte 0 | tiny |
/// | length | the object | tiny |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HeapId {
    /// In a direct block: a range of heap offsets.
    Managed(Range<u64>),
    /// On its own.
    Huge(HugeObject),
    /// On its own, found by this key.
    HugeKey(u64),
    /// In the ID.
    Tiny(Vec<u8>),
}

/// An object too large for a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HugeObject {
    pub(crate) address: Address,
    pub(crate) stored_len: u64,
    /// Filter mask and decoded length.
    pub(crate) filtered: Option<(u32, u64)>,
}

/// The longest ID whose tiny objects have their length in half a byte.
const MAX_SHORT_ID: u16 = 17;

impl HeapId {
    /// Reads an ID of the heap.
    pub(crate) fn parse<'a>(
        heap: &FractalHeap,
        sizes: Sizes,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        let (offset_width, length_width) = (heap.offset_width(), heap.length_width());
        let (id_len, filtered) = (heap.id_len, heap.filters.is_some());
        move |whole| {
            let (i, head) = field("version and type", checked(le_u8, version_0)).parse(whole)?;
            match head >> 4 & 0b11 {
                0 => {
                    let (i, offset) = field("offset", uint(offset_width)).parse(i)?;
                    let (i, len) = field("length", uint(length_width)).parse(i)?;
                    Ok((i, Self::Managed(offset..offset.saturating_add(len))))
                }
                1 if HugeObject::direct_len(sizes, filtered) < id_len => {
                    HugeObject::parse(sizes, filtered, i).map(|(i, huge)| (i, Self::Huge(huge)))
                }
                1 => {
                    // At most 8.
                    let width = id_len.saturating_sub(1).min(8) as u8;
                    field("huge object key", uint(width)).map(Self::HugeKey).parse(i)
                }
                2 => {
                    let (i, len) = tiny_len(id_len, head, i)?;
                    let (i, object) = field("tiny object", take(len)).parse(i)?;
                    Ok((i, Self::Tiny(object.to_vec())))
                }
                _ => {
                    let problem = Problem::invalid("heap ID type 3");
                    Err(Failure::named("version and type", whole, problem))
                }
            }
        }
    }
}

impl HugeObject {
    pub(crate) const RECORD_NAME: &str = "huge object record";

    /// Reads the place of a huge object, from an ID or from a record of the huge objects' B-tree.
    pub(crate) fn parse(sizes: Sizes, filtered: bool, i: &[u8]) -> Parsed<'_, Self> {
        let start = i;
        let (i, address) = field("huge object address", address(sizes)).parse(i)?;
        let (i, stored_len) = field("huge object length", uint(sizes.length)).parse(i)?;
        let Some(address) = address else {
            let problem = Problem::invalid("a huge object without an address");
            return Err(Failure::named("huge object address", start, problem));
        };
        if !filtered {
            return Ok((i, Self { address, stored_len, filtered: None }));
        }
        let (i, mask) = field("filter mask", le_u32).parse(i)?;
        let (i, len) = field("decoded length", uint(sizes.length)).parse(i)?;
        Ok((i, Self { address, stored_len, filtered: Some((mask, len)) }))
    }

    /// Reads a record of the huge objects' B-tree (types 1 and 2): a place, then its key.
    pub(crate) fn parse_record<'a>(
        sizes: Sizes,
        filtered: bool,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, (u64, Self)> {
        move |i| {
            let (i, huge) = Self::parse(sizes, filtered, i)?;
            let (i, key) = field("huge object key", uint(sizes.length)).parse(i)?;
            Ok((i, (key, huge)))
        }
    }

    /// Bytes that a place takes.
    fn direct_len(sizes: Sizes, filtered: bool) -> u16 {
        let length = u16::from(sizes.length);
        let unfiltered = u16::from(sizes.offset).saturating_add(length);
        if filtered { unfiltered.saturating_add(4).saturating_add(length) } else { unfiltered }
    }
}

fn version_0(head: u8) -> Result<(), Problem> {
    match head >> 6 {
        0 => Ok(()),
        found => Err(Problem::Version { found, known: &[0] }),
    }
}

fn tiny_len(id_len: u16, head: u8, i: &[u8]) -> Parsed<'_, usize> {
    let half = usize::from(head & 0xf);
    if id_len <= MAX_SHORT_ID {
        return Ok((i, half.saturating_add(1)));
    }
    let (i, low) = field("tiny object length", le_u8).parse(i)?;
    Ok((i, (half << 8 | usize::from(low)).saturating_add(1)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{header, parse};
    use super::*;
    use crate::checksum::lookup3;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use testkit::Bytes;

    const SIZES: Sizes = Sizes { offset: 8, length: 8 };

    fn id(heap: &FractalHeap, bytes: Bytes) -> Result<HeapId, crate::FormatError> {
        parse_at("heap ID", 0, &bytes.build(), HeapId::parse(heap, SIZES))
    }

    #[test]
    fn reads_every_kind() {
        let mut heap = parse(header(0).sealed(lookup3)).unwrap();
        assert_eq!(id(&heap, Bytes::new().u8(0).u32(22).u16(30)).unwrap(), HeapId::Managed(22..52));
        let key = Bytes::new().u8(0x10).u32(5).u16(0);
        assert_eq!(id(&heap, key).unwrap(), HeapId::HugeKey(5));
        let tiny = Bytes::new().u8(0x22).text("abcdef");
        assert_eq!(id(&heap, tiny).unwrap(), HeapId::Tiny(b"abc".to_vec()));
        heap.id_len = 17;
        let huge = HugeObject { address: Address(0x400), stored_len: 70_000, filtered: None };
        let direct = Bytes::new().u8(0x10).u64(0x400).u64(70_000);
        assert_eq!(id(&heap, direct).unwrap(), HeapId::Huge(huge));
        heap.id_len = 18;
        let tiny = Bytes::new().u8(0x20).u8(1).text("ab");
        assert_eq!(id(&heap, tiny).unwrap(), HeapId::Tiny(b"ab".to_vec()));
    }

    #[test]
    fn refuses_other_versions_and_types() {
        let heap = parse(header(0).sealed(lookup3)).unwrap();
        assert_eq!(
            id(&heap, Bytes::new().u8(0x40)).unwrap_err().to_string(),
            "heap ID at byte 0x0: field `version and type` at byte 0x0: version 1 is not supported (known: [0])"
        );
        assert_eq!(
            id(&heap, Bytes::new().u8(0x30)).unwrap_err().to_string(),
            "heap ID at byte 0x0: field `version and type` at byte 0x0: heap ID type 3"
        );
    }
}

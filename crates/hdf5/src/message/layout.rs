//! Data layout message (0x0008): where the elements are. Spec: HDF5 File Format 3.0, IV.A.2.i.

mod chunk_index;
mod chunked;

use core::ops::Range;

use nom::Parser;
use nom::bytes::complete::take;
use nom::combinator::cond;
use nom::number::complete::le_u8;

use crate::encode::Encoder;
use crate::error::Problem;
use crate::parse::{
    Address, Parsed, Sizes, address, checked, count, count16, field, len32, reserved, uint, version,
};

use chunked::{at_most_stored_rank, dim, split_dims};

pub(crate) use chunk_index::ChunkIndex;
pub(crate) use chunked::ChunkedLayout;

/// How the elements of a dataset are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageKind {
    /// Inside the object header.
    Compact,
    /// In one piece.
    Contiguous,
    /// In chunks.
    Chunked,
    /// Views of other datasets; refused.
    Virtual,
    /// In other files (message 0x0007); refused.
    External,
}

/// Where the elements of a dataset are.
///
/// | bytes | field | versions |
/// | --- | --- | --- |
/// | 1 | version | 1 to 5 |
/// | 1 | dimensionality; for chunks the rank + 1 | 1, 2 |
/// | 1 | layout class | 1 to 5 |
/// | 5 | reserved | 1, 2 |
/// | offset | data address, unless compact | 1, 2 |
/// | 4 × dimensionality | dimension sizes | 1, 2 |
/// | | the class's own fields | 3 to 5 |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Layout {
    /// In the message itself: the bytes of the message's data that hold the elements.
    Compact { data: Range<usize> },
    /// In one piece; nothing is allocated without an address. Versions 1 and 2 do not store the size.
    Contiguous { address: Option<Address>, size: Option<u64> },
    /// In chunks.
    Chunked(ChunkedLayout),
    /// Views of other datasets.
    Virtual,
}

const COMPACT: u8 = 0;
const CONTIGUOUS: u8 = 1;
const CHUNKED: u8 = 2;
const VIRTUAL: u8 = 3;

impl Layout {
    pub(crate) const NAME: &str = "data layout message";

    /// Reads versions 1 to 5.
    pub(crate) fn parse<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |whole| {
            let (i, version) = field("version", version(&[1, 2, 3, 4, 5])).parse(whole)?;
            match version {
                1 | 2 => Self::parse_old(sizes, version, whole, i),
                _ => Self::parse_by_class(sizes, version, whole, i),
            }
        }
    }

    /// Writes version 3, and 4 for chunks. `compact` has the elements of a compact dataset, of less than 64 KiB.
    pub(crate) fn encode(&self, compact: &[u8], out: &mut Encoder) {
        match self {
            Self::Compact { .. } => {
                out.bytes(&[3, COMPACT]);
                out.uint(compact.len() as u64, 2);
                out.bytes(compact);
            }
            Self::Contiguous { address, size } => {
                out.bytes(&[3, CONTIGUOUS]);
                out.address(*address);
                out.length(size.unwrap_or(0));
            }
            Self::Chunked(layout) => {
                out.bytes(&[4, CHUNKED]);
                layout.encode(out);
            }
            Self::Virtual => out.bytes(&[4, VIRTUAL]),
        }
    }

    /// Versions 1 and 2: the same fields for every class.
    fn parse_old<'a>(sizes: Sizes, version: u8, whole: &'a [u8], i: &'a [u8]) -> Parsed<'a, Self> {
        let (i, rank) = field("dimensionality", at_most_stored_rank).parse(i)?;
        let (i, class) = field("layout class", class(CHUNKED)).parse(i)?;
        let (i, ()) = field("reserved", reserved(5)).parse(i)?;
        let (i, data) = field("data address", cond(class != COMPACT, address(sizes))).parse(i)?;
        let address = data.flatten();
        // Quirk: the specification has the element size of chunks in a field of its own; libhdf5 writes
        // and reads it as the last dimension, as in version 3.
        let (i, dims) = field("dimension sizes", count(dim(4), rank)).parse(i)?;
        match class {
            COMPACT => compact(whole, field("compact data size", len32), i),
            CONTIGUOUS => Ok((i, Self::Contiguous { address, size: None })),
            _ => {
                let (chunk_dims, element_size) = split_dims(i, dims)?;
                Ok((
                    i,
                    Self::Chunked(ChunkedLayout {
                        version,
                        chunk_dims,
                        element_size,
                        partial_chunks_unfiltered: false,
                        index: ChunkIndex::BTree1,
                        address,
                    }),
                ))
            }
        }
    }

    /// Versions 3 to 5: each class has its own fields.
    fn parse_by_class<'a>(
        sizes: Sizes,
        version: u8,
        whole: &'a [u8],
        i: &'a [u8],
    ) -> Parsed<'a, Self> {
        let highest = if version == 3 { CHUNKED } else { VIRTUAL };
        let (i, class) = field("layout class", class(highest)).parse(i)?;
        match class {
            COMPACT => compact(whole, field("compact data size", count16), i),
            CONTIGUOUS => {
                let (i, address) = field("data address", address(sizes)).parse(i)?;
                let (i, size) = field("data size", uint(sizes.length)).parse(i)?;
                Ok((i, Self::Contiguous { address, size: Some(size) }))
            }
            CHUNKED if version == 3 => ChunkedLayout::parse_3(sizes, i).map(chunked),
            CHUNKED => ChunkedLayout::parse_4(sizes, version, i).map(chunked),
            _ => Ok((i, Self::Virtual)),
        }
    }
}

fn chunked((rest, layout): (&[u8], ChunkedLayout)) -> (&[u8], Layout) {
    (rest, Layout::Chunked(layout))
}

fn compact<'a>(
    whole: &'a [u8],
    mut size: impl FnMut(&'a [u8]) -> Parsed<'a, usize>,
    i: &'a [u8],
) -> Parsed<'a, Layout> {
    let (i, size) = size(i)?;
    let start = whole.len().saturating_sub(i.len());
    let (i, data) = field("compact data", take(size)).parse(i)?;
    Ok((i, Layout::Compact { data: start..start.saturating_add(data.len()) }))
}

fn class<'a>(highest: u8) -> impl FnMut(&'a [u8]) -> Parsed<'a, u8> {
    checked(le_u8, move |class| {
        if class <= highest {
            Ok(())
        } else {
            Err(Problem::unsupported(alloc::format!("layout class {class}")))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::chunk_index::ExtensibleArrayParameters;
    use super::*;
    use crate::encode::encoded;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use alloc::vec;
    use alloc::vec::Vec;
    use proptest::prelude::*;
    use testkit::Bytes;

    const SIZES: Sizes = Sizes { offset: 8, length: 8 };

    fn parse(bytes: Bytes) -> Result<Layout, crate::FormatError> {
        parse_at(Layout::NAME, 0x40, &bytes.build(), Layout::parse(SIZES))
    }

    #[test]
    fn reads_old_versions() {
        let head = |class| Bytes::new().u8(1).u8(2).u8(class).zeros(5);
        let contiguous = head(1).u64(0x800).u32(4).u32(5);
        assert_eq!(
            parse(contiguous).unwrap(),
            Layout::Contiguous { address: Some(Address(0x800)), size: None }
        );
        let compact = head(0).u32(4).u32(5).u32(3).text("abc");
        assert_eq!(parse(compact).unwrap(), Layout::Compact { data: 20..23 });
        let Layout::Chunked(chunks) = parse(head(2).u64(0x900).u32(4).u32(2)).unwrap() else {
            panic!("chunked")
        };
        assert_eq!((chunks.chunk_dims, chunks.element_size), (vec![4], 2));
    }

    #[test]
    fn reads_version_3() {
        let contiguous = Bytes::new().u8(3).u8(1).ones(8).u64(0);
        assert_eq!(parse(contiguous).unwrap(), Layout::Contiguous { address: None, size: Some(0) });
        let compact = Bytes::new().u8(3).u8(0).u16(2).text("ab");
        assert_eq!(parse(compact).unwrap(), Layout::Compact { data: 4..6 });
        let chunks = Bytes::new().u8(3).u8(2).u8(3).u64(0x100).u32(7).u32(9).u32(4);
        let Layout::Chunked(chunks) = parse(chunks).unwrap() else { panic!("chunked") };
        assert_eq!((chunks.chunk_dims, chunks.index), (vec![7, 9], ChunkIndex::BTree1));
    }

    #[test]
    fn reads_every_index_of_versions_4_and_5() {
        let head =
            |version, flags| Bytes::new().u8(version).u8(2).u8(flags).u8(2).u8(2).u16(300).u16(2);
        let index = |bytes: Bytes| match parse(bytes.u64(0x500)).unwrap() {
            Layout::Chunked(chunks) => {
                assert_eq!((chunks.chunk_dims, chunks.address), (vec![300], Some(Address(0x500))));
                chunks.index
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(index(head(4, 0).u8(1)), ChunkIndex::SingleChunk { filtered: None });
        assert_eq!(
            index(head(5, 2).u8(1).u64(77).u32(1)),
            ChunkIndex::SingleChunk { filtered: Some((77, 1)) }
        );
        assert_eq!(index(head(4, 1).u8(2)), ChunkIndex::Implicit);
        assert_eq!(index(head(5, 0).u8(3).u8(10)), ChunkIndex::FixedArray { page_bits: 10 });
        let parameters = ExtensibleArrayParameters {
            max_bits: 32,
            index_elements: 4,
            min_pointers: 3,
            min_elements: 16,
            page_bits: 10,
        };
        let extensible = head(4, 0).u8(4).bytes([32, 4, 3, 16, 10]);
        assert_eq!(index(extensible), ChunkIndex::ExtensibleArray(parameters));
        assert_eq!(
            index(head(4, 0).u8(5).u32(2048).u8(100).u8(40)),
            ChunkIndex::BTree2 { node_size: 2048 }
        );
    }

    fn index() -> impl Strategy<Value = ChunkIndex> {
        let parameters = any::<[u8; 5]>().prop_map(|[a, b, c, d, e]| ExtensibleArrayParameters {
            max_bits: a,
            index_elements: b,
            min_pointers: c,
            min_elements: d,
            page_bits: e,
        });
        prop_oneof![
            any::<Option<(u64, u32)>>().prop_map(|filtered| ChunkIndex::SingleChunk { filtered }),
            Just(ChunkIndex::Implicit),
            any::<u8>().prop_map(|page_bits| ChunkIndex::FixedArray { page_bits }),
            parameters.prop_map(ChunkIndex::ExtensibleArray),
            any::<u32>().prop_map(|node_size| ChunkIndex::BTree2 { node_size }),
        ]
    }

    proptest! {
        #[test]
        fn reads_the_chunks_it_writes(
            chunk_dims in proptest::collection::vec(1_u64.., 1..33),
            element_size in 1_u64..,
            partial_chunks_unfiltered: bool,
            index in index(),
            address in proptest::option::of(0..u64::MAX),
        ) {
            let address = address.map(Address);
            let layout = Layout::Chunked(ChunkedLayout {
                version: 4, chunk_dims, element_size, partial_chunks_unfiltered, index, address,
            });
            let bytes = encoded(SIZES, |out| layout.encode(&[], out));
            prop_assert_eq!(parse_at(Layout::NAME, 0, &bytes, Layout::parse(SIZES)), Ok(layout));
        }

        #[test]
        fn reads_the_pieces_it_writes(address in proptest::option::of(0..u64::MAX), size: u64, compact: Vec<u8>) {
            let layout = Layout::Contiguous { address: address.map(Address), size: Some(size) };
            let bytes = encoded(SIZES, |out| layout.encode(&[], out));
            prop_assert_eq!(parse_at(Layout::NAME, 0, &bytes, Layout::parse(SIZES)), Ok(layout));
            let layout = Layout::Compact { data: 4..compact.len() + 4 };
            let bytes = encoded(SIZES, |out| layout.encode(&compact, out));
            prop_assert_eq!(&bytes[4..], &compact);
            prop_assert_eq!(parse_at(Layout::NAME, 0, &bytes, Layout::parse(SIZES)), Ok(layout));
        }
    }

    #[test]
    fn refuses_by_name() {
        let text = |bytes| parse(bytes).unwrap_err().to_string();
        assert_eq!(
            text(Bytes::new().u8(6)),
            "data layout message at byte 0x40: field `version` at byte 0x40: version 6 is not supported (known: [1, 2, 3, 4, 5])"
        );
        assert_eq!(
            text(Bytes::new().u8(3).u8(2).u8(2).u64(0).u32(0).u32(4)),
            "data layout message at byte 0x40: field `dimension sizes` at byte 0x4b: a chunk of extent 0"
        );
        assert_eq!(
            text(Bytes::new().u8(4).u8(2).u8(0).u8(2).u8(1).u8(3).u8(4).u8(6)),
            "data layout message at byte 0x40: field `chunk index type` at byte 0x47: chunk index type 6 is not supported"
        );
        assert_eq!(
            text(Bytes::new().u8(3).u8(0).u16(3).text("ab")),
            "data layout message at byte 0x40: field `compact data` at byte 0x44: the structure ends early"
        );
    }
}

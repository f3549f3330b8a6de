//! Data layout message (0x0008): where the elements are. Spec: HDF5 File Format 3.0, IV.A.2.i.

use alloc::vec::Vec;
use core::ops::Range;

use nom::Parser;
use nom::bytes::complete::take;
use nom::combinator::cond;
use nom::number::complete::{le_u8, le_u32};

use crate::btree::v2::{MERGE_PERCENT, SPLIT_PERCENT};
use crate::encode::Encoder;
use crate::error::Problem;
use crate::limits::MAX_RANK;
use crate::parse::{
    Address, Failure, Parsed, Sizes, address, checked, count, count16, field, flags, len32,
    reserved, uint, version, width_of,
};

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

/// Chunks, and the index that finds them.
///
/// | bytes | field | versions |
/// | --- | --- | --- |
/// | 1 | flags | 4, 5 |
/// | 1 | dimensionality: rank + 1 | 3 to 5 |
/// | offset | B-tree address | 3 |
/// | 1 | dimension size width | 4, 5 |
/// | 4 or width, × dimensionality | dimension sizes; the last is the element size | 3 to 5 |
/// | 1 | chunk index type | 4, 5 |
/// | | the index's own fields | 4, 5 |
/// | offset | index address | 4, 5 |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkedLayout {
    /// Version of the message: it decides how wide a chunk's stored size is in an index.
    pub(crate) version: u8,
    /// Extent of a chunk in elements, each at least 1, slowest axis first.
    pub(crate) chunk_dims: Vec<u64>,
    /// Bytes of one element.
    pub(crate) element_size: u64,
    /// Chunks that cross the extent's edge are stored without filters.
    pub(crate) partial_chunks_unfiltered: bool,
    /// How chunks are found.
    pub(crate) index: ChunkIndex,
    /// Where the index, or the only chunk, is; `None` before anything was written.
    pub(crate) address: Option<Address>,
}

/// The kinds of chunk index, with their parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChunkIndex {
    /// A version 1 B-tree; layouts before version 4.
    BTree1,
    /// The address is the chunk; a filtered one has its stored size and its filter mask here.
    SingleChunk { filtered: Option<(u64, u32)> },
    /// All chunks one after the other, unfiltered.
    Implicit,
    /// A table.
    FixedArray { page_bits: u8 },
    /// A table that grows.
    ExtensibleArray(ExtensibleArrayParameters),
    /// A version 2 B-tree; the size of its nodes stands in its own header as well.
    BTree2 { node_size: u32 },
}

/// | bytes | field |
/// | --- | --- |
/// | 1 | maximum bits |
/// | 1 | index elements |
/// | 1 | minimum pointers |
/// | 1 | minimum elements |
/// | 1 | page bits |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExtensibleArrayParameters {
    pub(crate) max_bits: u8,
    pub(crate) index_elements: u8,
    pub(crate) min_pointers: u8,
    pub(crate) min_elements: u8,
    pub(crate) page_bits: u8,
}

const COMPACT: u8 = 0;
const CONTIGUOUS: u8 = 1;
const CHUNKED: u8 = 2;
const VIRTUAL: u8 = 3;

const PARTIAL_CHUNKS_UNFILTERED: u8 = 0b01;
const SINGLE_CHUNK_FILTERED: u8 = 0b10;

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

impl ChunkedLayout {
    fn parse_3(sizes: Sizes, i: &[u8]) -> Parsed<'_, Self> {
        let (i, rank) = field("dimensionality", at_most_stored_rank).parse(i)?;
        let (i, address) = field("B-tree address", address(sizes)).parse(i)?;
        let (rest, dims) = field("dimension sizes", count(dim(4), rank)).parse(i)?;
        let (chunk_dims, element_size) = split_dims(i, dims)?;
        Ok((
            rest,
            Self {
                version: 3,
                chunk_dims,
                element_size,
                partial_chunks_unfiltered: false,
                index: ChunkIndex::BTree1,
                address,
            },
        ))
    }

    /// Versions 4 and 5.
    fn parse_4(sizes: Sizes, version: u8, i: &[u8]) -> Parsed<'_, Self> {
        let known = PARTIAL_CHUNKS_UNFILTERED | SINGLE_CHUNK_FILTERED;
        let (i, flags) = field("flags", flags(known)).parse(i)?;
        let (i, rank) = field("dimensionality", at_most_stored_rank).parse(i)?;
        let (i, width) = field("dimension size width", dim_width).parse(i)?;
        let (rest, dims) = field("dimension sizes", count(dim(width), rank)).parse(i)?;
        let (chunk_dims, element_size) = split_dims(i, dims)?;
        let (i, index) = ChunkIndex::parse(sizes, flags, rest)?;
        let (i, address) = field("index address", address(sizes)).parse(i)?;
        let partial_chunks_unfiltered = flags & PARTIAL_CHUNKS_UNFILTERED != 0;
        Ok((
            i,
            Self { version, chunk_dims, element_size, partial_chunks_unfiltered, index, address },
        ))
    }

    /// Writes version 4, without the fields before the flags.
    fn encode(&self, out: &mut Encoder) {
        let dims = || self.chunk_dims.iter().copied().chain([self.element_size]);
        let width = width_of(dims().max().unwrap_or(0));
        let partial = if self.partial_chunks_unfiltered { PARTIAL_CHUNKS_UNFILTERED } else { 0 };
        out.u8(partial | self.index.flags());
        out.uint(dims().count() as u64, 1);
        out.u8(width);
        dims().for_each(|dim| out.uint(dim, width));
        self.index.encode(out);
        out.address(self.address);
    }
}

impl ChunkIndex {
    fn parse(sizes: Sizes, flags: u8, i: &[u8]) -> Parsed<'_, Self> {
        let (rest, kind) = field("chunk index type", le_u8).parse(i)?;
        match kind {
            1 => {
                let filtered = flags & SINGLE_CHUNK_FILTERED != 0;
                let (i, size) =
                    field("filtered chunk size", cond(filtered, uint(sizes.length))).parse(rest)?;
                let (i, mask) = field("filter mask", cond(filtered, le_u32)).parse(i)?;
                Ok((i, Self::SingleChunk { filtered: size.zip(mask) }))
            }
            2 => Ok((rest, Self::Implicit)),
            3 => {
                let (i, page_bits) = field("page bits", le_u8).parse(rest)?;
                Ok((i, Self::FixedArray { page_bits }))
            }
            4 => ExtensibleArrayParameters::parse(rest)
                .map(|(i, parameters)| (i, Self::ExtensibleArray(parameters))),
            5 => {
                let (i, node_size) = field("node size", le_u32).parse(rest)?;
                // They stand in the tree's own header as well.
                let (i, ()) = field("split and merge percent", reserved(2)).parse(i)?;
                Ok((i, Self::BTree2 { node_size }))
            }
            unknown => Err(Failure::named(
                "chunk index type",
                i,
                Problem::unsupported(alloc::format!("chunk index type {unknown}")),
            )),
        }
    }

    fn flags(&self) -> u8 {
        match self {
            Self::SingleChunk { filtered: Some(_) } => SINGLE_CHUNK_FILTERED,
            _ => 0,
        }
    }

    /// Writes the index type and the index's own fields. Layouts of version 4 have no version 1 B-tree.
    fn encode(&self, out: &mut Encoder) {
        match self {
            Self::BTree1 => {}
            Self::SingleChunk { filtered } => {
                out.u8(1);
                if let Some((size, mask)) = filtered {
                    out.length(*size);
                    out.u32(*mask);
                }
            }
            Self::Implicit => out.u8(2),
            Self::FixedArray { page_bits } => out.bytes(&[3, *page_bits]),
            Self::ExtensibleArray(parameters) => {
                out.u8(4);
                parameters.encode(out);
            }
            Self::BTree2 { node_size } => {
                out.u8(5);
                out.u32(*node_size);
                out.bytes(&[SPLIT_PERCENT, MERGE_PERCENT]);
            }
        }
    }
}

impl ExtensibleArrayParameters {
    fn parse(i: &[u8]) -> Parsed<'_, Self> {
        let (i, max_bits) = field("maximum bits", le_u8).parse(i)?;
        let (i, index_elements) = field("index elements", le_u8).parse(i)?;
        let (i, min_pointers) = field("minimum pointers", le_u8).parse(i)?;
        let (i, min_elements) = field("minimum elements", le_u8).parse(i)?;
        let (i, page_bits) = field("page bits", le_u8).parse(i)?;
        Ok((i, Self { max_bits, index_elements, min_pointers, min_elements, page_bits }))
    }

    fn encode(self, out: &mut Encoder) {
        out.u8(self.max_bits);
        out.u8(self.index_elements);
        out.u8(self.min_pointers);
        out.u8(self.min_elements);
        out.u8(self.page_bits);
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

/// The stored dimensionality of chunks counts the element size as one more dimension.
fn at_most_stored_rank(i: &[u8]) -> Parsed<'_, usize> {
    let max = MAX_RANK.saturating_add(1);
    crate::parse::at_most(max).map(usize::from).parse(i)
}

fn dim_width(i: &[u8]) -> Parsed<'_, u8> {
    checked(le_u8, |width| match width {
        1..=8 => Ok(()),
        _ => Err(Problem::invalid(alloc::format!("{width} bytes for a dimension, not 1 to 8"))),
    })(i)
}

fn dim<'a>(width: u8) -> impl Fn(&'a [u8]) -> Parsed<'a, u64> + Clone {
    move |i| uint(width)(i)
}

/// Takes the element size off the dimensions, and refuses a chunk without extent.
fn split_dims(dims_start: &[u8], mut dims: Vec<u64>) -> Result<(Vec<u64>, u64), nom::Err<Failure>> {
    let refuse = |problem| Err(Failure::named("dimension sizes", dims_start, problem));
    let element_size = match dims.pop() {
        Some(size) if !dims.is_empty() => size,
        _ => return refuse(Problem::invalid("chunks without an axis")),
    };
    if element_size == 0 || dims.contains(&0) {
        return refuse(Problem::invalid("a chunk of extent 0"));
    }
    Ok((dims, element_size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encoded;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use alloc::vec;
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

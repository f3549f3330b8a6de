//! Which chunk index a data layout message names, and the index's own fields.

use nom::Parser;
use nom::combinator::cond;
use nom::number::complete::{le_u8, le_u32};

use crate::btree::v2::{MERGE_PERCENT, SPLIT_PERCENT};
use crate::encode::Encoder;
use crate::error::Problem;
use crate::parse::{Failure, Parsed, Sizes, field, reserved, uint};

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

pub(super) const SINGLE_CHUNK_FILTERED: u8 = 0b10;

impl ChunkIndex {
    pub(super) fn parse(sizes: Sizes, flags: u8, i: &[u8]) -> Parsed<'_, Self> {
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

    pub(super) fn flags(&self) -> u8 {
        match self {
            Self::SingleChunk { filtered: Some(_) } => SINGLE_CHUNK_FILTERED,
            _ => 0,
        }
    }

    /// Writes the index type and the index's own fields. Layouts of version 4 have no version 1 B-tree.
    pub(super) fn encode(&self, out: &mut Encoder) {
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

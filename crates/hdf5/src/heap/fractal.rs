//! Fractal heap: dense links and attributes. Spec: HDF5 File Format 3.0, III.G.

use alloc::vec::Vec;

use nom::Parser;
use nom::bytes::complete::take;
use nom::combinator::cond;
use nom::number::complete::{le_u16, le_u32};

use crate::checksum::{compare, lookup3, seal};
use crate::error::Problem;
use crate::message::filter_pipeline::FilterPipeline;
use crate::parse::{
    Address, Failure, Parsed, Sizes, address, bounded, checked, count16, field, flags, signature,
    uint, version,
};

mod encode;
mod id;

pub(crate) use encode::HeapStatistics;
pub(crate) use id::{HeapId, HugeObject};

/// How a heap is laid out.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | signature `FRHP` |
/// | 1 | version |
/// | 2 | heap ID length |
/// | 2 | I/O filters' encoded length |
/// | 1 | flags |
/// | 4 | maximum size of managed objects |
/// | length | next huge object ID |
/// | offset | huge objects B-tree address |
/// | length, offset | free space and its manager's address |
/// | 8 × length | statistics |
/// | 2 | table width |
/// | length | starting block size |
/// | length | maximum direct block size |
/// | 2 | maximum heap size, in bits |
/// | 2 | starting number of rows |
/// | offset | root block address |
/// | 2 | current number of rows |
/// | length | size of filtered root direct block, if filtered |
/// | 4 | I/O filter mask, if filtered |
/// | | I/O filter information, if filtered |
/// | 4 | checksum |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FractalHeap {
    /// Bytes of a heap ID.
    pub(crate) id_len: u16,
    /// Direct blocks carry checksums.
    checksummed: bool,
    max_managed_len: u32,
    /// Finds huge objects whose place does not fit their ID.
    pub(crate) huge_tree: Option<Address>,
    /// Blocks per row.
    width: u64,
    start_block_len: u64,
    max_direct_block_len: u64,
    max_heap_bits: u16,
    /// The root block; an indirect one if there are rows.
    pub(crate) root: Option<Address>,
    pub(crate) rows: u16,
    /// How blocks and huge objects are encoded.
    pub(crate) filters: Option<HeapFilters>,
}

/// What a heap with filters says about its root block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeapFilters {
    pub(crate) root_len: u64,
    pub(crate) root_mask: u32,
    pub(crate) pipeline: FilterPipeline,
}

/// A block that a heap offset falls into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockPlace {
    /// Heap offset of its first byte.
    pub(crate) heap_offset: u64,
    /// Bytes of heap that it covers.
    pub(crate) len: u64,
    /// Which child of its parent it is.
    pub(crate) child: u64,
    /// Rows, if it is an indirect block.
    pub(crate) rows: Option<u16>,
}

/// A child of an indirect block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockChild {
    pub(crate) address: Option<Address>,
    /// Stored bytes and filter mask of a filtered direct block.
    pub(crate) filtered: Option<(u64, u32)>,
}

/// The children of an indirect block.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | signature `FHIB` |
/// | 1 | version |
/// | offset | heap header address |
/// | as the heap size needs | block offset |
/// | offset each, + length + 4 if filtered | direct children |
/// | offset each | indirect children |
/// | 4 | checksum |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndirectBlock {
    pub(crate) children: Vec<BlockChild>,
}

const HAS_CHECKSUMS: u8 = 0b10;
const KNOWN_FLAGS: u8 = 0b11;
/// Bounds of the format on the doubling table.
const MAX_WIDTH: u16 = 1024;
const MAX_DIRECT_BLOCK_LEN: u64 = 1 << 31;
const MAX_HEAP_BITS: u16 = 64;

impl FractalHeap {
    pub(crate) const NAME: &str = "fractal heap header";
    pub(crate) const DIRECT_NAME: &str = "fractal heap direct block";
    pub(crate) const INDIRECT_NAME: &str = "fractal heap indirect block";
    pub(crate) const OBJECT_NAME: &str = "fractal heap object";

    /// Bytes of the header up to and with the current number of rows.
    pub(crate) fn fixed_len(sizes: Sizes) -> u64 {
        let lengths = u64::from(sizes.length).saturating_mul(12);
        let offsets = u64::from(sizes.offset).saturating_mul(3);
        lengths.saturating_add(offsets).saturating_add(22)
    }

    /// Bytes of the whole header, of which `start` has at least the first nine.
    pub(crate) fn len(sizes: Sizes, start: &[u8]) -> Parsed<'_, u64> {
        let (i, ()) = field("signature", signature(b"FRHP")).parse(start)?;
        let (i, _) = field("version", version(&[0])).parse(i)?;
        let (i, _) = field("heap ID length", le_u16).parse(i)?;
        let (i, filters) = field("I/O filters' encoded length", le_u16).parse(i)?;
        let filtered = match filters {
            0 => 0,
            len => u64::from(len).saturating_add(sizes.length.into()).saturating_add(4),
        };
        Ok((i, Self::fixed_len(sizes).saturating_add(filtered).saturating_add(4)))
    }

    /// Reads the header.
    pub(crate) fn parse<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |whole| {
            let length = || uint(sizes.length);
            let (i, ()) = field("signature", signature(b"FRHP")).parse(whole)?;
            let (i, _) = field("version", version(&[0])).parse(i)?;
            let (i, id_len) = field("heap ID length", checked(le_u16, readable_id)).parse(i)?;
            let (i, filters_len) = field("I/O filters' encoded length", count16).parse(i)?;
            let (i, flags) = field("flags", flags(KNOWN_FLAGS)).parse(i)?;
            let (i, max_managed_len) = field("maximum size of managed objects", le_u32).parse(i)?;
            let (i, _) = field("next huge object ID", length()).parse(i)?;
            let (i, huge_tree) = field("huge objects B-tree address", address(sizes)).parse(i)?;
            let (i, _) = field("free space", length()).parse(i)?;
            let (i, _) = field("free space manager address", address(sizes)).parse(i)?;
            let statistics = usize::from(sizes.length).saturating_mul(8);
            let (i, _) = field("statistics", take(statistics)).parse(i)?;
            let (i, width) = field("table width", checked(le_u16, table_width)).parse(i)?;
            let (i, start_block_len) =
                field("starting block size", checked(length(), block_len)).parse(i)?;
            let not_smaller = |max: u64| {
                block_len(max)?;
                if max >= start_block_len {
                    Ok(())
                } else {
                    Err(Problem::invalid("less than the starting block size"))
                }
            };
            let (i, max_direct_block_len) =
                field("maximum direct block size", checked(length(), not_smaller)).parse(i)?;
            let (i, max_heap_bits) =
                field("maximum heap size", checked(le_u16, heap_bits)).parse(i)?;
            let (i, _) = field("starting number of rows", le_u16).parse(i)?;
            let (i, root) = field("root block address", address(sizes)).parse(i)?;
            let rows_start = i;
            let (i, rows) = field("current number of rows", le_u16).parse(i)?;
            let filtered = filters_len > 0;
            let (i, root_len) =
                field("size of filtered root direct block", cond(filtered, length())).parse(i)?;
            let (i, root_mask) = field("I/O filter mask", cond(filtered, le_u32)).parse(i)?;
            let pipeline = cond(filtered, bounded(filters_len, FilterPipeline::parse));
            let (i, pipeline) = field("I/O filter information", pipeline).parse(i)?;
            let (i, ()) = seal(whole, i)?;
            let filters = match (root_len, root_mask, pipeline) {
                (Some(root_len), Some(root_mask), Some(pipeline)) => {
                    Some(HeapFilters { root_len, root_mask, pipeline })
                }
                _ => None,
            };
            let heap = Self {
                id_len,
                checksummed: flags & HAS_CHECKSUMS != 0,
                max_managed_len,
                huge_tree,
                width: width.into(),
                start_block_len,
                max_direct_block_len,
                max_heap_bits,
                root,
                rows,
                filters,
            };
            if rows > heap.max_rows() {
                let problem = Problem::invalid(alloc::format!(
                    "{rows} rows cover more than the {max_heap_bits} bits of the heap"
                ));
                return Err(Failure::named("current number of rows", rows_start, problem));
            }
            Ok((i, heap))
        }
    }

    /// The root block when the heap has no rows: one direct block.
    pub(crate) fn root_direct_block(&self) -> BlockPlace {
        BlockPlace { heap_offset: 0, len: self.start_block_len, child: 0, rows: None }
    }

    /// The child of an indirect block (of `rows` rows, from `heap_offset` on) that covers `offset`.
    pub(crate) fn child_at(&self, rows: u16, heap_offset: u64, offset: u64) -> Option<BlockPlace> {
        let mut row_offset = heap_offset;
        for row in 0..rows {
            let len = self.row_block_len(row);
            let row_len = len.saturating_mul(self.width);
            let row_end = row_offset.saturating_add(row_len);
            if (row_offset..row_end).contains(&offset) {
                let column = offset.saturating_sub(row_offset).checked_div(len)?;
                return Some(BlockPlace {
                    heap_offset: row_offset.saturating_add(column.saturating_mul(len)),
                    len,
                    child: u64::from(row).saturating_mul(self.width).saturating_add(column),
                    rows: (row >= self.direct_rows()).then(|| self.rows_of(len)),
                });
            }
            row_offset = row_end;
        }
        None
    }

    /// Bytes of an indirect block of `rows` rows.
    pub(crate) fn indirect_block_len(&self, sizes: Sizes, rows: u16) -> u64 {
        let (direct, indirect) = self.children(rows);
        let offset = u64::from(sizes.offset);
        let direct_entry = match self.filters {
            Some(_) => offset.saturating_add(sizes.length.into()).saturating_add(4),
            None => offset,
        };
        let head = self.block_head_len(sizes);
        direct
            .saturating_mul(direct_entry)
            .saturating_add(indirect.saturating_mul(offset))
            .saturating_add(head)
            .saturating_add(4)
    }

    /// Reads an indirect block of `rows` rows that must belong to the heap at `owner` and start at `heap_offset`.
    pub(crate) fn indirect_block<'a>(
        &self,
        sizes: Sizes,
        owner: Address,
        heap_offset: u64,
        rows: u16,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, IndirectBlock> {
        let (direct, indirect) = self.children(rows);
        let filtered = self.filters.is_some();
        let offset_width = self.offset_width();
        move |whole| {
            let (i, ()) = field("signature", signature(b"FHIB")).parse(whole)?;
            let (mut i, ()) = block_head(sizes, owner, offset_width, heap_offset, i)?;
            let mut children = Vec::new();
            for n in 0..direct.saturating_add(indirect) {
                let with_filter = filtered && n < direct;
                let (rest, address) = field("child block address", address(sizes)).parse(i)?;
                let (rest, len) =
                    field("size of filtered direct block", cond(with_filter, uint(sizes.length)))
                        .parse(rest)?;
                let (rest, mask) = field("filter mask", cond(with_filter, le_u32)).parse(rest)?;
                children.push(BlockChild { address, filtered: len.zip(mask) });
                i = rest;
            }
            let (i, ()) = seal(whole, i)?;
            Ok((i, IndirectBlock { children }))
        }
    }

    /// Checks a whole decoded direct block, which must belong to the heap at `owner` and start at `heap_offset`.
    /// Objects count their offsets from the first byte of the block, head included.
    ///
    /// | bytes | field |
    /// | --- | --- |
    /// | 4 | signature `FHDB` |
    /// | 1 | version |
    /// | offset | heap header address |
    /// | as the heap size needs | block offset |
    /// | 4 | checksum of the block with these bytes as zero, if the heap has checksums |
    /// | | object data |
    pub(crate) fn check_direct_block<'a>(
        &self,
        sizes: Sizes,
        owner: Address,
        heap_offset: u64,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, ()> {
        let offset_width = self.offset_width();
        let checksummed = self.checksummed;
        move |whole| {
            let (i, ()) = field("signature", signature(b"FHDB")).parse(whole)?;
            let (i, ()) = block_head(sizes, owner, offset_width, heap_offset, i)?;
            if !checksummed {
                return Ok((i, ()));
            }
            let (rest, found) = field("checksum", le_u32).parse(i)?;
            let at = whole.len().saturating_sub(i.len());
            let mut covered = whole.to_vec();
            covered.iter_mut().skip(at).take(4).for_each(|byte| *byte = 0);
            let computed = lookup3(&covered);
            compare(found, computed).map_err(|problem| Failure::named("checksum", i, problem))?;
            Ok((rest, ()))
        }
    }

    /// Bytes of an offset into the heap.
    fn offset_width(&self) -> u8 {
        // At most 64 bits.
        u8::try_from(self.max_heap_bits.div_ceil(8)).unwrap_or(u8::MAX)
    }

    /// Bytes of the length of a managed object.
    fn length_width(&self) -> u8 {
        let block = self.max_direct_block_len.trailing_zeros().div_ceil(8);
        let object = self.max_managed_len.checked_ilog2().unwrap_or(0) / 8;
        // Both are at most 5.
        u8::try_from(block.min(object.saturating_add(1))).unwrap_or(u8::MAX)
    }

    fn block_head_len(&self, sizes: Sizes) -> u64 {
        5_u64.saturating_add(sizes.offset.into()).saturating_add(self.offset_width().into())
    }

    /// Bytes of each block of a row: the first two rows are alike, then they double.
    fn row_block_len(&self, row: u16) -> u64 {
        let doublings = u32::from(row.saturating_sub(1));
        self.start_block_len.checked_shl(doublings).filter(|len| *len > 0).unwrap_or(u64::MAX)
    }

    /// Rows whose children are direct blocks.
    fn direct_rows(&self) -> u16 {
        let doublings = self
            .max_direct_block_len
            .trailing_zeros()
            .saturating_sub(self.start_block_len.trailing_zeros());
        // At most 31 doublings.
        u16::try_from(doublings.saturating_add(2)).unwrap_or(u16::MAX)
    }

    /// Rows of an indirect block that covers `len` bytes of heap.
    fn rows_of(&self, len: u64) -> u16 {
        self.rows_for_bits(len.trailing_zeros())
    }

    fn max_rows(&self) -> u16 {
        self.rows_for_bits(self.max_heap_bits.into())
    }

    /// Rows that cover 2^`bits` bytes of heap: each after the first doubles what is covered.
    fn rows_for_bits(&self, bits: u32) -> u16 {
        let first_row =
            self.start_block_len.trailing_zeros().saturating_add(self.width.trailing_zeros());
        // At most 64 bits.
        u16::try_from(bits.saturating_sub(first_row).saturating_add(1)).unwrap_or(u16::MAX)
    }

    /// Numbers of direct and of indirect children of a block of `rows` rows.
    fn children(&self, rows: u16) -> (u64, u64) {
        let direct = rows.min(self.direct_rows());
        let indirect = rows.saturating_sub(direct);
        let blocks = |rows: u16| u64::from(rows).saturating_mul(self.width);
        (blocks(direct), blocks(indirect))
    }
}

/// Version, owner and offset of a block; what they must be also rules out cycles and shared blocks.
fn block_head(
    sizes: Sizes,
    owner: Address,
    offset_width: u8,
    heap_offset: u64,
    i: &[u8],
) -> Parsed<'_, ()> {
    let (i, _) = field("version", version(&[0])).parse(i)?;
    let of_this_heap = |found: Option<Address>| {
        if found == Some(owner) { Ok(()) } else { Err(Problem::invalid("a block of another heap")) }
    };
    let (i, _) = field("heap header address", checked(address(sizes), of_this_heap)).parse(i)?;
    let in_its_place = |found: u64| {
        if found == heap_offset {
            Ok(())
        } else {
            Err(Problem::invalid(alloc::format!(
                "a block for heap offset {found:#x}, not {heap_offset:#x}"
            )))
        }
    };
    let (i, _) = field("block offset", checked(uint(offset_width), in_its_place)).parse(i)?;
    Ok((i, ()))
}

fn readable_id(len: u16) -> Result<(), Problem> {
    if len == 0 { Err(Problem::invalid("heap IDs of 0 bytes")) } else { Ok(()) }
}

fn table_width(width: u16) -> Result<(), Problem> {
    if width.is_power_of_two() && width <= MAX_WIDTH {
        Ok(())
    } else {
        Err(Problem::invalid(alloc::format!("{width} is no power of two up to {MAX_WIDTH}")))
    }
}

fn block_len(len: u64) -> Result<(), Problem> {
    if len.is_power_of_two() && len <= MAX_DIRECT_BLOCK_LEN {
        Ok(())
    } else {
        Err(Problem::invalid(alloc::format!("{len} is no power of two up to 2^31")))
    }
}

fn heap_bits(bits: u16) -> Result<(), Problem> {
    if (1..=MAX_HEAP_BITS).contains(&bits) {
        Ok(())
    } else {
        Err(Problem::invalid(alloc::format!("{bits} bits, not 1 to {MAX_HEAP_BITS}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use testkit::Bytes;

    const SIZES: Sizes = Sizes { offset: 8, length: 8 };

    pub(super) fn header(rows: u16) -> Bytes {
        let head = Bytes::new().text("FRHP").u8(0).u16(7).u16(0).u8(2).u32(4096);
        let head = head.u64(0).ones(8).u64(0).ones(8).zeros(64);
        head.u16(4).u64(512).u64(65536).u16(32).u16(1).u64(0x900).u16(rows)
    }

    pub(super) fn parse(bytes: Bytes) -> Result<FractalHeap, crate::FormatError> {
        let bytes = bytes.build();
        let len = parse_at(FractalHeap::NAME, 0, &bytes, |i| FractalHeap::len(SIZES, i))?;
        assert_eq!(len, bytes.len() as u64);
        parse_at(FractalHeap::NAME, 0, &bytes, FractalHeap::parse(SIZES))
    }

    #[test]
    fn knows_the_doubling_table() {
        let heap = parse(header(0).sealed(lookup3)).unwrap();
        assert_eq!((heap.direct_rows(), heap.max_rows()), (9, 22));
        assert_eq!((heap.offset_width(), heap.length_width()), (4, 2));
        let place =
            |heap_offset, len, child, rows| Some(BlockPlace { heap_offset, len, child, rows });
        assert_eq!(heap.child_at(22, 0, 0), place(0, 512, 0, None));
        assert_eq!(heap.child_at(22, 0, 2047), place(1536, 512, 3, None));
        assert_eq!(heap.child_at(22, 0, 2048), place(2048, 512, 4, None));
        assert_eq!(heap.child_at(22, 0, 4096), place(4096, 1024, 8, None));
        // Nine direct rows cover 512 * 4 * 2^8 bytes; the next row has blocks of 128 KiB, each of 7 rows.
        assert_eq!(heap.child_at(22, 0, 512 << 10), place(512 << 10, 128 << 10, 36, Some(7)));
        assert_eq!(heap.child_at(1, 0, 2048), None);
        assert_eq!(heap.indirect_block_len(SIZES, 10), 17 + 40 * 8 + 4);
    }

    #[test]
    fn checks_blocks() {
        let heap = parse(header(0).sealed(lookup3)).unwrap();
        let block = |sum: u32| {
            Bytes::new().text("FHDB").u8(0).u64(0x100).u32(512).u32(sum).text("object").build()
        };
        let sum = lookup3(&block(0));
        let check = |bytes: &[u8], owner| {
            let parser = heap.check_direct_block(SIZES, Address(owner), 512);
            parse_at(FractalHeap::DIRECT_NAME, 0, bytes, parser).map_err(|e| e.to_string())
        };
        assert_eq!(check(&block(sum), 0x100), Ok(()));
        assert_eq!(
            check(&block(sum), 0x200).unwrap_err(),
            "fractal heap direct block at byte 0x0: field `heap header address` at byte 0x5: a block of another heap"
        );
        assert!(check(&block(sum.wrapping_add(1)), 0x100).unwrap_err().contains("checksum"));
    }

    #[test]
    fn reads_an_indirect_block() {
        let heap = parse(header(1).sealed(lookup3)).unwrap();
        let bytes =
            Bytes::new().text("FHIB").u8(0).u64(0x100).u32(0).u64(1).ones(24).sealed(lookup3);
        let bytes = bytes.build();
        assert_eq!(heap.indirect_block_len(SIZES, 1), bytes.len() as u64);
        let parser = heap.indirect_block(SIZES, Address(0x100), 0, 1);
        let block = parse_at(FractalHeap::INDIRECT_NAME, 0, &bytes, parser).unwrap();
        let addresses: Vec<_> = block.children.iter().map(|child| child.address).collect();
        assert_eq!(addresses, [Some(Address(1)), None, None, None]);
    }

    #[test]
    fn refuses_impossible_tables() {
        let text = |bytes: Bytes| parse(bytes.sealed(lookup3)).unwrap_err().to_string();
        assert_eq!(
            text(header(23)),
            "fractal heap header at byte 0x0: field `current number of rows` at byte 0x8c: 23 rows cover more than the 32 bits of the heap"
        );
        let cut = Bytes::new().text("FRHP").u8(0).u16(7).build();
        let error = parse_at(FractalHeap::NAME, 0, &cut, FractalHeap::parse(SIZES)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "fractal heap header at byte 0x0: field `I/O filters' encoded length` at byte 0x7: the structure ends early"
        );
    }
}

//! Extensible array index: a table that grows along one axis. Spec: HDF5 File Format 3.0, VII.D.
//!
//! The first elements stand in the index block itself. Those behind them are in data blocks that get longer: super
//! block `u` groups `2^(u / 2)` of them, each of `2^((u + 1) / 2)` times the least number of elements (`/` rounds
//! down). The data blocks of the first super blocks are addressed by the index block, the others by super blocks that
//! are structures of their own. A data block longer than a page is in pages.

use alloc::vec::Vec;

use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::le_u8;

use super::{ChunkEntry, EntryFormat, PageBitmap, parse_owner, to_len};
use crate::checksum::seal;
use crate::error::Problem;
use crate::parse::{Address, Failure, Parsed, address, checked, count, field, signature, uint};

/// The header of an extensible array.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | signature `EAHD` |
/// | 1 | version, 0 |
/// | 1 | client: 0 without filters, 1 with |
/// | 1 | element size |
/// | 1 | maximum bits: how wide the number of an element can get |
/// | 1 | elements in the index block |
/// | 1 | least elements of a data block |
/// | 1 | least data block addresses of a super block |
/// | 1 | page bits: a page has 2 to this power of elements |
/// | 6 × length | statistics: super blocks, their bytes, data blocks, their bytes, highest element set + 1, elements allocated |
/// | offset | index block address |
/// | 4 | checksum |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExtensibleArray {
    format: EntryFormat,
    /// Where the header is; all blocks repeat it.
    at: Address,
    max_bits: u8,
    index_elements: u8,
    /// The least elements of a data block are 2 to this power.
    min_elements_bits: u8,
    /// Super blocks whose data blocks the index block addresses.
    inline_super_blocks: u8,
    page_bits: u8,
    /// Elements from this number on were never set.
    pub(crate) elements: u64,
    /// Where the index block is; `None` before anything was written.
    pub(crate) index_block: Option<Address>,
}

/// The index block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexBlock {
    /// The first elements.
    pub(crate) elements: Vec<Option<ChunkEntry>>,
    /// Data blocks of the first super blocks.
    pub(crate) data_blocks: Vec<Option<Address>>,
    /// The other super blocks.
    pub(crate) super_blocks: Vec<Option<Address>>,
}

impl IndexBlock {
    /// Whether the block that holds `place` is there, or the one that would know it.
    pub(crate) fn may_hold(&self, place: Place) -> bool {
        match place {
            Place::Index(_) => true,
            Place::Inline { slot, .. } => self.data_blocks.get(slot).is_some_and(Option::is_some),
            Place::Super { slot, .. } => self.super_blocks.get(slot).is_some_and(Option::is_some),
        }
    }
}

/// A super block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SuperBlock {
    /// Its data blocks.
    pub(crate) data_blocks: Vec<Option<Address>>,
    /// Which of their pages were written: page `p` of data block `b` has bit `b × pages + p`.
    pub(crate) pages: PageBitmap,
}

/// Where an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the index block.
    Index(usize),
    /// In a data block that the index block addresses.
    Inline { slot: usize, block: DataBlock },
    /// In a data block that a super block addresses.
    Super { slot: usize, super_block: u8, block: DataBlock },
}

/// A data block, and an element in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DataBlock {
    /// Which one of its super block.
    pub(crate) number: u64,
    /// Elements before it, not counting those of the index block.
    pub(crate) first: u64,
    /// What the block itself says of `first`.
    offset: u64,
    /// Its elements.
    pub(crate) elements: u64,
    /// The element's place in it.
    pub(crate) element: u64,
}

/// Pages of a data block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pages {
    /// Elements of a page.
    pub(crate) elements: u64,
    /// Pages of a data block.
    pub(crate) count: u64,
}

impl ExtensibleArray {
    pub(crate) const NAME: &str = "extensible array header";
    pub(crate) const INDEX_BLOCK: &str = "extensible array index block";
    pub(crate) const SUPER_BLOCK: &str = "extensible array super block";
    pub(crate) const DATA_BLOCK: &str = "extensible array data block";
    pub(crate) const PAGE: &str = "extensible array page";

    /// Bytes of the header.
    pub(crate) fn header_len(format: EntryFormat) -> usize {
        let sizes = format.sizes();
        let lengths = usize::from(sizes.length).saturating_mul(6);
        16_usize.saturating_add(lengths).saturating_add(sizes.offset.into())
    }

    /// Reads the header at the address `at`.
    pub(crate) fn parse<'a>(
        format: EntryFormat,
        at: Address,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |whole| {
            let sizes = format.sizes();
            let statistic = || uint(sizes.length);
            let (i, ()) = field("signature", signature(b"EAHD")).parse(whole)?;
            let (i, ()) = format.parse_client()(i)?;
            let (i, ()) = format.parse_width()(i)?;
            let (i, max_bits) = field("maximum bits", crate::parse::at_most(64)).parse(i)?;
            let (i, index_elements) = field("index block elements", le_u8).parse(i)?;
            let (i, min_elements_bits) = field("minimum elements", power_of_two).parse(i)?;
            let (i, min_pointers_bits) = field("minimum pointers", power_of_two).parse(i)?;
            let (i, page_bits) = field("page bits", crate::parse::at_most(63)).parse(i)?;
            let (i, _) = field("number of super blocks", statistic()).parse(i)?;
            let (i, _) = field("size of super blocks", statistic()).parse(i)?;
            let (i, _) = field("number of data blocks", statistic()).parse(i)?;
            let (i, _) = field("size of data blocks", statistic()).parse(i)?;
            let (i, elements) = field("maximum index set", statistic()).parse(i)?;
            let (i, _) = field("number of elements", statistic()).parse(i)?;
            let (i, index_block) = field("index block address", address(sizes)).parse(i)?;
            let (i, ()) = seal(whole, i)?;
            let inline_super_blocks = min_pointers_bits.saturating_mul(2);
            let array = Self {
                format,
                at,
                max_bits,
                index_elements,
                min_elements_bits,
                inline_super_blocks,
                page_bits,
                elements,
                index_block,
            };
            if array.super_blocks() < inline_super_blocks {
                let problem = Problem::invalid("fewer super blocks than the index block addresses");
                return Err(Failure::named("maximum bits", whole, problem));
            }
            Ok((i, array))
        }
    }

    /// Number of super blocks, with those that are no structures of their own.
    fn super_blocks(&self) -> u8 {
        self.max_bits.saturating_add(1).saturating_sub(self.min_elements_bits)
    }

    /// Data blocks of a super block.
    fn data_blocks(super_block: u8) -> u64 {
        1_u64.checked_shl(u32::from(super_block / 2)).unwrap_or(u64::MAX)
    }

    /// Elements of each data block of a super block.
    fn data_block_elements(&self, super_block: u8) -> u64 {
        let bits = super_block.div_ceil(2).saturating_add(self.min_elements_bits);
        1_u64.checked_shl(bits.into()).unwrap_or(u64::MAX)
    }

    /// Elements before a super block, not counting those of the index block.
    pub(crate) fn elements_before(&self, super_block: u8) -> u64 {
        let units =
            1_u64.checked_shl(super_block.into()).map_or(u64::MAX, |units| units.saturating_sub(1));
        units.saturating_mul(1_u64.checked_shl(self.min_elements_bits.into()).unwrap_or(u64::MAX))
    }

    /// Pages of the data blocks of a super block, when they have any.
    pub(crate) fn pages(&self, super_block: u8) -> Option<Pages> {
        let page = 1_u64.checked_shl(self.page_bits.into())?;
        let elements = self.data_block_elements(super_block);
        (elements > page).then(|| Pages { elements: page, count: elements.div_ceil(page) })
    }

    /// Where element `number` is; `None` when the array cannot have it.
    #[expect(clippy::cast_possible_truncation, reason = "a logarithm is at most 63")]
    pub(crate) fn place(&self, number: u64) -> Option<Place> {
        let Some(behind) = number.checked_sub(self.index_elements.into()) else {
            return usize::try_from(number).ok().map(Place::Index);
        };
        let super_block = (behind >> self.min_elements_bits).checked_add(1)?.ilog2() as u8;
        if super_block >= self.super_blocks() {
            return None;
        }
        let start = self.elements_before(super_block);
        let elements = self.data_block_elements(super_block);
        let within = behind.checked_sub(start)?;
        let block_number = within.checked_div(elements)?;
        let element = within.checked_rem(elements)?;
        let first = behind.checked_sub(element)?;
        let block = DataBlock { number: block_number, first, offset: first, elements, element };
        if let Some(slot) = super_block.checked_sub(self.inline_super_blocks) {
            return Some(Place::Super { slot: slot.into(), super_block, block });
        }
        let earlier: u64 = (0..super_block).map(Self::data_blocks).sum();
        let slot = earlier.checked_add(block_number)?;
        // Quirk: libhdf5 counts the blocks of earlier super blocks twice, as if they were as long as this one.
        let offset = start.checked_add(slot.checked_mul(elements)?)?;
        let slot = usize::try_from(slot).ok()?;
        Some(Place::Inline { slot, block: DataBlock { offset, ..block } })
    }

    /// Width of a block's offset in the array, in bytes.
    fn offset_width(&self) -> u8 {
        self.max_bits.div_ceil(8)
    }

    /// Bytes of signature, version, client, header address and checksum.
    fn frame_len(&self) -> u64 {
        u64::from(self.format.sizes().offset).saturating_add(10)
    }

    /// Data blocks that the index block addresses.
    fn inline_data_blocks(&self) -> u64 {
        (0..self.inline_super_blocks).map(Self::data_blocks).fold(0, u64::saturating_add)
    }

    /// Bytes of the index block.
    pub(crate) fn index_block_len(&self) -> u64 {
        let supers = self.super_blocks().saturating_sub(self.inline_super_blocks);
        let addresses = self.inline_data_blocks().saturating_add(supers.into());
        let elements = u64::from(self.index_elements).saturating_mul(self.format.width() as u64);
        addresses
            .saturating_mul(self.format.sizes().offset.into())
            .saturating_add(elements)
            .saturating_add(self.frame_len())
    }

    /// Reads the index block.
    ///
    /// | bytes | field |
    /// | --- | --- |
    /// | 4 | signature `EAIB` |
    /// | 1 | version, 0 |
    /// | 1 | client |
    /// | offset | header address |
    /// | element size × index elements | elements |
    /// | offset × … | data block addresses |
    /// | offset × … | super block addresses |
    /// | 4 | checksum |
    pub(crate) fn parse_index_block<'a>(&self) -> impl Fn(&'a [u8]) -> Parsed<'a, IndexBlock> {
        move |whole| {
            let sizes = self.format.sizes();
            let (i, ()) = field("signature", signature(b"EAIB")).parse(whole)?;
            let (i, ()) = self.format.parse_client()(i)?;
            let (i, ()) = parse_owner(sizes, self.at)(i)?;
            let (i, elements) = count(self.format.parse(), self.index_elements.into()).parse(i)?;
            let len = to_len(self.inline_data_blocks());
            let (i, data_blocks) =
                field("data block addresses", addresses(self.format, len)).parse(i)?;
            let len = self.super_blocks().saturating_sub(self.inline_super_blocks).into();
            let (i, super_blocks) =
                field("super block addresses", addresses(self.format, len)).parse(i)?;
            let (i, ()) = seal(whole, i)?;
            Ok((i, IndexBlock { elements, data_blocks, super_blocks }))
        }
    }

    /// Bytes of the page bitmap of a super block.
    fn bitmap_len(&self, super_block: u8) -> u64 {
        self.pages(super_block).map_or(0, |pages| {
            Self::data_blocks(super_block).saturating_mul(pages.count.div_ceil(8))
        })
    }

    /// Bytes of a super block.
    pub(crate) fn super_block_len(&self, super_block: u8) -> u64 {
        Self::data_blocks(super_block)
            .saturating_mul(self.format.sizes().offset.into())
            .saturating_add(self.bitmap_len(super_block))
            .saturating_add(self.offset_width().into())
            .saturating_add(self.frame_len())
    }

    /// Reads a super block.
    ///
    /// | bytes | field |
    /// | --- | --- |
    /// | 4 | signature `EASB` |
    /// | 1 | version, 0 |
    /// | 1 | client |
    /// | offset | header address |
    /// | maximum bits / 8 | block offset: elements before it, not counting those of the index block |
    /// | data blocks × pages / 8 | page bitmap, if in pages |
    /// | offset × data blocks | data block addresses |
    /// | 4 | checksum |
    pub(crate) fn parse_super_block<'a>(
        &self,
        super_block: u8,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, SuperBlock> {
        move |whole| {
            let first = self.elements_before(super_block);
            let (i, ()) = field("signature", signature(b"EASB")).parse(whole)?;
            let (i, ()) = self.format.parse_client()(i)?;
            let (i, ()) = parse_owner(self.format.sizes(), self.at)(i)?;
            let (i, ()) = self.parse_offset(first)(i)?;
            let (i, bits) =
                field("page bitmap", take(to_len(self.bitmap_len(super_block)))).parse(i)?;
            let len = to_len(Self::data_blocks(super_block));
            let (i, data_blocks) =
                field("data block addresses", addresses(self.format, len)).parse(i)?;
            let (i, ()) = seal(whole, i)?;
            Ok((i, SuperBlock { data_blocks, pages: PageBitmap::new(bits) }))
        }
    }

    /// Bytes of a data block; of one in pages, those before the pages.
    pub(crate) fn data_block_len(&self, block: DataBlock, pages: Option<Pages>) -> u64 {
        let elements = if pages.is_some() { 0 } else { block.elements };
        elements
            .saturating_mul(self.format.width() as u64)
            .saturating_add(self.offset_width().into())
            .saturating_add(self.frame_len())
    }

    /// Where a page starts, counted from the start of its data block, and its bytes.
    pub(crate) fn page_place(
        &self,
        block: DataBlock,
        pages: Pages,
        page: u64,
    ) -> Option<(u64, u64)> {
        let len = pages.elements.checked_mul(self.format.width() as u64)?.checked_add(4)?;
        let start = self.data_block_len(block, Some(pages));
        Some((start.checked_add(page.checked_mul(len)?)?, len))
    }

    /// Reads a data block; one in pages has no elements here.
    ///
    /// | bytes | field |
    /// | --- | --- |
    /// | 4 | signature `EADB` |
    /// | 1 | version, 0 |
    /// | 1 | client |
    /// | offset | header address |
    /// | maximum bits / 8 | block offset: elements before it, not counting those of the index block |
    /// | element size × elements | elements, unless in pages |
    /// | 4 | checksum |
    pub(crate) fn parse_data_block<'a>(
        &self,
        block: DataBlock,
        pages: Option<Pages>,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Vec<Option<ChunkEntry>>> {
        move |whole| {
            let (i, ()) = field("signature", signature(b"EADB")).parse(whole)?;
            let (i, ()) = self.format.parse_client()(i)?;
            let (i, ()) = parse_owner(self.format.sizes(), self.at)(i)?;
            let (i, ()) = self.parse_offset(block.offset)(i)?;
            let elements = if pages.is_some() { 0 } else { block.elements };
            let (i, elements) = count(self.format.parse(), to_len(elements)).parse(i)?;
            let (i, ()) = seal(whole, i)?;
            Ok((i, elements))
        }
    }

    /// Reads a page: its elements and their checksum.
    pub(crate) fn parse_page<'a>(
        &self,
        pages: Pages,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Vec<Option<ChunkEntry>>> {
        move |whole| {
            let (i, elements) = count(self.format.parse(), to_len(pages.elements)).parse(whole)?;
            let (i, ()) = seal(whole, i)?;
            Ok((i, elements))
        }
    }

    fn parse_offset<'a>(&self, expected: u64) -> impl FnMut(&'a [u8]) -> Parsed<'a, ()> {
        let offset = checked(uint(self.offset_width()), move |found| {
            if found == expected {
                return Ok(());
            }
            Err(Problem::invalid(alloc::format!("the block of element {found}, not {expected}")))
        });
        let mut offset = field("block offset", offset);
        move |i| offset(i).map(|(i, _)| (i, ()))
    }
}

fn addresses<'a>(
    format: EntryFormat,
    len: usize,
) -> impl FnMut(&'a [u8]) -> Parsed<'a, Vec<Option<Address>>> {
    let sizes = format.sizes();
    count(move |i: &'a [u8]| address(sizes)(i), len)
}

/// The exponent of a byte that is a power of two.
#[expect(clippy::cast_possible_truncation, reason = "a byte has at most 8 trailing zeros")]
fn power_of_two(i: &[u8]) -> Parsed<'_, u8> {
    let (rest, value) = checked(le_u8, |value| {
        if value.is_power_of_two() {
            return Ok(());
        }
        Err(Problem::invalid(alloc::format!("{value} is no power of two")))
    })(i)?;
    Ok((rest, value.trailing_zeros() as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::lookup3;
    use crate::parse::{Sizes, parse_at};
    use alloc::string::ToString;
    use testkit::Bytes;

    const AT: Address = Address(0x300);

    fn plain() -> EntryFormat {
        EntryFormat::new(Sizes { offset: 8, length: 8 }, 4, 64, false)
    }

    fn header(parameters: [u8; 5]) -> Bytes {
        let head = Bytes::new().text("EAHD").u8(0).u8(0).u8(8).bytes(parameters);
        head.zeros(32).u64(5).u64(20).u64(0x400).sealed(lookup3)
    }

    /// What libhdf5 writes: 32 bits, 4 elements in the index block, 16 and 4 at least, pages of 1,024.
    fn array() -> ExtensibleArray {
        let bytes = header([32, 4, 16, 4, 10]).build();
        assert_eq!(bytes.len(), ExtensibleArray::header_len(plain()));
        parse_at(ExtensibleArray::NAME, 0, &bytes, ExtensibleArray::parse(plain(), AT)).unwrap()
    }

    #[test]
    fn elements_have_their_places() {
        let array = array();
        assert_eq!((array.elements, array.index_block), (5, Some(Address(0x400))));
        assert_eq!(array.place(3), Some(Place::Index(3)));
        let block = |number, first, offset, elements, element| DataBlock {
            number,
            first,
            offset,
            elements,
            element,
        };
        // Super block 0: 1 block of 16; 1: 1 of 32; 2: 2 of 32; 3: 2 of 64; 4: 4 of 64.
        assert_eq!(array.place(4), Some(Place::Inline { slot: 0, block: block(0, 0, 0, 16, 0) }));
        assert_eq!(
            array.place(4 + 16 + 5),
            Some(Place::Inline { slot: 1, block: block(0, 16, 48, 32, 5) })
        );
        assert_eq!(
            array.place(4 + 48 + 33),
            Some(Place::Inline { slot: 3, block: block(1, 80, 144, 32, 1) })
        );
        assert_eq!(
            array.place(4 + 240 + 64 * 3 + 2),
            Some(Place::Super {
                slot: 0,
                super_block: 4,
                block: block(3, 240 + 192, 240 + 192, 64, 2)
            })
        );
        assert_eq!(array.place(u64::MAX), None);
        // Every element has its own place: neighbours differ, and blocks are entered at their start.
        let mut last = array.place(0);
        for number in 1..10_000 {
            let place = array.place(number);
            let Some(Place::Inline { block, .. } | Place::Super { block, .. }) = place else {
                last = place;
                continue;
            };
            match last {
                Some(Place::Inline { block: before, .. } | Place::Super { block: before, .. })
                    if before.first == block.first =>
                {
                    assert_eq!(block.element, before.element + 1);
                }
                _ => assert_eq!((block.element, block.first), (0, number - 4)),
            }
            last = place;
        }
    }

    #[test]
    fn pages_of_long_data_blocks() {
        let array = array();
        assert_eq!(array.pages(12), None);
        assert_eq!(array.pages(13), Some(Pages { elements: 1024, count: 2 }));
        let block = DataBlock { number: 0, first: 0, offset: 0, elements: 2048, element: 0 };
        let prefix = 14 + 4 + 4;
        assert_eq!(array.data_block_len(block, array.pages(13)), prefix);
        assert_eq!(
            array.page_place(block, array.pages(13).unwrap(), 1),
            Some((prefix + 8196, 8196))
        );
    }

    #[test]
    fn blocks() {
        let array = array();
        let index = Bytes::new().text("EAIB").u8(0).u8(0).u64(AT.0).u64(64).ones(24);
        let index = index.u64(0x900).ones(40).u64(0xa00).ones(24 * 8).sealed(lookup3).build();
        assert_eq!(array.index_block_len(), index.len() as u64);
        let index =
            parse_at(ExtensibleArray::INDEX_BLOCK, 0, &index, array.parse_index_block()).unwrap();
        assert_eq!(
            (index.elements.len(), index.data_blocks.len(), index.super_blocks.len()),
            (4, 6, 25)
        );
        assert_eq!(index.data_blocks[0], Some(Address(0x900)));
        assert_eq!(index.super_blocks[0], Some(Address(0xa00)));

        let supers = Bytes::new().text("EASB").u8(0).u8(0).u64(AT.0).u32(240);
        let supers = supers.u64(0xb00).ones(24).sealed(lookup3).build();
        assert_eq!(array.super_block_len(4), supers.len() as u64);
        let supers =
            parse_at(ExtensibleArray::SUPER_BLOCK, 0, &supers, array.parse_super_block(4)).unwrap();
        assert_eq!(supers.data_blocks, [Some(Address(0xb00)), None, None, None]);

        let Some(Place::Inline { block, .. }) = array.place(20) else { panic!("inline") };
        let data = Bytes::new().text("EADB").u8(0).u8(0).u64(AT.0).u32(48);
        let data = data.u64(0xc00).ones(31 * 8).sealed(lookup3);
        assert_eq!(array.data_block_len(block, None), data.len() as u64);
        let entries = parse_at(
            ExtensibleArray::DATA_BLOCK,
            0,
            &data.build(),
            array.parse_data_block(block, None),
        )
        .unwrap();
        assert_eq!(entries.iter().flatten().count(), 1);
        let wrong = Bytes::new().text("EADB").u8(0).u8(0).u64(AT.0).u32(17).zeros(300).build();
        assert_eq!(
            parse_at(ExtensibleArray::DATA_BLOCK, 0, &wrong, array.parse_data_block(block, None))
                .unwrap_err()
                .to_string(),
            "extensible array data block at byte 0x0: field `block offset` at byte 0xe: the block of element 17, not 48"
        );
    }

    #[test]
    fn hostile_parameters() {
        let parse = |parameters| {
            let bytes = header(parameters).build();
            parse_at(ExtensibleArray::NAME, 0, &bytes, ExtensibleArray::parse(plain(), AT))
        };
        assert!(parse([65, 4, 16, 4, 10]).is_err());
        assert!(parse([32, 4, 15, 4, 10]).is_err());
        assert!(parse([32, 4, 16, 0, 10]).is_err());
        assert!(parse([8, 4, 16, 128, 10]).is_err());
        assert!(parse([32, 4, 16, 4, 64]).is_err());
        for parameters in
            [[64, 0, 1, 1, 0], [64, 255, 128, 128, 63], [0, 0, 1, 1, 0], [3, 1, 128, 1, 1]]
        {
            let Ok(array) = parse(parameters) else { continue };
            let _ = array.index_block_len();
            for bits in 0..64 {
                match array.place(u64::MAX >> bits) {
                    Some(Place::Super { super_block, block, .. }) => {
                        let pages = array.pages(super_block);
                        let _ = (
                            array.super_block_len(super_block),
                            array.data_block_len(block, pages),
                        );
                        let _ = pages.and_then(|pages| array.page_place(block, pages, u64::MAX));
                    }
                    Some(Place::Inline { block, .. }) => {
                        let _ = array.data_block_len(block, None);
                    }
                    Some(Place::Index(_)) | None => {}
                }
            }
        }
    }
}

//! Fixed array index: a table of all chunks, in pages when it is long. Spec: HDF5 File Format 3.0, VII.C.

use alloc::vec::Vec;

use nom::Parser;
use nom::bytes::complete::take;

use super::{ChunkEntry, EntryFormat, PageBitmap, parse_owner, to_len};
use crate::checksum::seal;
use crate::encode::Encoder;
use crate::error::Problem;
use crate::parse::{Address, Parsed, address, checked, count, field, signature, uint};

/// The header of a fixed array.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | signature `FAHD` |
/// | 1 | version, 0 |
/// | 1 | client: 0 without filters, 1 with |
/// | 1 | element size |
/// | 1 | page bits: a page has 2 to this power of elements |
/// | length | number of elements |
/// | offset | data block address |
/// | 4 | checksum |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FixedArray {
    format: EntryFormat,
    /// Where the header is; the data block repeats it.
    at: Address,
    page_bits: u8,
    /// Number of elements: one per chunk of the largest extent.
    pub(crate) elements: u64,
    /// Where the data block is; `None` before anything was written.
    pub(crate) data_block: Option<Address>,
}

/// What libhdf5 uses throughout: 1,024 elements.
pub(crate) const PAGE_BITS: u8 = 10;

impl FixedArray {
    pub(crate) const NAME: &str = "fixed array header";
    pub(crate) const BLOCK: &str = "fixed array data block";
    pub(crate) const PAGE: &str = "fixed array page";

    /// Bytes of the header.
    pub(crate) fn header_len(format: EntryFormat) -> usize {
        let sizes = format.sizes();
        12_usize.saturating_add(sizes.offset.into()).saturating_add(sizes.length.into())
    }

    /// Reads the header at the address `at` of an index over `chunks` chunks.
    pub(crate) fn parse<'a>(
        format: EntryFormat,
        at: Address,
        chunks: u64,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |whole| {
            let sizes = format.sizes();
            let (i, ()) = field("signature", signature(b"FAHD")).parse(whole)?;
            let (i, ()) = format.parse_client()(i)?;
            let (i, ()) = format.parse_width()(i)?;
            let (i, page_bits) = field("page bits", page_bits).parse(i)?;
            let elements = checked(uint(sizes.length), |found| match found {
                found if found == chunks => Ok(()),
                found => {
                    Err(Problem::invalid(alloc::format!("{found} elements for {chunks} chunks")))
                }
            });
            let (i, elements) = field("number of elements", elements).parse(i)?;
            let (i, data_block) = field("data block address", address(sizes)).parse(i)?;
            let (i, ()) = seal(whole, i)?;
            Ok((i, Self { format, at, page_bits, elements, data_block }))
        }
    }

    /// The array at the address `at`, as it is written, over `elements` chunks: in pages when there are more than libhdf5
    /// puts in one.
    pub(crate) fn new(format: EntryFormat, at: Address, elements: u64) -> Self {
        let header_len = Self::header_len(format).next_multiple_of(8) as u64;
        let data_block = Some(Address(at.0.saturating_add(header_len)));
        Self { format, at, page_bits: PAGE_BITS, elements, data_block }
    }

    /// Bytes from the header to the end of the last page.
    pub(crate) fn len(&self) -> u64 {
        let header_len = Self::header_len(self.format).next_multiple_of(8) as u64;
        let last = self.pages().checked_sub(1).and_then(|last| self.page_place(last));
        let block_len = last.map_or(self.block_len(), |(start, _, len)| start.saturating_add(len));
        header_len.saturating_add(block_len)
    }

    /// Writes the header.
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.bytes(b"FAHD");
        self.format.encode_client(out);
        out.uint(self.format.width() as u64, 1);
        out.u8(self.page_bits);
        out.length(self.elements);
        out.address(self.data_block);
        out.seal();
    }

    /// Writes a data block that holds all elements.
    pub(crate) fn encode_block(&self, entries: &[Option<ChunkEntry>], out: &mut Encoder) {
        self.encode_prefix(out);
        for entry in entries {
            self.format.encode(*entry, out);
        }
        out.seal();
    }

    /// Writes a data block whose elements are in pages, of which each will be written or not.
    pub(crate) fn encode_paged_block(
        &self,
        written: impl Iterator<Item = bool>,
        out: &mut Encoder,
    ) {
        self.encode_prefix(out);
        out.bytes(&PageBitmap::of(written).0);
        out.seal();
    }

    /// Writes a page.
    pub(crate) fn encode_page(&self, entries: &[Option<ChunkEntry>], out: &mut Encoder) {
        for entry in entries {
            self.format.encode(*entry, out);
        }
        out.seal();
    }

    fn encode_prefix(&self, out: &mut Encoder) {
        out.bytes(b"FADB");
        self.format.encode_client(out);
        out.address(Some(self.at));
    }

    /// Elements of a page, when the table is in pages.
    fn page_elements(&self) -> Option<u64> {
        let page = 1_u64.checked_shl(self.page_bits.into())?;
        (self.elements > page).then_some(page)
    }

    /// The page that holds an element and the element's place there; `None` when the table is not in pages.
    pub(crate) fn page_of(&self, element: u64) -> Option<(u64, u64)> {
        let page = self.page_elements()?;
        Some((element.checked_div(page)?, element.checked_rem(page)?))
    }

    /// The first element of a page.
    pub(crate) fn page_first(&self, page: u64) -> u64 {
        page.saturating_mul(self.page_elements().unwrap_or(self.elements))
    }

    /// Number of pages; 0 when the table is not in pages.
    pub(crate) fn pages(&self) -> u64 {
        self.page_elements().map_or(0, |page| self.elements.div_ceil(page))
    }

    /// Bytes of the data block, without its pages.
    pub(crate) fn block_len(&self) -> u64 {
        let content = match self.page_elements() {
            Some(_) => self.pages().div_ceil(8),
            None => self.elements.saturating_mul(self.format.width() as u64),
        };
        content.saturating_add(u64::from(self.format.sizes().offset)).saturating_add(10)
    }

    /// Where page `page` starts, counted from the start of the data block, its number of elements and of bytes.
    pub(crate) fn page_place(&self, page: u64) -> Option<(u64, u64, u64)> {
        let elements = self.page_elements()?;
        let first = page.checked_mul(elements)?;
        let width = self.format.width() as u64;
        let full = elements.checked_mul(width)?.checked_add(4)?;
        let start = self.block_len().checked_add(page.checked_mul(full)?)?;
        let elements = elements.min(self.elements.checked_sub(first)?);
        Some((start, elements, elements.checked_mul(width)?.checked_add(4)?))
    }

    /// Reads a data block that holds all elements.
    ///
    /// | bytes | field |
    /// | --- | --- |
    /// | 4 | signature `FADB` |
    /// | 1 | version, 0 |
    /// | 1 | client |
    /// | offset | header address |
    /// | element size × elements | elements |
    /// | 4 | checksum |
    pub(crate) fn parse_block<'a>(
        &self,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Vec<Option<ChunkEntry>>> {
        move |whole| {
            let (i, ()) = self.parse_prefix(whole)?;
            self.parse_elements(self.elements, whole, i)
        }
    }

    /// Reads a data block whose elements are in pages: which pages were written, most significant bit first.
    ///
    /// | bytes | field |
    /// | --- | --- |
    /// | 6 + offset | as in a block without pages |
    /// | pages / 8 | page bitmap |
    /// | 4 | checksum |
    pub(crate) fn parse_paged_block<'a>(&self) -> impl Fn(&'a [u8]) -> Parsed<'a, PageBitmap> {
        move |whole| {
            let (i, ()) = self.parse_prefix(whole)?;
            let len = to_len(self.pages().div_ceil(8));
            let (i, bits) = field("page bitmap", take(len)).parse(i)?;
            let (i, ()) = seal(whole, i)?;
            Ok((i, PageBitmap::new(bits)))
        }
    }

    /// Reads a page of `elements` elements and the checksum behind them.
    pub(crate) fn parse_page<'a>(
        &self,
        elements: u64,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Vec<Option<ChunkEntry>>> {
        move |whole| self.parse_elements(elements, whole, whole)
    }

    fn parse_prefix<'a>(&self, i: &'a [u8]) -> Parsed<'a, ()> {
        let (i, ()) = field("signature", signature(b"FADB")).parse(i)?;
        let (i, ()) = self.format.parse_client()(i)?;
        parse_owner(self.format.sizes(), self.at)(i)
    }

    fn parse_elements<'a>(
        &self,
        elements: u64,
        whole: &'a [u8],
        i: &'a [u8],
    ) -> Parsed<'a, Vec<Option<ChunkEntry>>> {
        let (i, entries) = count(self.format.parse(), to_len(elements)).parse(i)?;
        let (i, ()) = seal(whole, i)?;
        Ok((i, entries))
    }
}

/// Two to this power must fit 64 bits.
fn page_bits(i: &[u8]) -> Parsed<'_, u8> {
    crate::parse::at_most(63)(i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::lookup3;
    use crate::encode::encoded;
    use crate::parse::{Sizes, parse_at};
    use alloc::string::ToString;
    use proptest::prelude::*;
    use testkit::Bytes;

    const AT: Address = Address(0x300);

    fn plain() -> EntryFormat {
        EntryFormat::new(Sizes { offset: 8, length: 8 }, 4, 64, false)
    }

    fn header(page_bits: u8, elements: u64) -> Bytes {
        let head = Bytes::new().text("FAHD").u8(0).u8(0).u8(8).u8(page_bits);
        head.u64(elements).u64(0x500).sealed(lookup3)
    }

    fn array(page_bits: u8, elements: u64) -> FixedArray {
        let bytes = header(page_bits, elements).build();
        assert_eq!(bytes.len(), FixedArray::header_len(plain()));
        parse_at(FixedArray::NAME, 0, &bytes, FixedArray::parse(plain(), AT, elements)).unwrap()
    }

    fn block() -> Bytes {
        Bytes::new().text("FADB").u8(0).u8(0).u64(AT.0)
    }

    fn addresses(entries: &[Option<ChunkEntry>]) -> Vec<Option<u64>> {
        entries.iter().map(|entry| entry.map(|entry| entry.address.0)).collect()
    }

    /// Entries of a table: addresses in multiples of 8, some missing.
    fn entries() -> impl Strategy<Value = Vec<Option<ChunkEntry>>> {
        let entry = (1_u64..1 << 40, 1_u64..500, any::<u32>()).prop_map(
            |(address, stored_bytes, filter_mask)| ChunkEntry {
                address: Address(address),
                stored_bytes,
                filter_mask,
            },
        );
        proptest::collection::vec(proptest::option::of(entry), 1..3000)
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(entries in entries()) {
            let sizes = Sizes { offset: 8, length: 8 };
            let format = EntryFormat::new(sizes, 4, 300, true);
            let chunks = entries.len() as u64;
            let array = FixedArray::new(format, AT, chunks);
            let bytes = encoded(sizes, |out| array.encode(out));
            let read = parse_at(FixedArray::NAME, 0, &bytes, FixedArray::parse(format, AT, chunks));
            prop_assert_eq!(read, Ok(array.clone()));
            if array.pages() == 0 {
                let block = encoded(sizes, |out| array.encode_block(&entries, out));
                prop_assert_eq!(block.len() as u64, array.block_len());
                prop_assert_eq!(parse_at(FixedArray::BLOCK, 0, &block, array.parse_block()), Ok(entries));
                return Ok(());
            }
            let pages: Vec<_> = entries.chunks(1024).collect();
            prop_assert_eq!(pages.len() as u64, array.pages());
            let written = |page: u64| page.is_multiple_of(2);
            let block = encoded(sizes, |out| array.encode_paged_block((0..array.pages()).map(written), out));
            prop_assert_eq!(block.len() as u64, array.block_len());
            let bitmap = parse_at(FixedArray::BLOCK, 0, &block, array.parse_paged_block()).unwrap();
            for (number, page) in (0..).zip(pages) {
                prop_assert_eq!(bitmap.contains(number), written(number));
                let bytes = encoded(sizes, |out| array.encode_page(page, out));
                let (_, elements, len) = array.page_place(number).unwrap();
                prop_assert_eq!(bytes.len() as u64, len);
                let read = parse_at(FixedArray::PAGE, 0, &bytes, array.parse_page(elements));
                prop_assert_eq!(read.unwrap(), page);
            }
        }
    }

    #[test]
    fn a_short_table_is_in_one_block() {
        let array = array(10, 3);
        assert_eq!((array.pages(), array.page_of(2)), (0, None));
        assert_eq!(array.data_block, Some(Address(0x500)));
        let bytes = block().u64(0x1000).ones(8).u64(0x1040).sealed(lookup3).build();
        assert_eq!(array.block_len(), bytes.len() as u64);
        let entries = parse_at(FixedArray::BLOCK, 0, &bytes, array.parse_block()).unwrap();
        assert_eq!(addresses(&entries), [Some(0x1000), None, Some(0x1040)]);
    }

    #[test]
    fn a_long_table_is_in_pages() {
        let array = array(2, 10);
        assert_eq!((array.pages(), array.page_of(9)), (3, Some((2, 1))));
        let bytes = block().u8(0b1010_0000).sealed(lookup3).build();
        assert_eq!(array.block_len(), bytes.len() as u64);
        let bitmap = parse_at(FixedArray::BLOCK, 0, &bytes, array.parse_paged_block()).unwrap();
        assert_eq!(
            [0, 1, 2, 3, 99].map(|page| bitmap.contains(page)),
            [true, false, true, false, false]
        );
        let start = bytes.len() as u64;
        assert_eq!(array.page_place(1), Some((start + 36, 4, 36)));
        assert_eq!(array.page_place(2), Some((start + 72, 2, 20)));
        assert_eq!(array.page_place(3), None);
        let page = Bytes::new().u64(0x40).ones(8).sealed(lookup3).build();
        let entries = parse_at(FixedArray::PAGE, 0, &page, array.parse_page(2)).unwrap();
        assert_eq!(addresses(&entries), [Some(0x40), None]);
    }

    #[test]
    fn refuses_what_does_not_fit_the_dataset() {
        let text = |bytes: &[u8]| {
            parse_at(FixedArray::NAME, AT.0, bytes, FixedArray::parse(plain(), AT, 3))
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            text(&header(10, 4).build()),
            "fixed array header at byte 0x300: field `number of elements` at byte 0x308: 4 elements for 3 chunks"
        );
        assert_eq!(
            text(&header(64, 3).build()),
            "fixed array header at byte 0x300: field `page bits` at byte 0x307: 64 is more than the 63 that are allowed"
        );
        assert_eq!(
            text(&header(10, 3).build()[..20]),
            "fixed array header at byte 0x300: field `data block address` at byte 0x310: the structure ends early"
        );
        let foreign = Bytes::new().text("FADB").u8(0).u8(0).u64(0x301).zeros(40).build();
        assert_eq!(
            parse_at(FixedArray::BLOCK, 0, &foreign, array(10, 3).parse_block())
                .unwrap_err()
                .to_string(),
            "fixed array data block at byte 0x0: field `header address` at byte 0x6: the block belongs to another header"
        );
    }
}

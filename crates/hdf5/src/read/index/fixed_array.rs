//! Reads fixed arrays, of a long one only the pages that are needed.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Entries, Index, IndexPart, Located};
use crate::chunk_index::fixed_array::FixedArray;
use crate::chunk_index::{ChunkNumbering, ChunkRegion, PageBitmap};
use crate::error::{Error, Problem};
use crate::limits::within;
use crate::parse::Address;

impl Index<'_> {
    /// The chunks of `region` in the fixed array at `address`.
    pub(super) fn of_fixed_array(
        &self,
        address: Address,
        region: &ChunkRegion,
    ) -> Result<Vec<Located>, Error> {
        let numbering = self.grid.numbering().map_err(|problem| self.refuse(problem))?;
        let array = self.fixed_array(address, &numbering)?;
        let Some(block) = array.data_block else { return Ok(Vec::new()) };
        let numbered =
            region.coords().map(|coord| (numbering.number(&coord).unwrap_or(u64::MAX), coord));
        if array.pages() == 0 {
            let entries = self.fixed_block(&array, block)?;
            return Ok(pick(numbered, |number| Some((&entries, number))));
        }
        // A region may hold far more chunks than were ever written: only those in written pages are collected.
        let bitmap = self.fixed_bitmap(&array, block)?;
        let is_written =
            |number| array.page_of(number).is_some_and(|(page, _)| bitmap.contains(page));
        let wanted: Vec<_> = numbered.filter(|(number, _)| is_written(*number)).collect();
        let mut pages: Vec<u64> =
            wanted.iter().filter_map(|(number, _)| Some(array.page_of(*number)?.0)).collect();
        pages.dedup();
        let pages = self.fixed_pages(&array, block, &bitmap, pages)?;
        Ok(pick(wanted, |number| {
            let (page, place) = array.page_of(number)?;
            let found = pages.binary_search_by_key(&page, |(page, _)| *page).ok()?;
            Some((&pages.get(found)?.1, place))
        }))
    }

    /// All chunks of the fixed array at `address`.
    pub(super) fn all_of_fixed_array(&self, address: Address) -> Result<Vec<Located>, Error> {
        let numbering = self.grid.numbering().map_err(|problem| self.refuse(problem))?;
        let array = self.fixed_array(address, &numbering)?;
        let Some(block) = array.data_block else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        let mut add = |first: u64, entries: &Entries| {
            for (number, entry) in (first..).zip(entries.iter()) {
                found.extend(entry.map(|entry| (numbering.chunk_coord(number), entry)));
            }
        };
        if array.pages() == 0 {
            add(0, &self.fixed_block(&array, block)?);
            return Ok(found);
        }
        let bitmap = self.fixed_bitmap(&array, block)?;
        let pages: Vec<u64> = (0..array.pages()).filter(|page| bitmap.contains(*page)).collect();
        let max = self.storage.limits().max_chunks;
        let chunks = array.page_first(pages.len() as u64);
        within("chunks of a dataset", chunks, "max_chunks", max)
            .map_err(|problem| self.refuse(problem))?;
        for (page, entries) in self.fixed_pages(&array, block, &bitmap, pages)? {
            add(array.page_first(page), &entries);
        }
        Ok(found)
    }

    fn fixed_array(
        &self,
        address: Address,
        numbering: &ChunkNumbering,
    ) -> Result<Arc<FixedArray>, Error> {
        if let Some(IndexPart::FixedArray(array)) = self.kept(address) {
            return Ok(array);
        }
        let len = FixedArray::header_len(self.format) as u64;
        let block = self.storage.block(FixedArray::NAME, address, len)?;
        let parser = FixedArray::parse(self.format, address, numbering.count());
        let array = Arc::new(block.parse(FixedArray::NAME, parser)?);
        self.keep(address, IndexPart::FixedArray(array.clone()), 1);
        Ok(array)
    }

    /// All entries of an array that is not in pages.
    fn fixed_block(&self, array: &FixedArray, address: Address) -> Result<Entries, Error> {
        if let Some(IndexPart::Entries(entries)) = self.kept(address) {
            return Ok(entries);
        }
        let block = self.storage.block(FixedArray::BLOCK, address, array.block_len())?;
        let entries = Arc::new(block.parse(FixedArray::BLOCK, array.parse_block())?);
        self.keep(address, IndexPart::Entries(entries.clone()), entries.len());
        Ok(entries)
    }

    fn fixed_bitmap(&self, array: &FixedArray, address: Address) -> Result<Arc<PageBitmap>, Error> {
        if let Some(IndexPart::Bitmap(bitmap)) = self.kept(address) {
            return Ok(bitmap);
        }
        let block = self.storage.block(FixedArray::BLOCK, address, array.block_len())?;
        let bitmap = Arc::new(block.parse(FixedArray::BLOCK, array.parse_paged_block())?);
        self.keep(address, IndexPart::Bitmap(bitmap.clone()), 1);
        Ok(bitmap)
    }

    /// Those of the `pages`, in ascending order, that were written.
    fn fixed_pages(
        &self,
        array: &FixedArray,
        block: Address,
        bitmap: &PageBitmap,
        pages: Vec<u64>,
    ) -> Result<Vec<(u64, Entries)>, Error> {
        let mut found = Vec::new();
        let mut missing = Vec::new();
        for page in pages.into_iter().filter(|page| bitmap.contains(*page)) {
            let refuse = || self.refuse(Problem::invalid("a page past the end of the fixed array"));
            let (start, elements, len) = array.page_place(page).ok_or_else(refuse)?;
            let address = Address(block.0.checked_add(start).ok_or_else(refuse)?);
            match self.kept(address) {
                Some(IndexPart::Entries(entries)) => found.push((page, entries)),
                _ => missing.push((page, address, elements, len)),
            }
        }
        let ranges = missing.iter().map(|(_, address, _, len)| (*address, *len));
        self.storage.prefetch_blocks(ranges)?;
        for (page, address, elements, len) in missing {
            let block = self.storage.block(FixedArray::PAGE, address, len)?;
            let entries = Arc::new(block.parse(FixedArray::PAGE, array.parse_page(elements))?);
            self.keep(address, IndexPart::Entries(entries.clone()), entries.len());
            found.push((page, entries));
        }
        found.sort_unstable_by_key(|(page, _)| *page);
        Ok(found)
    }
}

/// The wanted chunks that were written, found by number through `place`.
fn pick<'e>(
    wanted: impl IntoIterator<Item = (u64, Vec<u64>)>,
    place: impl Fn(u64) -> Option<(&'e Entries, u64)>,
) -> Vec<Located> {
    let mut found = Vec::new();
    for (number, coord) in wanted {
        let entry =
            place(number).and_then(|(entries, at)| *entries.get(usize::try_from(at).ok()?)?);
        found.extend(entry.map(|entry| (coord, entry)));
    }
    found
}

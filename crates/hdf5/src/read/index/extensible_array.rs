//! Reads extensible arrays, and of one only the blocks and pages that are needed.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Entries, Index, IndexPart, Located};
use crate::chunk_index::extensible_array::{
    DataBlock, ExtensibleArray, IndexBlock, Pages, Place, SuperBlock,
};
use crate::chunk_index::{ChunkEntry, ChunkRegion};
use crate::error::{Error, Problem};
use crate::limits::within;
use crate::parse::Address;

/// Where the entry of a chunk is to be had.
enum Source {
    /// Here it is, or the chunk was never written.
    Known(Option<ChunkEntry>),
    /// In a block or page that is read on its own.
    Part { address: Address, element: u64 },
}

/// A part of the array that is read on its own.
#[derive(Debug, Clone, Copy)]
enum Part {
    Block(DataBlock),
    Page(Pages),
}

/// A part and the length of its bytes, by its address.
type Parts = BTreeMap<Address, (Part, u64)>;

impl Index<'_> {
    /// The chunks of `region` in the extensible array at `address`.
    pub(super) fn of_extensible_array(
        &self,
        address: Address,
        region: &ChunkRegion,
    ) -> Result<Vec<Located>, Error> {
        let numbering =
            self.grid.numbering_with_endless_axis().map_err(|problem| self.refuse(problem))?;
        let array = self.extensible_array(address)?;
        let Some(index) = array.index_block else { return Ok(Vec::new()) };
        if region.count().is_none_or(|count| count > array.elements) {
            let mut all = self.all_of_extensible_array(address)?;
            all.retain(|(coord, _)| region.contains(coord));
            return Ok(all);
        }
        let index = self.index_block(&array, index)?;
        // Blocks that are missing are left out at once: a region may hold far more chunks than were ever written.
        let mut wanted = Vec::new();
        for coord in region.coords() {
            let number = numbering.number(&coord).filter(|number| *number < array.elements);
            if let Some(place) = number.and_then(|number| array.place(number))
                && index.may_hold(place)
            {
                wanted.push((place, coord));
            }
        }
        self.prefetch_super_blocks(&array, &index, wanted.iter().map(|(place, _)| *place))?;
        let mut found = Vec::new();
        let mut parts = Parts::new();
        let mut later = Vec::new();
        for (place, coord) in wanted {
            match self.source(&array, &index, place, &mut parts)? {
                Source::Known(entry) => found.extend(entry.map(|entry| (coord, entry))),
                Source::Part { address, element } => later.push((address, element, coord)),
            }
        }
        let entries = self.parts(&array, &parts)?;
        for (address, element, coord) in later {
            let entry = entries
                .get(&address)
                .and_then(|entries| *entries.get(usize::try_from(element).ok()?)?);
            found.extend(entry.map(|entry| (coord, entry)));
        }
        Ok(found)
    }

    /// All chunks of the extensible array at `address`.
    pub(super) fn all_of_extensible_array(&self, address: Address) -> Result<Vec<Located>, Error> {
        let numbering =
            self.grid.numbering_with_endless_axis().map_err(|problem| self.refuse(problem))?;
        let array = self.extensible_array(address)?;
        let Some(index) = array.index_block else { return Ok(Vec::new()) };
        let index = self.index_block(&array, index)?;
        let mut found = Vec::new();
        let mut add = |first: u64, entries: &[Option<ChunkEntry>]| {
            for (number, entry) in (first..).zip(entries) {
                found.extend(entry.map(|entry| (numbering.chunk_coord(number), entry)));
            }
            let (max, len) = (self.storage.limits().max_chunks, found.len() as u64);
            within("chunks of a dataset", len, "max_chunks", max)
                .map_err(|problem| self.refuse(problem))
        };
        add(0, &index.elements)?;
        let mut number = index.elements.len() as u64;
        // From block to block and page to page; what has no address is left out at once.
        while number < array.elements {
            let Some(place) = array.place(number) else { break };
            let mut parts = Parts::new();
            self.source(&array, &index, place, &mut parts)?;
            let entries = self.parts(&array, &parts)?;
            for entries in entries.values() {
                add(number, entries)?;
            }
            number = self.next_part(&array, &index, place)?;
        }
        Ok(found)
    }

    fn extensible_array(&self, address: Address) -> Result<Arc<ExtensibleArray>, Error> {
        if let Some(IndexPart::ExtensibleArray(array)) = self.kept(address) {
            return Ok(array);
        }
        let len = ExtensibleArray::header_len(self.format) as u64;
        let block = self.storage.block(ExtensibleArray::NAME, address, len)?;
        let parser = ExtensibleArray::parse(self.format, address);
        let array = Arc::new(block.parse(ExtensibleArray::NAME, parser)?);
        self.keep(address, IndexPart::ExtensibleArray(array.clone()), 1);
        Ok(array)
    }

    fn index_block(
        &self,
        array: &ExtensibleArray,
        address: Address,
    ) -> Result<Arc<IndexBlock>, Error> {
        if let Some(IndexPart::IndexBlock(block)) = self.kept(address) {
            return Ok(block);
        }
        let name = ExtensibleArray::INDEX_BLOCK;
        let block = self.storage.block(name, address, array.index_block_len())?;
        let index = Arc::new(block.parse(name, array.parse_index_block())?);
        self.keep(address, IndexPart::IndexBlock(index.clone()), 16);
        Ok(index)
    }

    fn super_block(
        &self,
        array: &ExtensibleArray,
        address: Address,
        super_block: u8,
    ) -> Result<Arc<SuperBlock>, Error> {
        if let Some(IndexPart::SuperBlock(block)) = self.kept(address) {
            return Ok(block);
        }
        let name = ExtensibleArray::SUPER_BLOCK;
        let block = self.storage.block(name, address, array.super_block_len(super_block))?;
        let parsed = Arc::new(block.parse(name, array.parse_super_block(super_block))?);
        self.keep(address, IndexPart::SuperBlock(parsed.clone()), parsed.data_blocks.len());
        Ok(parsed)
    }

    fn prefetch_super_blocks(
        &self,
        array: &ExtensibleArray,
        index: &IndexBlock,
        places: impl Iterator<Item = Place>,
    ) -> Result<(), Error> {
        let mut wanted = BTreeMap::new();
        for place in places {
            if let Place::Super { slot, super_block, .. } = place
                && let Some(Some(address)) = index.super_blocks.get(slot)
            {
                wanted.insert(*address, array.super_block_len(super_block));
            }
        }
        self.storage.prefetch_blocks(wanted)
    }

    /// Where the entry at `place` is to be had; a part that must be read for it is added to `parts`.
    fn source(
        &self,
        array: &ExtensibleArray,
        index: &IndexBlock,
        place: Place,
        parts: &mut Parts,
    ) -> Result<Source, Error> {
        let (address, block, pages) = match place {
            Place::Index(slot) => {
                return Ok(Source::Known(index.elements.get(slot).copied().flatten()));
            }
            Place::Inline { slot, block } => {
                (index.data_blocks.get(slot).copied().flatten(), block, None)
            }
            Place::Super { slot, super_block, block } => {
                let Some(Some(address)) = index.super_blocks.get(slot) else {
                    return Ok(Source::Known(None));
                };
                let found = self.super_block(array, *address, super_block)?;
                let number = usize::try_from(block.number).unwrap_or(usize::MAX);
                let address = found.data_blocks.get(number).copied().flatten();
                let pages = array.pages(super_block).map(|pages| (pages, found));
                (address, block, pages)
            }
        };
        let Some(address) = address else { return Ok(Source::Known(None)) };
        let (address, part, element, len) = match pages {
            None => (address, Part::Block(block), block.element, array.data_block_len(block, None)),
            Some((pages, found)) => {
                let page = block.element.checked_div(pages.elements).unwrap_or(0);
                let bit = block.number.saturating_mul(pages.count).saturating_add(page);
                if !found.pages.contains(bit) {
                    return Ok(Source::Known(None));
                }
                let (start, len) = array.page_place(block, pages, page).ok_or_else(|| {
                    self.refuse(Problem::invalid("a page past the end of every file"))
                })?;
                let element = block.element.checked_rem(pages.elements).unwrap_or(0);
                (Address(address.0.saturating_add(start)), Part::Page(pages), element, len)
            }
        };
        parts.insert(address, (part, len));
        Ok(Source::Part { address, element })
    }

    /// Reads parts, those that are missing together.
    fn parts(
        &self,
        array: &ExtensibleArray,
        parts: &Parts,
    ) -> Result<BTreeMap<Address, Entries>, Error> {
        let mut found = BTreeMap::new();
        for address in parts.keys() {
            if let Some(IndexPart::Entries(entries)) = self.kept(*address) {
                found.insert(*address, entries);
            }
        }
        let missing: Vec<_> =
            parts.iter().filter(|(address, _)| !found.contains_key(address)).collect();
        self.storage
            .prefetch_blocks(missing.iter().map(|(address, (_, len))| (**address, *len)))?;
        for (address, (part, len)) in missing {
            let entries = match part {
                Part::Block(block) => {
                    let name = ExtensibleArray::DATA_BLOCK;
                    let bytes = self.storage.block(name, *address, *len)?;
                    bytes.parse(name, array.parse_data_block(*block, None))?
                }
                Part::Page(pages) => {
                    let name = ExtensibleArray::PAGE;
                    let bytes = self.storage.block(name, *address, *len)?;
                    bytes.parse(name, array.parse_page(*pages))?
                }
            };
            let entries = Arc::new(entries);
            self.keep(*address, IndexPart::Entries(entries.clone()), entries.len());
            found.insert(*address, entries);
        }
        Ok(found)
    }

    /// The number of the first element behind the page or data block at `place`, or behind its super block if that is
    /// missing.
    fn next_part(
        &self,
        array: &ExtensibleArray,
        index: &IndexBlock,
        place: Place,
    ) -> Result<u64, Error> {
        let inline = index.elements.len() as u64;
        let behind = match place {
            Place::Index(_) => 0,
            Place::Inline { block, .. } => block.first.saturating_add(block.elements),
            Place::Super { slot, super_block, block } => {
                let Some(Some(address)) = index.super_blocks.get(slot) else {
                    return Ok(
                        inline.saturating_add(array.elements_before(super_block.saturating_add(1)))
                    );
                };
                let found = self.super_block(array, *address, super_block)?;
                let number = usize::try_from(block.number).unwrap_or(usize::MAX);
                let is_there = found.data_blocks.get(number).copied().flatten().is_some();
                let within = match array.pages(super_block) {
                    Some(pages) if is_there => {
                        let page = block.element.checked_div(pages.elements).unwrap_or(0);
                        page.saturating_add(1).saturating_mul(pages.elements)
                    }
                    _ => block.elements,
                };
                block.first.saturating_add(within)
            }
        };
        Ok(inline.saturating_add(behind))
    }
}

//! The index of the chunks of a dataset, once they are written.

use alloc::vec::Vec;

use super::SIZES;
use super::blob::Blob;
use super::dense::tree;
use super::header::CHUNK_NODE_SIZE;
use super::layout::StoredData;
use super::plan::{ChunkPlan, PlannedIndex};
use super::tail::Tail;
use crate::btree::v2::record;
use crate::chunk_index::ChunkEntry;
use crate::chunk_index::btree2::ChunkRecord;
use crate::chunk_index::fixed_array::FixedArray;
use crate::encode::encoded;
use crate::error::Error;
use crate::parse::{Address, byte_count};

/// A chunk that was written, by its place in the grid.
pub(super) type Located = (Vec<u64>, ChunkEntry);

/// Writes the index of these chunks, which are in C order, to `early` or to the end of the file. What the layout says of it.
pub(super) fn write(
    chunks: &ChunkPlan,
    found: &[Located],
    early: Option<Address>,
    tail: &mut Tail<'_>,
) -> Result<StoredData, Error> {
    let at = |address| StoredData { address: Some(address), ..StoredData::default() };
    let Some((_, first)) = found.first() else { return nothing(chunks, early, tail) };
    match chunks.index {
        PlannedIndex::SingleChunk => Ok(StoredData {
            address: Some(first.address),
            stored_bytes: first.stored_bytes,
            filter_mask: first.filter_mask,
        }),
        PlannedIndex::FixedArray(count) => fixed_array(chunks, count, found, early, tail).map(at),
        PlannedIndex::BTree2 => btree(chunks, found, tail).map(at),
    }
}

/// Room was made for an index among the metadata before it was known that there is no chunk: it stays an empty table.
fn nothing(
    chunks: &ChunkPlan,
    early: Option<Address>,
    tail: &mut Tail<'_>,
) -> Result<StoredData, Error> {
    match (chunks.index, early) {
        (PlannedIndex::FixedArray(count), Some(_)) => {
            let address = Some(fixed_array(chunks, count, &[], early, tail)?);
            Ok(StoredData { address, ..StoredData::default() })
        }
        _ => Ok(StoredData::default()),
    }
}

fn fixed_array(
    chunks: &ChunkPlan,
    count: u64,
    found: &[Located],
    early: Option<Address>,
    tail: &mut Tail<'_>,
) -> Result<Address, Error> {
    let len = FixedArray::new(chunks.format, Address(0), count).len();
    let at = early.map_or_else(|| tail.skip(len), Ok)?;
    let array = FixedArray::new(chunks.format, at, count);
    tail.put(at, &encoded(SIZES, |out| array.encode(out)))?;
    let block_at = array.data_block.unwrap_or(at);
    let Ok(numbering) = chunks.grid.numbering() else { return Ok(at) };
    // Numbers ascend, as they do in C order.
    let numbered = |(coord, entry): &Located| Some((numbering.number(coord)?, *entry));
    let mut numbered = found.iter().filter_map(numbered).peekable();
    let mut entries = |first: u64, count: u64| {
        let mut entries = alloc::vec![None; byte_count(count)];
        let end = first.saturating_add(count);
        while let Some((number, entry)) = numbered.next_if(|(number, _)| *number < end) {
            if let Some(place) = entries.get_mut(byte_count(number.saturating_sub(first))) {
                *place = Some(entry);
            }
        }
        entries
    };
    if array.pages() == 0 {
        let entries = entries(0, count);
        tail.put(block_at, &encoded(SIZES, |out| array.encode_block(&entries, out)))?;
        return Ok(at);
    }
    let mut written = Vec::new();
    for page in 0..array.pages() {
        let Some((start, elements, _)) = array.page_place(page) else { break };
        let entries = entries(array.page_first(page), elements);
        let is_used = entries.iter().any(Option::is_some);
        written.push(is_used);
        if is_used {
            let page_at = Address(block_at.0.saturating_add(start));
            tail.put(page_at, &encoded(SIZES, |out| array.encode_page(&entries, out)))?;
        }
    }
    let written = written.into_iter();
    tail.put(block_at, &encoded(SIZES, |out| array.encode_paged_block(written, out)))?;
    Ok(at)
}

fn btree(chunks: &ChunkPlan, found: &[Located], tail: &mut Tail<'_>) -> Result<Address, Error> {
    let record = |(chunk_coord, entry): &Located| {
        let record = ChunkRecord { entry: Some(*entry), chunk_coord: chunk_coord.clone() };
        encoded(SIZES, |out| record.encode(chunks.format, out))
    };
    let records: Vec<_> = found.iter().map(record).collect();
    let kind = if chunks.format.is_filtered() { record::FILTERED_CHUNK } else { record::CHUNK };
    let mut blob = Blob::new(tail.next());
    let at = tree::add(kind, CHUNK_NODE_SIZE, &records, &mut blob);
    tail.append(&blob.finish())?;
    Ok(at)
}

//! Chunk indexes: where the chunks of a dataset are. One index per file; walking them is up to `read`.
//! Spec: HDF5 File Format 3.0, VII.

pub(crate) mod btree1;
pub(crate) mod btree2;
pub(crate) mod extensible_array;
pub(crate) mod fixed_array;
mod grid;
pub(crate) mod implicit;

pub(crate) use grid::{ChunkGrid, ChunkNumbering, ChunkRegion};

use alloc::vec::Vec;

use nom::Parser;
use nom::number::complete::{le_u8, le_u32};

use crate::encode::Encoder;
use crate::error::Problem;
use crate::parse::{Address, Parsed, Sizes, address, checked, field, uint, undefined, version};

/// Where one chunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChunkEntry {
    /// Where its stored bytes start.
    pub(crate) address: Address,
    /// How many there are.
    pub(crate) stored_bytes: u64,
    /// Bit `i` set: filter `i` of the pipeline was not applied.
    pub(crate) filter_mask: u32,
}

/// How an array index stores an entry.
///
/// | bytes | field |
/// | --- | --- |
/// | offset | address; undefined when the chunk was never written |
/// | size width | stored size, if filtered |
/// | 4 | filter mask, if filtered |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EntryFormat {
    sizes: Sizes,
    /// Width of the stored size; `None` when chunks are not filtered and all have `chunk_bytes`.
    size_width: Option<u8>,
    chunk_bytes: u64,
}

impl EntryFormat {
    /// The format in a layout message of this version, for chunks of this many decoded bytes.
    pub(crate) fn new(sizes: Sizes, layout_version: u8, chunk_bytes: u64, filtered: bool) -> Self {
        let width = match layout_version {
            // One byte more than the decoded size takes, since a filter may make a chunk larger.
            ..=4 => {
                (chunk_bytes.max(1).ilog2().saturating_add(8) / 8).saturating_add(1).min(8) as u8
            }
            _ => sizes.length,
        };
        Self { sizes, size_width: filtered.then_some(width), chunk_bytes }
    }

    /// Widths of the file's addresses and lengths.
    pub(crate) fn sizes(self) -> Sizes {
        self.sizes
    }

    /// Bytes of one entry.
    pub(crate) fn width(self) -> usize {
        let filter = self.size_width.map_or(0, |width| usize::from(width).saturating_add(4));
        usize::from(self.sizes.offset).saturating_add(filter)
    }

    /// Whether entries say how much is stored, as chunks were filtered.
    pub(crate) fn is_filtered(self) -> bool {
        self.size_width.is_some()
    }

    /// The number by which an array says what its entries are.
    fn client(self) -> u8 {
        self.is_filtered().into()
    }

    /// Reads an entry; `None` for a chunk that was never written.
    pub(crate) fn parse<'a>(self) -> impl Fn(&'a [u8]) -> Parsed<'a, Option<ChunkEntry>> + Clone {
        move |i| {
            let (i, address) = field("chunk address", address(self.sizes)).parse(i)?;
            let (i, stored_bytes, filter_mask) = match self.size_width {
                None => (i, self.chunk_bytes, 0),
                Some(width) => {
                    let (i, size) = field("chunk size", uint(width)).parse(i)?;
                    let (i, mask) = field("filter mask", le_u32).parse(i)?;
                    (i, size, mask)
                }
            };
            let entry = address.filter(|_| stored_bytes > 0).map(|address| ChunkEntry {
                address,
                stored_bytes,
                filter_mask,
            });
            Ok((i, entry))
        }
    }

    /// Writes an entry; `None` for a chunk that was never written.
    pub(crate) fn encode(self, entry: Option<ChunkEntry>, out: &mut Encoder) {
        out.address(entry.map(|entry| entry.address));
        if let Some(width) = self.size_width {
            out.uint(entry.map_or(0, |entry| entry.stored_bytes), width);
            out.u32(entry.map_or(0, |entry| entry.filter_mask));
        }
    }

    /// Writes the version and the kind of entry of an array's structure.
    fn encode_client(self, out: &mut Encoder) {
        out.u8(0);
        out.u8(self.client());
    }

    /// The most stored bytes that an entry can state.
    pub(crate) fn max_stored_bytes(self) -> u64 {
        self.size_width.map_or(self.chunk_bytes, undefined)
    }

    /// Reads the version and the kind of entry of an array's structure.
    fn parse_client<'a>(self) -> impl Fn(&'a [u8]) -> Parsed<'a, ()> {
        move |i| {
            let (i, _) = field("version", version(&[0])).parse(i)?;
            let expected = self.client();
            let client = checked(le_u8, move |client| {
                if client == expected {
                    return Ok(());
                }
                let filters = if expected == 0 { "no filters" } else { "filters" };
                Err(Problem::invalid(alloc::format!(
                    "client {client} in an index of chunks with {filters}"
                )))
            });
            field("client", client).map(|_| ()).parse(i)
        }
    }

    /// Reads the number that states the width of an entry.
    fn parse_width<'a>(self) -> impl Fn(&'a [u8]) -> Parsed<'a, ()> {
        move |i| {
            let expected = self.width();
            let width = checked(le_u8, move |width| {
                if usize::from(width) == expected {
                    return Ok(());
                }
                Err(Problem::invalid(alloc::format!("entries of {width} bytes, not {expected}")))
            });
            field("element size", width).map(|_| ()).parse(i)
        }
    }
}

/// Reads the address of the header that owns this block, which must be `owner`.
fn parse_owner<'a>(sizes: Sizes, owner: Address) -> impl FnMut(&'a [u8]) -> Parsed<'a, ()> {
    let address = checked(address(sizes), move |found| {
        if found == Some(owner) {
            return Ok(());
        }
        Err(Problem::invalid("the block belongs to another header"))
    });
    let mut address = field("header address", address);
    move |i| address(i).map(|(i, _)| (i, ()))
}

/// Which pages of an array were written, most significant bit first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageBitmap(Vec<u8>);

impl PageBitmap {
    fn new(bits: &[u8]) -> Self {
        Self(bits.to_vec())
    }

    /// The bitmap of pages of which each was written or not.
    fn of(pages: impl Iterator<Item = bool>) -> Self {
        let mut bits = Vec::new();
        for (page, written) in pages.enumerate() {
            if page % 8 == 0 {
                bits.push(0);
            }
            if let Some(byte) = bits.last_mut().filter(|_| written) {
                *byte |= 0x80 >> (page % 8);
            }
        }
        Self(bits)
    }

    /// Whether page `page` was written; the bytes of other pages mean nothing.
    pub(crate) fn contains(&self, page: u64) -> bool {
        let byte = usize::try_from(page / 8).ok().and_then(|at| self.0.get(at));
        byte.is_some_and(|byte| byte & (0x80 >> (page % 8)) != 0)
    }
}

/// A count for memory; one that does not fit is more than any input has.
fn to_len(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: Sizes = Sizes { offset: 8, length: 8 };

    #[test]
    fn the_width_of_a_stored_size() {
        let width = |version, bytes| EntryFormat::new(SIZES, version, bytes, true).width() - 12;
        assert_eq!(
            [1, 255, 256, 65_535, 65_536, 1 << 31].map(|bytes| width(4, bytes)),
            [2, 2, 3, 3, 4, 5]
        );
        assert_eq!(width(4, u64::MAX), 8);
        assert_eq!(width(5, 1), 8);
        assert_eq!(EntryFormat::new(SIZES, 4, 100, false).width(), 8);
    }

    #[test]
    fn an_entry_without_an_address_or_without_bytes_is_no_chunk() {
        let format = EntryFormat::new(SIZES, 4, 100, true);
        let entry = |address: u64, size: u16| {
            let bytes = [&address.to_le_bytes()[..], &size.to_le_bytes(), &[1, 0, 0, 0]].concat();
            format.parse()(&bytes).unwrap().1
        };
        assert_eq!(entry(u64::MAX, 7), None);
        assert_eq!(entry(64, 0), None);
        let expected = ChunkEntry { address: Address(64), stored_bytes: 7, filter_mask: 1 };
        assert_eq!(entry(64, 7), Some(expected));
    }
}

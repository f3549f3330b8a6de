//! Reading the elements of a dataset: windows, whole chunks, and what both need to know of it.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::decode::decode;
use super::index::Index;
use super::plan::ReadPlan;
use super::run::{self, Found};
use super::storage::{Storage, whole};
use super::{Dataset, Window};
use crate::chunk_index::{ChunkEntry, ChunkGrid, EntryFormat};
use crate::error::{Error, Problem};
use crate::filter::{Pipeline, Refusal, Scratch};
use crate::limits::within;
use crate::message::layout::{ChunkedLayout, Layout, StorageKind};
use crate::source::check_bounds;
use crate::stored_number::Order;
use crate::value::{Array, Element, Elements};

/// One chunk as it lies in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredChunk {
    /// Place in the chunk grid, in chunks, slowest axis first.
    pub chunk_coord: Vec<u64>,
    /// Its bytes, from the start of the file.
    pub range: Range<u64>,
    /// Bit `i` set: filter `i` of the pipeline was not applied.
    pub filter_mask: u32,
}

impl Dataset {
    /// Reads every element.
    ///
    /// # Errors
    /// [`Error::Format`] and [`Error::Chunk`] when something does not decode, [`Error::Source`] when bytes cannot be had.
    pub fn read(&self) -> Result<Array, Error> {
        self.read_window(&Window::all(self.shape()))
    }

    /// Reads the elements of `window`; elements of chunks that were never written read as the fill value.
    ///
    /// # Errors
    /// As [`Dataset::read`]; [`Error::Request`] for a window that is not inside the dataset.
    pub fn read_window(&self, window: &Window) -> Result<Array, Error> {
        self.naming(|| {
            let plan = ReadPlan::new(self, window)?;
            let elements = match self.datatype().number() {
                Some(number) => Elements::numbers(number, plan.len_elements(), |bytes| {
                    run::read_bytes(&plan, bytes, Order::Native, Found::Zeros)
                })?,
                None => self.read_others(&plan)?,
            };
            Ok(Array { shape: window.shape.clone(), elements })
        })
    }

    /// Reads the elements of `window` into `out`, in C order. The stored type must be `T`, in either byte order.
    ///
    /// # Errors
    /// As [`Dataset::read_window`]; [`Error::Request`] when the type or the length does not fit.
    pub fn read_into<T: Element>(&self, window: &Window, out: &mut [T]) -> Result<(), Error> {
        self.naming(|| {
            match self.datatype().number() {
                Some(stored) if stored == T::NUMBER => {}
                stored => {
                    let stored = stored.map_or("no numbers".into(), |stored| format!("{stored:?}"));
                    let reason = format!("the elements are {stored}, not {:?}", T::NUMBER);
                    return Err(Error::Request { reason });
                }
            }
            let plan = ReadPlan::new(self, window)?;
            T::fill(out, |bytes| run::read_bytes(&plan, bytes, Order::Native, Found::Anything))
        })
    }

    /// Reads the elements of `window` as bytes, little-endian whatever the stored order, in C order.
    ///
    /// # Errors
    /// As [`Dataset::read_window`]; [`Error::Request`] for variable-length types and when the length does not fit.
    pub fn read_bytes(&self, window: &Window, out: &mut [u8]) -> Result<(), Error> {
        self.naming(|| {
            let plan = ReadPlan::new(self, window)?;
            run::read_bytes(&plan, out, Order::Little, Found::Anything)
        })
    }

    /// Reads the elements of `window` as they are stored, in C order: in their byte order, and what is of variable length
    /// as references.
    ///
    /// # Errors
    /// As [`Dataset::read_window`].
    pub(crate) fn read_as_stored(&self, window: &Window, out: &mut [u8]) -> Result<(), Error> {
        self.naming(|| run::read_stored(&ReadPlan::new(self, window)?, out, Found::Anything))
    }

    /// Plans a read without running it.
    ///
    /// # Errors
    /// As [`Dataset::read_window`].
    pub fn plan(&self, window: &Window) -> Result<ReadPlan, Error> {
        self.naming(|| ReadPlan::new(self, window))
    }

    /// The chunks that were written, in the order of the chunk grid.
    ///
    /// # Errors
    /// [`Error::Format`] when the chunk index is broken, [`Error::Request`] unless chunked.
    pub fn stored_chunks(&self) -> Result<Vec<StoredChunk>, Error> {
        self.naming(|| {
            let Layout::Chunked(layout) = &self.description().layout else {
                let reason = format!("storage is {:?}, without chunks", self.storage());
                return Err(Error::Request { reason });
            };
            let stored = |(chunk_coord, entry): (Vec<u64>, ChunkEntry)| {
                let filter_mask = self.filter_mask(layout, &chunk_coord, entry.filter_mask);
                let range = self.stored_range(&chunk_coord, entry)?;
                Ok(StoredChunk { chunk_coord, range, filter_mask })
            };
            self.index(layout)?.all()?.into_iter().map(stored).collect()
        })
    }

    /// Reads the bytes of a chunk as they are stored.
    ///
    /// # Errors
    /// [`Error::Source`] when they cannot be had.
    pub fn read_stored(&self, chunk: &StoredChunk) -> Result<Vec<u8>, Error> {
        self.naming(|| {
            let (start, len) =
                (chunk.range.start, chunk.range.end.saturating_sub(chunk.range.start));
            let len = usize::try_from(len).unwrap_or(usize::MAX);
            let source = self.store().source();
            check_bounds(start, len, source.len())?;
            let mut bytes = vec![0; len];
            source.read_at(start, &mut bytes)?;
            Ok(bytes)
        })
    }

    /// Decodes the stored bytes of a chunk: all of its elements, also those past the extent, in their stored byte order.
    ///
    /// # Errors
    /// [`Error::Chunk`] when they do not decode, [`Error::Request`] unless chunked.
    pub fn decode_chunk(&self, chunk: &StoredChunk, stored: &[u8]) -> Result<Vec<u8>, Error> {
        self.naming(|| {
            let Layout::Chunked(layout) = &self.description().layout else {
                let reason = format!("storage is {:?}, without chunks", self.storage());
                return Err(Error::Request { reason });
            };
            self.chunk_bytes(layout)?;
            self.pipeline(&layout.chunk_dims)
                .decode_to_vec(chunk.filter_mask, stored, &mut Scratch::default())
                .map_err(|refusal| chunk_error(&chunk.chunk_coord, chunk.range.start, refusal))
        })
    }

    /// Extent of the blocks in which the first chunk is stored, for a filter that can decode one without the others; `None`
    /// where there are none, or nothing was written there.
    ///
    /// # Errors
    /// As [`Dataset::read_window`].
    pub fn block_dims(&self) -> Result<Option<Vec<u64>>, Error> {
        if self.chunk_dims().is_none() {
            return Ok(None);
        }
        self.naming(|| {
            let axes = self.shape().len();
            let first = Window::new(&vec![0; axes], &vec![1; axes]);
            run::block_dims(&ReadPlan::new(self, &first)?)
        })
    }

    /// Elements that are no numbers: text, and what leaves as it is stored.
    fn read_others(&self, plan: &ReadPlan) -> Result<Elements, Error> {
        let mut bytes = vec![0; plan.len_bytes()];
        run::read_stored(plan, &mut bytes, Found::Zeros)?;
        let datatype = self.datatype();
        if datatype.is_string() {
            let offset =
                plan.ranges().first().map_or(self.description().layout_offset, |range| range.start);
            return decode(self.store(), datatype, &bytes, offset);
        }
        Ok(Elements::Raw { element_size: self.element_size(), bytes })
    }
}

/// What the other parts of a read need to know of a dataset.
impl Dataset {
    /// The open file.
    pub(crate) fn store(&self) -> &Storage {
        &self.handle().storage
    }

    /// Names this dataset in the errors of `work`.
    pub(crate) fn naming<T>(&self, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        work().map_err(|error| error.in_object(self.path()))
    }

    /// Bytes of one element.
    pub(super) fn element_size(&self) -> usize {
        usize::try_from(self.datatype().size).unwrap_or(usize::MAX)
    }

    /// An error about how the elements are stored.
    pub(super) fn refuse(&self, problem: Problem) -> Error {
        whole(Layout::NAME, self.description().layout_offset, problem)
    }

    /// Bytes of all elements; a dataset whose size does not fit 64 bits is refused.
    pub(crate) fn total_bytes(&self) -> Result<u64, Error> {
        self.dataspace()
            .element_count()
            .and_then(|count| count.checked_mul(u64::from(self.datatype().size)))
            .ok_or_else(|| self.refuse(Problem::invalid("more elements than 64 bits can count")))
    }

    /// Bytes of a decoded chunk, once the layout was found to fit the dataset and the limits.
    pub(super) fn chunk_bytes(&self, layout: &ChunkedLayout) -> Result<u64, Error> {
        let (rank, axes) = (self.shape().len(), layout.chunk_dims.len());
        if axes != rank {
            let problem = format!("chunks of {axes} axes in a dataset of {rank}");
            return Err(self.refuse(Problem::invalid(problem)));
        }
        let (size, stored) = (u64::from(self.datatype().size), layout.element_size);
        if size != stored {
            let problem = format!("chunks of elements of {stored} bytes, not {size}");
            return Err(self.refuse(Problem::invalid(problem)));
        }
        let bytes = layout.chunk_dims.iter().try_fold(size, |bytes, n| bytes.checked_mul(*n));
        let (bytes, max) = (bytes.unwrap_or(u64::MAX), self.store().limits().max_chunk_bytes);
        within("bytes of a chunk", bytes, "max_chunk_bytes", max)
            .map_err(|problem| self.refuse(problem))?;
        Ok(bytes)
    }

    /// The index of the dataset's chunks.
    pub(super) fn index<'d>(&'d self, layout: &'d ChunkedLayout) -> Result<Index<'d>, Error> {
        let chunk_bytes = self.chunk_bytes(layout)?;
        let sizes = self.store().sizes();
        let filtered = !self.filters().is_empty();
        Ok(Index {
            storage: self.store(),
            dataset: self.address(),
            layout,
            grid: ChunkGrid::new(self.dataspace(), &layout.chunk_dims)
                .map_err(|problem| self.refuse(problem))?,
            format: EntryFormat::new(sizes, layout.version, chunk_bytes, filtered),
            chunk_bytes,
        })
    }

    /// The filters of a chunk that were not applied: those of its mask, and all for a chunk that crosses the edge of the
    /// extent when the layout says so.
    pub(super) fn filter_mask(&self, layout: &ChunkedLayout, coord: &[u64], mask: u32) -> u32 {
        let crosses = |((at, chunk), dim): ((&u64, &u64), &u64)| {
            at.saturating_add(1).saturating_mul(*chunk) > *dim
        };
        let axes = coord.iter().zip(&layout.chunk_dims).zip(self.shape());
        if layout.partial_chunks_unfiltered && axes.into_iter().any(crosses) {
            u32::MAX
        } else {
            mask
        }
    }

    /// Whether a piece with this mask is stored as its elements.
    pub(super) fn is_raw(&self, mask: u32) -> bool {
        (0_u32..32).zip(self.filters()).all(|(bit, _)| mask >> bit & 1 == 1)
    }

    /// Where a chunk's stored bytes are in the file.
    pub(super) fn stored_range(
        &self,
        coord: &[u64],
        entry: ChunkEntry,
    ) -> Result<Range<u64>, Error> {
        let offset = self.store().offset(entry.address);
        let file_len = self.store().source().len();
        match offset.checked_add(entry.stored_bytes) {
            Some(end) if end <= file_len => Ok(offset..end),
            _ => {
                let bytes = entry.stored_bytes;
                let problem =
                    format!("its {bytes} bytes end past the end of the file, which has {file_len}");
                Err(chunk_error(coord, offset, Refusal::without_filter(Problem::invalid(problem))))
            }
        }
    }

    /// How pieces of `piece_dims` are decoded.
    pub(super) fn pipeline<'d>(&'d self, piece_dims: &'d [u64]) -> Pipeline<'d> {
        let filters = if self.storage() == StorageKind::Chunked { self.filters() } else { &[] };
        let size = u64::from(self.datatype().size);
        let bytes = piece_dims.iter().fold(size, |bytes, n| bytes.saturating_mul(*n));
        Pipeline {
            registry: self.store().filters(),
            filters,
            chunk_dims: piece_dims,
            element_size: self.element_size(),
            chunk_bytes: usize::try_from(bytes).unwrap_or(usize::MAX),
        }
    }

    /// One element that was never written, as stored; `None` is all zero.
    pub(super) fn fill_value(&self) -> Result<Option<&[u8]>, Error> {
        match &self.description().fill.bytes {
            Some(value) if value.len() == self.element_size() => Ok(Some(value)),
            Some(value) => {
                let (found, size) = (value.len(), self.element_size());
                let problem = format!("a fill value of {found} bytes for elements of {size}");
                Err(self.refuse(Problem::invalid(problem)))
            }
            None => Ok(None),
        }
    }
}

/// A chunk that does not decode.
pub(super) fn chunk_error(coord: &[u64], offset: u64, refusal: Refusal) -> Error {
    let Refusal { filter, problem } = refusal;
    Error::Chunk { chunk_coord: coord.to_vec(), offset, filter, problem }
}

//! How one dataset will be stored.

use alloc::format;
use alloc::sync::Arc;

use super::dataset::{Fill, NewData, NewDataset, NewStorage};
use super::global_heap::{GlobalHeap, PlacedElements};
use super::stored_elements::is_variable;
use super::tree::{Committed, check_datatype, check_len, request};
use super::{ElementSource, SIZES};
use crate::chunk_index::{ChunkGrid, EntryFormat};
use crate::encode::encoded;
use crate::error::Error;
use crate::message::dataspace::Dataspace;
use crate::message::datatype::Datatype;
use crate::message::fill_value::FillValue;
use crate::message::filter_pipeline::FilterPipeline;

#[derive(Debug)]
pub(super) struct DatasetPlan {
    pub(super) datatype: Datatype,
    pub(super) committed: Committed,
    pub(super) dataspace: Dataspace,
    pub(super) fill: FillValue,
    pub(super) pipeline: FilterPipeline,
    pub(super) storage: StoragePlan,
    pub(super) data: PlannedData,
    /// Bytes of all elements.
    pub(super) total_bytes: u64,
}

#[derive(Debug)]
pub(super) enum StoragePlan {
    Compact,
    Contiguous,
    Chunked(ChunkPlan),
}

#[derive(Debug)]
pub(super) struct ChunkPlan {
    pub(super) grid: ChunkGrid,
    pub(super) index: PlannedIndex,
    pub(super) format: EntryFormat,
    /// Bytes of a chunk before it is encoded.
    pub(super) chunk_bytes: u64,
}

/// The index that finds the chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlannedIndex {
    /// The only chunk is the extent.
    SingleChunk,
    /// A table of so many chunks: those of the largest extent.
    FixedArray(u64),
    /// For extents without end, and such where a table would be mostly empty.
    BTree2,
}

pub(super) enum PlannedData {
    Elements(PlacedElements),
    Source(Arc<dyn ElementSource>),
    Nothing,
    /// Already in the file.
    Written,
}

/// Chunks that are asked for one by one, or that a table has room for.
pub(super) const MAX_CHUNKS: u64 = 1 << 24;
/// HDF5 has 32 bits for the bytes of a chunk.
const MAX_CHUNK_BYTES: u64 = u32::MAX as u64;

impl DatasetPlan {
    /// Checks a dataset, and gives its values of variable length places in the heap.
    pub(super) fn of(
        dataset: NewDataset,
        cluster: usize,
        heap: &mut GlobalHeap,
    ) -> Result<Self, Error> {
        let NewDataset { datatype, committed, dataspace, storage, filters, fill, data, .. } =
            dataset;
        check_datatype(&datatype)?;
        let message = encoded(SIZES, |out| datatype.encode(out));
        check_len("the description of its type", message.len())?;
        let total_bytes = dataspace
            .element_count()
            .and_then(|count| count.checked_mul(datatype.size.into()))
            .ok_or_else(|| request("more elements than 64 bits can count".into()))?;
        if !filters.is_empty() && !matches!(storage, NewStorage::Chunked { .. }) {
            return Err(request("only chunks can be filtered".into()));
        }
        let pipeline = FilterPipeline { filters };
        let message = encoded(SIZES, |out| pipeline.encode(out));
        check_len("the description of its filters", message.len())?;
        let storage = match storage {
            NewStorage::Compact => {
                // The message has four bytes before the elements.
                let len = usize::try_from(total_bytes).unwrap_or(usize::MAX);
                check_len("compact storage", len.saturating_add(4))?;
                StoragePlan::Compact
            }
            NewStorage::Contiguous => StoragePlan::Contiguous,
            NewStorage::Chunked { chunk_dims } => {
                let filtered = !pipeline.filters.is_empty();
                StoragePlan::Chunked(ChunkPlan::of(&datatype, &dataspace, &chunk_dims, filtered)?)
            }
        };
        let fill = stored_fill(fill, &datatype)?;
        let data = match data {
            NewData::Elements(elements) => {
                elements.check(&datatype, &dataspace)?;
                PlannedData::Elements(heap.place(cluster, elements))
            }
            NewData::Source(_) if is_variable(&datatype) => {
                return Err(request("a source cannot give elements of variable length".into()));
            }
            NewData::Source(source) if total_bytes > 0 => PlannedData::Source(source),
            NewData::Source(_) | NewData::Nothing => PlannedData::Nothing,
        };
        let committed = committed.map_or(Committed::No, Committed::Wanted);
        Ok(Self { datatype, committed, dataspace, fill, pipeline, storage, data, total_bytes })
    }

    /// Whether storage is allocated at all.
    pub(super) fn is_allocated(&self) -> bool {
        self.total_bytes > 0 && !matches!(self.data, PlannedData::Nothing)
    }
}

impl ChunkPlan {
    fn of(
        datatype: &Datatype,
        dataspace: &Dataspace,
        chunk_dims: &[u64],
        filtered: bool,
    ) -> Result<Self, Error> {
        let dims = dataspace.dims();
        if dims.is_empty() || chunk_dims.len() != dims.len() || chunk_dims.contains(&0) {
            return Err(request(format!("chunks of {chunk_dims:?} for an extent of {dims:?}")));
        }
        let size = u64::from(datatype.size);
        let bytes = chunk_dims.iter().try_fold(size, |bytes, n| bytes.checked_mul(*n));
        let chunk_bytes = bytes
            .filter(|bytes| *bytes <= MAX_CHUNK_BYTES)
            .ok_or_else(|| request(format!("chunks of {chunk_dims:?} take 4 GiB or more")))?;
        let grid = ChunkGrid::new(dataspace, chunk_dims)
            .map_err(|problem| request(format!("{problem}")))?;
        let is_fixed = match dataspace {
            Dataspace::Simple { max_dims: Some(max), .. } => max == dims,
            _ => true,
        };
        let index = match grid.numbering() {
            _ if is_fixed && chunk_dims == dims => PlannedIndex::SingleChunk,
            Ok(numbering) if numbering.count() <= MAX_CHUNKS => {
                PlannedIndex::FixedArray(numbering.count())
            }
            _ => PlannedIndex::BTree2,
        };
        let format = EntryFormat::new(SIZES, LAYOUT_VERSION, chunk_bytes, filtered);
        Ok(Self { grid, index, format, chunk_bytes })
    }
}

/// The version of layout messages for chunks: read from libhdf5 1.10 on.
pub(super) const LAYOUT_VERSION: u8 = 4;

fn stored_fill(fill: Fill, datatype: &Datatype) -> Result<FillValue, Error> {
    let Fill { value, undefined, write_time, allocation } = fill;
    if let Some(value) = &value {
        let (found, size) = (value.len(), datatype.size);
        if found as u64 != u64::from(size) {
            return Err(request(format!("a fill value of {found} bytes for elements of {size}")));
        }
        if is_variable(datatype) && value.iter().any(|byte| *byte != 0) {
            return Err(request("a fill value of variable length".into()));
        }
        // The message has six bytes before the value.
        check_len("its fill value", found.saturating_add(6))?;
    }
    let bytes = value.filter(|_| !undefined);
    Ok(FillValue { bytes, undefined, allocation, write_time })
}

impl core::fmt::Debug for PlannedData {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Elements(_) => "Elements",
            Self::Source(_) => "Source",
            Self::Nothing => "Nothing",
            Self::Written => "Written",
        })
    }
}

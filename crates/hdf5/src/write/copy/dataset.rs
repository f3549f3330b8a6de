//! Copies of datasets: elements of fixed size are read when they are written.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::values::Values;
use super::{attributes, comment, identity, writable};
use crate::error::Error;
use crate::heap::global::HeapReference;
use crate::lock::Lock;
use crate::message::fill_value::{AllocationTime, FillValue};
use crate::message::filter_pipeline::FilterDescription;
use crate::message::kind;
use crate::message::layout::{Layout, StorageKind};
use crate::read::storage::Allowance;
use crate::read::{Dataset, ReadPlan, StoredChunk, Window};
use crate::write::stored_elements::is_variable;
use crate::write::tree::request;
use crate::write::{
    ChunkRequest, ChunkSupply, ElementSource, Fill, NewData, NewDataset, NewStorage,
};

/// Copies a dataset with the values that it has in the heap, as long as `allowance` lasts.
pub(super) fn dataset(dataset: &Dataset, allowance: &mut Allowance) -> Result<NewDataset, Error> {
    dataset.naming(|| copy(dataset, allowance))
}

fn copy(dataset: &Dataset, allowance: &mut Allowance) -> Result<NewDataset, Error> {
    let handle = dataset.handle();
    let storage = &handle.storage;
    let description = dataset.description();
    let new_storage = match (dataset.storage(), &description.layout) {
        (StorageKind::Virtual | StorageKind::External, _) => {
            return Err(request("elements of other files or datasets are not copied".into()));
        }
        (StorageKind::Compact, _) => NewStorage::Compact,
        (_, Layout::Chunked(chunks)) => {
            NewStorage::Chunked { chunk_dims: chunks.chunk_dims.clone() }
        }
        _ => NewStorage::Contiguous,
    };
    let chunked = matches!(new_storage, NewStorage::Chunked { .. });
    let header = &handle.node.header;
    let committed = header.shared_from(storage, kind::DATATYPE)?;
    Ok(NewDataset {
        datatype: writable(dataset.datatype())?,
        committed: committed.map(|address| identity(storage, address)),
        dataspace: dataset.dataspace().clone(),
        // Filters without chunks mean nothing.
        filters: if chunked { dataset.filters().to_vec() } else { Vec::new() },
        fill: fill(&description.fill, &new_storage),
        storage: new_storage,
        attributes: attributes(&dataset.attributes()?, allowance)?,
        data: data(dataset, allowance)?,
        id: Some(identity(storage, handle.address)),
        comment: comment(handle),
    })
}

fn fill(stored: &FillValue, storage: &NewStorage) -> Fill {
    let default = match storage {
        NewStorage::Compact => AllocationTime::Early,
        NewStorage::Contiguous => AllocationTime::Late,
        NewStorage::Chunked { .. } => AllocationTime::Incremental,
    };
    let allocation = match stored.allocation {
        AllocationTime::Unsaid => default,
        said => said,
    };
    Fill {
        value: stored.bytes.clone(),
        undefined: stored.undefined,
        write_time: stored.write_time,
        allocation,
    }
}

fn data(dataset: &Dataset, allowance: &mut Allowance) -> Result<NewData, Error> {
    let nothing = match &dataset.description().layout {
        Layout::Compact { .. } => false,
        Layout::Contiguous { address, .. } => address.is_none(),
        Layout::Chunked(chunks) => chunks.address.is_none(),
        Layout::Virtual => true,
    };
    if nothing || dataset.total_bytes()? == 0 {
        return Ok(NewData::Nothing);
    }
    if !is_variable(dataset.datatype()) {
        return Ok(NewData::Source(Arc::new(Stored::new(dataset.clone()))));
    }
    let all = Window::all(dataset.shape());
    let plan = dataset.plan(&all)?;
    if plan.is_unwritten() {
        return Ok(NewData::Nothing);
    }
    let offset = plan.ranges().first().map_or(0, |range| range.start);
    allowance.take(HeapReference::NAME, offset, plan.len_bytes())?;
    let mut bytes = vec![0; plan.len_bytes()];
    dataset.read_as_stored(&all, &mut bytes)?;
    let elements = Values::new(dataset.store(), allowance).of(dataset.datatype(), bytes, offset)?;
    Ok(NewData::Elements(elements))
}

/// The elements of a dataset of another file.
struct Stored {
    dataset: Dataset,
    /// Its chunks by their places in the grid, once they were asked for.
    chunks: Lock<Option<Arc<[StoredChunk]>>>,
}

impl Stored {
    fn new(dataset: Dataset) -> Self {
        Self { dataset, chunks: Lock::default() }
    }

    fn has_such_chunks(&self, chunk_dims: &[u64], filters: &[FilterDescription]) -> bool {
        self.dataset.chunk_dims() == Some(chunk_dims) && self.dataset.filters() == filters
    }

    /// All chunks that were written, in C order.
    fn chunks(&self) -> Result<Arc<[StoredChunk]>, Error> {
        if let Some(chunks) = self.chunks.with(|known| known.clone()) {
            return Ok(chunks);
        }
        let chunks: Arc<[StoredChunk]> = self.dataset.stored_chunks()?.into();
        self.chunks.with(|known| *known = Some(Arc::clone(&chunks)));
        Ok(chunks)
    }

    /// The chunk that starts at `start`, as it is stored.
    fn stored(&self, start: &[u64], chunk_dims: &[u64]) -> Result<ChunkSupply, Error> {
        let chunks = self.chunks()?;
        let coord: Vec<u64> = start
            .iter()
            .zip(chunk_dims)
            .map(|(start, chunk)| start.checked_div(*chunk).unwrap_or(0))
            .collect();
        let place = chunks.binary_search_by(|chunk| chunk.chunk_coord.cmp(&coord));
        let Some(chunk) = place.ok().and_then(|place| chunks.get(place)) else {
            return Ok(ChunkSupply::Absent);
        };
        let bytes = self.dataset.read_stored(chunk)?;
        Ok(ChunkSupply::Stored { bytes, filter_mask: chunk.filter_mask })
    }
}

impl ElementSource for Stored {
    fn read(&self, start: &[u64], shape: &[u64], out: &mut [u8]) -> Result<(), Error> {
        self.dataset.read_as_stored(&Window::new(start, shape), out)
    }

    fn admit(&self, shape: &[u64]) -> Result<(), Error> {
        self.dataset.bytes_of_read(shape).map(drop)
    }

    fn present(
        &self,
        chunk_dims: &[u64],
        filters: &[FilterDescription],
    ) -> Result<Option<Vec<Vec<u64>>>, Error> {
        // However they are encoded: what was never written stays so.
        let _ = filters;
        if self.dataset.chunk_dims() != Some(chunk_dims) {
            return Ok(None);
        }
        Ok(Some(self.chunks()?.iter().map(|chunk| chunk.chunk_coord.clone()).collect()))
    }

    fn chunk(&self, request: &ChunkRequest<'_>) -> Result<ChunkSupply, Error> {
        if self.has_such_chunks(request.chunk_dims, request.filters) {
            return self.stored(request.start, request.chunk_dims);
        }
        let window = Window::new(request.start, request.shape);
        let plan: ReadPlan = self.dataset.plan(&window)?;
        Ok(if plan.is_unwritten() { ChunkSupply::Absent } else { ChunkSupply::Elements })
    }
}

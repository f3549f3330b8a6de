//! Large data: asked in bounded batches, encoded on all threads, written in one order.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use codec::strided::{copy_box, dense_strides};

use super::element_source::{ChunkRequest, ChunkSupply, ElementSource};
use super::index::{self, Located};
use super::layout::{Place, StoredData};
use super::plan::{ChunkPlan, DatasetPlan, MAX_CHUNKS};
use super::tail::Tail;
use super::tree::request;
use super::watch::{Watch, ask};
use crate::chunk_index::ChunkEntry;
use crate::error::Error;
use crate::filter::{FilterRegistry, Pipeline, Scratch};
use crate::parse::byte_count;
use crate::read::{Slabs, Window};

/// Bytes before encoding that a batch may have, unless one chunk has more: twice that is in memory.
const BATCH_BYTES: u64 = 64 << 20;
/// Chunks of a batch, per thread: enough that none waits long for the last one.
const BATCH_CHUNKS_PER_THREAD: usize = 8;

/// Appends the elements of a dataset in one piece.
pub(super) fn contiguous(
    plan: &DatasetPlan,
    source: &dyn ElementSource,
    watch: Option<&dyn Watch>,
    tail: &mut Tail<'_>,
) -> Result<StoredData, Error> {
    let address = tail.skip(0)?;
    let size = u64::from(plan.datatype.size).max(1);
    let slabs = Slabs::new(plan.dataspace.dims(), None, size, BATCH_BYTES);
    let read = |_: &mut Scratch, slab: &Window| {
        let elements = slab.shape.iter().fold(size, |bytes, n| bytes.saturating_mul(*n));
        ask(watch, elements)?;
        source.admit(&slab.shape)?;
        let mut bytes = vec![0; byte_count(elements)];
        source.read(&slab.start, &slab.shape, &mut bytes).map(|()| bytes)
    };
    for batch in batches(slabs, threads()) {
        for bytes in in_parallel(&batch, read) {
            tail.add(&bytes?)?;
        }
    }
    Ok(StoredData { address: Some(address), ..StoredData::default() })
}

/// What encoding the chunks of one dataset takes.
pub(super) struct ChunkWriter<'w> {
    plan: &'w DatasetPlan,
    source: &'w dyn ElementSource,
    pipeline: Pipeline<'w>,
    chunks: &'w ChunkPlan,
    watch: Option<&'w dyn Watch>,
}

impl<'w> ChunkWriter<'w> {
    pub(super) fn new(
        (plan, chunks): (&'w DatasetPlan, &'w ChunkPlan),
        source: &'w dyn ElementSource,
        registry: &'w FilterRegistry,
        watch: Option<&'w dyn Watch>,
    ) -> Self {
        let pipeline = Pipeline {
            registry,
            filters: &plan.pipeline.filters,
            chunk_dims: chunks.grid.chunk_dims(),
            element_size: byte_count(plan.datatype.size.into()),
            chunk_bytes: byte_count(chunks.chunk_bytes),
        };
        Self { plan, source, pipeline, chunks, watch }
    }

    /// Appends all chunks, and writes their index.
    pub(super) fn write(&self, place: &Place, tail: &mut Tail<'_>) -> Result<StoredData, Error> {
        let Self { plan, source, chunks, .. } = *self;
        let present = source.present(chunks.grid.chunk_dims(), &plan.pipeline.filters)?;
        let most = byte_count(BATCH_BYTES.checked_div(chunks.chunk_bytes).unwrap_or(0).max(1));
        let len = threads().saturating_mul(BATCH_CHUNKS_PER_THREAD).min(most);
        let mut found: Vec<Located> = Vec::new();
        let mut append = |batch: Vec<Vec<u64>>| -> Result<(), Error> {
            let encoded =
                in_parallel(&batch, |scratch, coord: &Vec<u64>| self.encode(coord, scratch));
            for (coord, encoded) in batch.into_iter().zip(encoded) {
                let Some((bytes, filter_mask)) = encoded? else { continue };
                let address = tail.append(&bytes)?;
                let stored_bytes = bytes.len() as u64;
                found.push((coord, ChunkEntry { address, stored_bytes, filter_mask }));
            }
            Ok(())
        };
        if let Some(present) = present {
            batches(present.into_iter(), len).try_for_each(&mut append)?;
        } else {
            let all =
                chunks.grid.region(MAX_CHUNKS).map_err(|problem| request(format!("{problem}")))?;
            batches(all.coords(), len).try_for_each(&mut append)?;
        }
        index::write(chunks, &found, place.early_index, tail)
    }

    /// What to store of a chunk, and its filter mask; `None` when it stays unallocated.
    fn encode(
        &self,
        coord: &[u64],
        scratch: &mut Scratch,
    ) -> Result<Option<(Vec<u8>, u32)>, Error> {
        ask(self.watch, self.chunks.chunk_bytes)?;
        let chunk_dims = self.chunks.grid.chunk_dims();
        let axes = coord.iter().zip(chunk_dims).zip(self.plan.dataspace.dims());
        let (start, shape): (Vec<u64>, Vec<u64>) = axes
            .map(|((at, chunk), dim)| {
                let start = at.saturating_mul(*chunk);
                (start, dim.saturating_sub(start).min(*chunk))
            })
            .unzip();
        let filters = self.pipeline.filters;
        let asked = ChunkRequest { start: &start, shape: &shape, chunk_dims, filters };
        let encoded = match self.source.chunk(&asked)? {
            ChunkSupply::Absent => return Ok(None),
            ChunkSupply::Stored { bytes, filter_mask } => {
                let known = (1_u64 << filters.len().min(32)).saturating_sub(1);
                (bytes, filter_mask & u32::try_from(known).unwrap_or(u32::MAX))
            }
            ChunkSupply::Elements => {
                let chunk = self.elements(&start, &shape)?;
                let refuse = |refusal: crate::filter::Refusal| {
                    let (filter, problem) = (refusal.filter, refusal.problem);
                    request(format!("chunk {coord:?}: filter {filter}: {problem}"))
                };
                let encoded = self.pipeline.encode(&chunk, scratch).map_err(refuse)?;
                (encoded.bytes.to_vec(), encoded.mask)
            }
        };
        self.check(coord, &encoded).map(|()| Some(encoded))
    }

    /// Refuses what the index could not describe.
    fn check(&self, coord: &[u64], (bytes, mask): &(Vec<u8>, u32)) -> Result<(), Error> {
        let (found, raw) = (bytes.len() as u64, self.chunks.chunk_bytes);
        let unfiltered =
            (0_u32..32).zip(self.pipeline.filters).all(|(bit, _)| mask >> bit & 1 == 1);
        if found == 0
            || (unfiltered && found != raw)
            || found > self.chunks.format.max_stored_bytes()
        {
            return Err(request(format!("chunk {coord:?}: {found} bytes for a chunk of {raw}")));
        }
        Ok(())
    }

    /// The elements of a whole chunk; outside the extent it has the fill value.
    fn elements(&self, start: &[u64], shape: &[u64]) -> Result<Vec<u8>, Error> {
        let chunk_dims = self.chunks.grid.chunk_dims();
        let mut chunk = vec![0; self.pipeline.chunk_bytes];
        if shape == chunk_dims {
            self.source.read(start, shape, &mut chunk)?;
            return Ok(chunk);
        }
        let size = self.pipeline.element_size;
        if let Some(fill) = &self.plan.fill.bytes {
            chunk.chunks_exact_mut(size).for_each(|element| element.copy_from_slice(fill));
        }
        let counts = |dims: &[u64]| dims.iter().copied().map(byte_count).collect::<Vec<_>>();
        let (shape_len, chunk_len) = (counts(shape), counts(chunk_dims));
        let bytes = shape_len.iter().fold(size, |bytes, n| bytes.saturating_mul(*n));
        let mut inside = vec![0; bytes];
        self.source.read(start, shape, &mut inside)?;
        let (to, from) = (dense_strides(&chunk_len, size), dense_strides(&shape_len, size));
        copy_box(&shape_len, (&mut chunk, &to), (&inside, &from), size)
            .expect("a chunk holds the part of it that is inside the extent");
        Ok(chunk)
    }
}

/// The items of an iterator, `len` at a time.
fn batches<I: Iterator>(mut items: I, len: usize) -> impl Iterator<Item = Vec<I::Item>> {
    core::iter::from_fn(move || {
        let batch: Vec<_> = items.by_ref().take(len.max(1)).collect();
        (!batch.is_empty()).then_some(batch)
    })
}

#[cfg(feature = "parallel")]
fn threads() -> usize {
    rayon::current_num_threads()
}

#[cfg(not(feature = "parallel"))]
fn threads() -> usize {
    1
}

/// The results of `work` on all items, in their order.
#[cfg(feature = "parallel")]
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&mut Scratch, &T) -> R + Sync,
) -> Vec<R> {
    use rayon::prelude::*;
    items.par_iter().map_init(Scratch::default, |scratch, item| work(scratch, item)).collect()
}

#[cfg(not(feature = "parallel"))]
fn in_parallel<T, R>(items: &[T], work: impl Fn(&mut Scratch, &T) -> R) -> Vec<R> {
    let mut scratch = Scratch::default();
    items.iter().map(|item| work(&mut scratch, item)).collect()
}

//! Runs read plans: decodes each step's chunk, straight into the place of its elements where that can be.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::cache::{ChunkCache, ChunkKey};
use super::elements::chunk_error;
use super::plan::{ReadPlan, Step, strides};
use super::selection::Selection;
use crate::error::{Error, Problem};
use crate::filter::{ChunkPart, PartOutput, Pipeline, Refusal, Scratch};
use crate::limits::within_inflation;
use crate::message::datatype::DatatypeClass;
use crate::message::layout::StorageKind;
use crate::stored_number::{Order, normalize};
use codec::strided::{copy_box, dense_strides, offset_of};

/// What is in the memory that a read fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Anything,
    /// Zeros as they came from the allocator: what is left alone costs no memory.
    Zeros,
}

/// Reads the elements of `plan` in this byte order.
pub(super) fn read_bytes(
    plan: &ReadPlan,
    out: &mut [u8],
    order: Order,
    found: Found,
) -> Result<(), Error> {
    let class = &plan.dataset.datatype().class;
    if matches!(
        class,
        DatatypeClass::VariableString { .. } | DatatypeClass::VariableSequence { .. }
    ) {
        let reason = "elements of variable length have no bytes of their own".into();
        return Err(Error::Request { reason });
    }
    read_stored(plan, out, found)?;
    normalize(plan.dataset.datatype(), order, out);
    Ok(())
}

/// Reads the elements of `plan` as stored: runs all of its steps, and fills what they leave open.
pub(super) fn read_stored(plan: &ReadPlan, out: &mut [u8], found: Found) -> Result<(), Error> {
    if out.len() != plan.len_bytes() {
        let reason = alloc::format!("room for {} bytes, not {}", out.len(), plan.len_bytes());
        return Err(Error::Request { reason });
    }
    if out.is_empty() {
        return Ok(());
    }
    plan.dataset.store().source().prefetch(plan.ranges())?;
    if plan.has_gaps {
        fill(plan, out, found)?;
    }
    let runner = Runner::new(plan);
    match plan.dataset.storage() {
        StorageKind::Compact => runner.copy_compact(&plan.dataset.description().compact, out),
        _ => runner.run(out),
    }
}

/// Extent of the blocks in which the chunk of the first step is stored; `None` where there are none, or there is no chunk.
pub(super) fn block_dims(plan: &ReadPlan) -> Result<Option<Vec<u64>>, Error> {
    let Some(step) = plan.steps.first() else { return Ok(None) };
    if plan.dataset.is_raw(step.filter_mask) {
        return Ok(None);
    }
    let runner = Runner::new(plan);
    runner.check_inflation(step)?;
    let mut scratch = StepScratch::default();
    let stored = runner.read(step, &mut scratch.stored)?;
    runner.pipeline.block_dims(step.filter_mask, stored).map_err(|refusal| refuse(step, refusal))
}

/// Writes the fill value, as stored, to every element.
fn fill(plan: &ReadPlan, out: &mut [u8], found: Found) -> Result<(), Error> {
    match plan.dataset.fill_value()? {
        Some(value) if value.iter().any(|byte| *byte != 0) => {
            out.chunks_exact_mut(value.len()).for_each(|element| element.copy_from_slice(value));
        }
        _ if found == Found::Zeros => {}
        _ => out.fill(0),
    }
    Ok(())
}

/// Work below which the threads of a pool would cost more than they give.
#[cfg(feature = "parallel")]
const PARALLEL_BYTES: u64 = 128 << 10;

/// What all steps of a plan share.
pub(super) struct Runner<'p> {
    plan: &'p ReadPlan,
    pipeline: Pipeline<'p>,
    cache: Option<&'p ChunkCache>,
    /// Shape of the result.
    shape: Vec<usize>,
    /// Bytes from one element of the result to the next.
    strides: Vec<usize>,
    /// Bytes from one element of a piece to the next.
    piece_strides: Vec<usize>,
    /// The same, from one element that the window takes to the next.
    taken_strides: Vec<usize>,
}

impl<'p> Runner<'p> {
    fn new(plan: &'p ReadPlan) -> Self {
        let dataset = &plan.dataset;
        let pipeline = dataset.pipeline(&plan.piece_dims);
        let shape: Vec<usize> = plan.window.shape.iter().map(|n| to_usize(*n)).collect();
        // Pieces of a contiguous dataset lie in it as in one chunk.
        let dims = dataset.chunk_dims().unwrap_or(dataset.shape());
        let size = u64::from(dataset.datatype().size);
        let piece_strides: Vec<usize> = strides(dims, size).into_iter().map(to_usize).collect();
        let taken_strides = piece_strides
            .iter()
            .zip(&plan.window.step)
            .map(|(stride, step)| stride.saturating_mul(to_usize(*step)))
            .collect();
        Self {
            plan,
            strides: dense_strides(&shape, pipeline.element_size),
            pipeline,
            cache: dataset.store().chunk_cache(),
            shape,
            piece_strides,
            taken_strides,
        }
    }

    /// Copies from the elements that the object header holds.
    fn copy_compact(&self, data: &[u8], out: &mut [u8]) -> Result<(), Error> {
        let start: Vec<usize> = self.plan.window.start.iter().map(|at| to_usize(*at)).collect();
        offset_of(&start, &self.piece_strides)
            .and_then(|corner| data.get(corner..))
            .and_then(|data| {
                let from = (data, self.taken_strides.as_slice());
                copy_box(&self.shape, (out, &self.strides), from, self.pipeline.element_size)
            })
            .ok_or_else(|| self.plan.dataset.refuse(Problem::EndsEarly))
    }

    fn run(&self, out: &mut [u8]) -> Result<(), Error> {
        #[cfg(feature = "parallel")]
        if self.plan.steps.len() > 1
            && self.work() > PARALLEL_BYTES
            && rayon::current_num_threads() > 1
        {
            return super::parallel::run(self, out);
        }
        let mut scratch = StepScratch::default();
        for step in &self.plan.steps {
            let Some(selection) = self.selection(step) else { continue };
            let corner = offset_of(&selection.place, &self.strides).unwrap_or(usize::MAX);
            let memory = out.get_mut(corner..).unwrap_or_default();
            let size = self.pipeline.element_size;
            let mut output = PartOutput::new(memory, &selection.shape, &self.strides, size);
            self.run_step(step, &selection, &mut output, &mut scratch)?;
        }
        Ok(())
    }

    pub(super) fn selection(&self, step: &Step) -> Option<Selection> {
        Selection::new(&self.plan.window, &self.plan.piece_dims, &step.coord)
    }

    /// Writes the elements of one step to `output`, whose shape is that of `selection`.
    pub(super) fn run_step(
        &self,
        step: &Step,
        selection: &Selection,
        output: &mut PartOutput<'_, '_>,
        scratch: &mut StepScratch,
    ) -> Result<(), Error> {
        if self.plan.dataset.is_raw(step.filter_mask) {
            return self.copy_raw(step, output, scratch);
        }
        self.check_inflation(step)?;
        let extent: Vec<usize> =
            selection.extent(&self.plan.window.step).into_iter().map(to_usize).collect();
        let start: Vec<usize> = selection.start.iter().map(|at| to_usize(*at)).collect();
        let part = ChunkPart { start: &start, shape: &extent };
        let done = if extent == selection.shape {
            self.decode(step, &part, output, scratch)?
        } else {
            self.decode_with_steps(step, &part, output, scratch)?
        };
        done.map_err(|refusal| refuse(step, refusal))
    }

    /// Refuses a chunk that claims to hold far more than is stored of it.
    fn check_inflation(&self, step: &Step) -> Result<(), Error> {
        let stored = step.range.end.saturating_sub(step.range.start);
        let size = self.pipeline.element_size as u64;
        let decoded = (self.pipeline.chunk_elements() as u64).saturating_mul(size);
        let max = self.plan.dataset.store().limits().max_inflated_bytes;
        within_inflation(stored, decoded, max)
            .map_err(|problem| refuse(step, Refusal::without_filter(problem)))
    }

    /// Copies the elements of an unfiltered piece; of one without gaps, the source reads them where they belong.
    fn copy_raw(
        &self,
        step: &Step,
        output: &mut PartOutput<'_, '_>,
        scratch: &mut StepScratch,
    ) -> Result<(), Error> {
        let source = self.plan.dataset.store().source();
        let len = to_usize(step.range.end.saturating_sub(step.range.start));
        if let Some(bytes) = output.contiguous()
            && bytes.len() == len
        {
            return Ok(source.read_at(step.range.start, bytes)?);
        }
        let bytes = self.read(step, &mut scratch.stored)?;
        let shape = output.shape().to_vec();
        output
            .copy_box(&alloc::vec![0; shape.len()], &shape, bytes, &self.taken_strides)
            .map_err(|problem| refuse(step, Refusal::without_filter(problem)))
    }

    fn decode(
        &self,
        step: &Step,
        part: &ChunkPart<'_>,
        output: &mut PartOutput<'_, '_>,
        scratch: &mut StepScratch,
    ) -> Result<Result<(), Refusal>, Error> {
        let whole = part.is_whole(self.pipeline.chunk_dims);
        if let Some(chunk) = self.cached(step) {
            return Ok(self.pipeline.copy_part(&chunk, part, output));
        }
        let stored = self.read(step, &mut scratch.stored)?;
        let pipeline = &self.pipeline;
        let (Some(cache), false) = (self.cache, whole) else {
            return Ok(pipeline.decode_part(
                step.filter_mask,
                stored,
                part,
                output,
                &mut scratch.filters,
            ));
        };
        // Part of a chunk now is likely to be followed by another part of it. A filter that can give a small part alone
        // does so; everything else decodes once, for all who come back.
        let small = part.shape.iter().product::<usize>() < pipeline.chunk_elements() / 2;
        if small {
            match pipeline.decode_part_alone(step.filter_mask, stored, part, output) {
                Ok(false) => {}
                Ok(true) => return Ok(Ok(())),
                Err(refusal) => return Ok(Err(refusal)),
            }
        }
        let chunk = match pipeline.decode_to_vec(step.filter_mask, stored, &mut scratch.filters) {
            Ok(chunk) => Arc::new(chunk),
            Err(refusal) => return Ok(Err(refusal)),
        };
        cache.insert(self.key(step), chunk.clone());
        Ok(pipeline.copy_part(&chunk, part, output))
    }

    /// Decodes the box around the elements that a window with steps takes, and copies those.
    fn decode_with_steps(
        &self,
        step: &Step,
        part: &ChunkPart<'_>,
        output: &mut PartOutput<'_, '_>,
        scratch: &mut StepScratch,
    ) -> Result<Result<(), Refusal>, Error> {
        let size = self.pipeline.element_size;
        let strides = dense_strides(part.shape, size);
        let len = part.shape.iter().product::<usize>().saturating_mul(size);
        let mut elements = core::mem::take(&mut scratch.elements);
        elements.resize(len, 0);
        let mut dense = PartOutput::new(&mut elements, part.shape, &strides, size);
        let decoded = self.decode(step, part, &mut dense, scratch);
        let taken: Vec<usize> = strides
            .iter()
            .zip(&self.plan.window.step)
            .map(|(stride, step)| stride.saturating_mul(to_usize(*step)))
            .collect();
        let shape = output.shape().to_vec();
        let copied = decoded.map(|decoded| {
            decoded?;
            output
                .copy_box(&alloc::vec![0; shape.len()], &shape, &elements, &taken)
                .map_err(Refusal::without_filter)
        });
        scratch.elements = elements;
        copied
    }

    /// Reads the bytes of a step to the start of `buffer`.
    fn read<'s>(&self, step: &Step, buffer: &'s mut Vec<u8>) -> Result<&'s [u8], Error> {
        let len = to_usize(step.range.end.saturating_sub(step.range.start));
        if buffer.len() < len {
            buffer.resize(len, 0);
        }
        let bytes = buffer.get_mut(..len).unwrap_or_default();
        self.plan.dataset.store().source().read_at(step.range.start, bytes)?;
        Ok(bytes)
    }

    fn cached(&self, step: &Step) -> Option<Arc<Vec<u8>>> {
        self.cache?.get(self.key(step))
    }

    fn key(&self, step: &Step) -> ChunkKey {
        let dataset = &self.plan.dataset;
        ChunkKey {
            file: dataset.store().id,
            dataset: dataset.address().0,
            chunk: step.range.start,
            filter_mask: step.filter_mask,
        }
    }
}

fn refuse(step: &Step, refusal: Refusal) -> Error {
    chunk_error(&step.coord, step.range.start, refusal)
}

/// What is needed to cut the work up.
#[cfg(feature = "parallel")]
impl<'p> Runner<'p> {
    pub(super) fn steps(&self) -> &'p [Step] {
        &self.plan.steps
    }

    /// Bytes from one element of the result to the next along `axis`.
    pub(super) fn stride(&self, axis: usize) -> usize {
        self.strides.get(axis).copied().unwrap_or(self.pipeline.element_size)
    }

    pub(super) fn strides(&self) -> &[usize] {
        &self.strides
    }

    pub(super) fn element_size(&self) -> usize {
        self.pipeline.element_size
    }

    /// The first axis along which the result has more than one element.
    pub(super) fn slab_axis(&self) -> usize {
        self.shape.iter().position(|n| *n > 1).unwrap_or(0)
    }

    /// Bytes that are read and written.
    fn work(&self) -> u64 {
        let stored =
            self.plan.steps.iter().map(|step| step.range.end.saturating_sub(step.range.start));
        stored.fold(self.plan.len_bytes() as u64, u64::saturating_add)
    }
}

/// Buffers that one step leaves to the next.
#[derive(Debug, Default)]
pub(super) struct StepScratch {
    stored: Vec<u8>,
    elements: Vec<u8>,
    filters: Scratch,
}

/// Windows and pieces that were planned fit memory.
fn to_usize(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

//! Read plans: a window as independent steps, each reading one range of the file.

use alloc::vec::Vec;
use core::ops::Range;

use super::elements::chunk_error;
use super::run::{self, Found};
use super::selection::{Selection, region};
use super::{Dataset, Window};
use crate::error::{Error, Problem};
use crate::filter::Refusal;
use crate::limits::within;
use crate::message::dataspace::Dataspace;
use crate::message::layout::{ChunkedLayout, Layout, StorageKind};
use crate::stored_number::Order;

/// What reading a window takes: independent steps that any thread may run.
///
/// A host that must fetch bytes first asks for [`ReadPlan::ranges`], or lets [`ReadPlan::read_bytes`] answer
/// [`crate::SourceError::NotResident`] once with all of them.
#[derive(Debug, Clone)]
pub struct ReadPlan {
    pub(super) dataset: Dataset,
    pub(super) window: Window,
    /// Extent of the pieces that steps read from: the dataset's chunks, or parts of a contiguous one.
    pub(super) piece_dims: Vec<u64>,
    /// In C order of the pieces.
    pub(super) steps: Vec<Step>,
    /// Whether elements are left that no step gives.
    pub(super) has_gaps: bool,
    ranges: Vec<Range<u64>>,
    len_bytes: usize,
}

/// One piece of a dataset, and the bytes to read for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    /// Place in the grid of pieces.
    pub(super) coord: Vec<u64>,
    /// The stored chunk; where no filter was applied, only what lies between the first and the last element wanted.
    pub(super) range: Range<u64>,
    /// Bit `i` set: filter `i` of the pipeline was not applied.
    pub(super) filter_mask: u32,
}

/// Bytes between two runs of elements that are read along rather than skipped.
const MAX_GAP: u64 = 16 << 10;

/// Bytes of a contiguous dataset that one step reads, at least.
const PIECE_BYTES: u64 = 4 << 20;

impl ReadPlan {
    /// Plans the read of `window`.
    pub(super) fn new(dataset: &Dataset, window: &Window) -> Result<Self, Error> {
        if *dataset.dataspace() == Dataspace::Null {
            return Err(Error::Request { reason: "a null dataspace has no elements".into() });
        }
        window.check(dataset.shape())?;
        let mut plan = Self {
            dataset: dataset.clone(),
            window: window.clone(),
            piece_dims: dataset.shape().to_vec(),
            steps: Vec::new(),
            has_gaps: false,
            ranges: Vec::new(),
            len_bytes: dataset.bytes_of_read(&window.shape)?,
        };
        if plan.len_bytes == 0 {
            return Ok(plan);
        }
        let description = dataset.description();
        match (description.storage, &description.layout) {
            (StorageKind::Virtual, _) => {
                return Err(dataset.refuse(Problem::unsupported("virtual storage")));
            }
            (StorageKind::External, _) => {
                return Err(dataset.refuse(Problem::unsupported("storage in other files")));
            }
            (_, Layout::Contiguous { address: Some(address), size }) => {
                let total = dataset.total_bytes()?;
                if size.is_some_and(|size| size < total) {
                    let problem = Problem::invalid("less storage than the elements take");
                    return Err(dataset.refuse(problem));
                }
                plan.add_pieces(dataset.store().offset(*address))?;
            }
            (_, Layout::Contiguous { address: None, .. }) => plan.has_gaps = true,
            (_, Layout::Chunked(layout)) => plan.add_chunks(layout)?,
            (_, Layout::Compact { .. } | Layout::Virtual) => {}
        }
        plan.ranges = in_file_order(&plan.steps);
        Ok(plan)
    }

    /// The stored bytes that the steps read, in bytes from the start of the file, in file order.
    pub fn ranges(&self) -> &[Range<u64>] {
        &self.ranges
    }

    /// Number of independent steps; at most that many threads share the work.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Whether nothing of the window was ever written.
    pub(crate) fn is_unwritten(&self) -> bool {
        self.steps.is_empty() && self.has_gaps
    }

    /// Bytes of the result.
    pub fn len_bytes(&self) -> usize {
        self.len_bytes
    }

    /// Elements of the result.
    pub(super) fn len_elements(&self) -> usize {
        self.len_bytes.checked_div(self.dataset.element_size()).unwrap_or(0)
    }

    /// Runs the steps, on all threads with the feature `parallel`: the elements of the window in C order, little-endian
    /// whatever the stored order.
    ///
    /// # Errors
    /// As [`Dataset::read_bytes`].
    pub fn read_bytes(&self, out: &mut [u8]) -> Result<(), Error> {
        self.dataset.naming(|| run::read_bytes(self, out, Order::Little, Found::Anything))
    }

    /// Cuts what the window takes of a contiguous dataset into pieces that are adjacent in the file.
    fn add_pieces(&mut self, offset: u64) -> Result<(), Error> {
        let dataset = self.dataset.clone();
        let size = u64::from(dataset.datatype().size);
        self.piece_dims = piece_dims(&self.window, dataset.shape(), size);
        let max = dataset.store().source().len();
        let region = region(&self.window, &self.piece_dims, max).ok_or_else(|| {
            dataset.refuse(Problem::invalid("more elements than the file has bytes"))
        })?;
        let strides = strides(dataset.shape(), size);
        for coord in region.coords() {
            let corner = offset_of(&coord, &self.piece_dims, &strides);
            let range = corner
                .and_then(|corner| self.span(&coord, corner.checked_add(offset)?, dataset.shape()));
            let Some(range) = range.filter(|range| range.end <= max) else {
                return Err(dataset.refuse(Problem::invalid("elements past the end of the file")));
            };
            self.steps.push(Step { coord, range, filter_mask: u32::MAX });
        }
        Ok(())
    }

    fn add_chunks(&mut self, layout: &ChunkedLayout) -> Result<(), Error> {
        let dataset = self.dataset.clone();
        let index = dataset.index(layout)?;
        self.piece_dims.clone_from(&layout.chunk_dims);
        let max = dataset.store().limits().max_chunks;
        let region = region(&self.window, &layout.chunk_dims, max).ok_or_else(|| {
            let (what, limit) = ("chunks of one read", "max_chunks");
            dataset.refuse(Problem::Limit { what, found: max.saturating_add(1), limit, max })
        })?;
        let found = index.of_region(&region)?;
        self.has_gaps = Some(found.len() as u64) != region.count();
        self.steps.reserve(found.len());
        for (coord, entry) in found {
            let filter_mask = dataset.filter_mask(layout, &coord, entry.filter_mask);
            let mut range = dataset.stored_range(&coord, entry)?;
            if dataset.is_raw(filter_mask) {
                if entry.stored_bytes != index.chunk_bytes {
                    let (found, expected) = (entry.stored_bytes, index.chunk_bytes);
                    let problem = alloc::format!("{found} bytes for a chunk of {expected}");
                    let refusal = Refusal::without_filter(Problem::invalid(problem));
                    return Err(chunk_error(&coord, range.start, refusal));
                }
                let span = self.span(&coord, range.start, &layout.chunk_dims);
                range = span.unwrap_or(range);
            }
            self.steps.push(Step { coord, range, filter_mask });
        }
        Ok(())
    }

    /// The bytes from the first to the last element that the window takes of an unfiltered piece. `corner` is the offset
    /// of the piece's first element in the file, `dims` the extent over which its elements lie in C order.
    fn span(&self, coord: &[u64], corner: u64, dims: &[u64]) -> Option<Range<u64>> {
        let selection = Selection::new(&self.window, &self.piece_dims, coord)?;
        let size = u64::from(self.dataset.datatype().size);
        let strides = strides(dims, size);
        let ones = alloc::vec![1; dims.len()];
        let mut last = selection.extent(&self.window.step);
        for n in &mut last {
            *n = n.saturating_sub(1);
        }
        let start = corner.checked_add(offset_of(&selection.start, &ones, &strides)?)?;
        let len = offset_of(&last, &ones, &strides)?.checked_add(size)?;
        Some(start..start.checked_add(len)?)
    }
}

impl Dataset {
    /// Bytes of a box of elements of this extent, if one read may give that many.
    pub(crate) fn bytes_of_read(&self, shape: &[u64]) -> Result<usize, Error> {
        if shape.contains(&0) {
            return Ok(0);
        }
        let limits = self.limits();
        let size = u64::from(self.datatype().size);
        within("bytes of one element", size, "max_element_bytes", limits.max_element_bytes)
            .map_err(|problem| self.refuse(problem))?;
        let bytes = shape.iter().try_fold(size, |bytes, n| bytes.checked_mul(*n));
        let bytes = bytes.unwrap_or(u64::MAX);
        within("bytes of one read", bytes, "max_read_bytes", limits.max_read_bytes)
            .map_err(|problem| self.refuse(problem))?;
        usize::try_from(bytes)
            .map_err(|_| self.refuse(Problem::unsupported("an array larger than memory")))
    }
}

/// Bytes from one element to the next along each axis; saturated where they do not fit.
pub(super) fn strides(dims: &[u64], element_size: u64) -> Vec<u64> {
    let mut strides = alloc::vec![element_size; dims.len()];
    let mut stride = element_size;
    for (place, n) in strides.iter_mut().zip(dims).rev() {
        *place = stride;
        stride = stride.saturating_mul(*n);
    }
    strides
}

/// Byte offset of the first element of a piece.
fn offset_of(coord: &[u64], piece_dims: &[u64], strides: &[u64]) -> Option<u64> {
    coord.iter().zip(piece_dims).zip(strides).try_fold(0_u64, |sum, ((at, piece), stride)| {
        sum.checked_add(at.checked_mul(*piece)?.checked_mul(*stride)?)
    })
}

/// Extent of the pieces of a contiguous dataset: whole along the axes on which the elements of the window lie close
/// together, some MiB along the next, and 1 along all slower ones.
fn piece_dims(window: &Window, dims: &[u64], element_size: u64) -> Vec<u64> {
    let mut pieces = dims.to_vec();
    let mut span = element_size;
    let mut close = true;
    let mut cut = None;
    let axes = window.shape.iter().zip(&window.step).zip(strides(dims, element_size)).enumerate();
    for (axis, ((n, step), stride)) in axes.rev() {
        let distance = step.saturating_mul(stride);
        if *n > 1 {
            close = close && distance.saturating_sub(span) <= MAX_GAP;
            span = n.saturating_sub(1).saturating_mul(distance).saturating_add(span);
            if close {
                cut = Some((axis, PIECE_BYTES.checked_div(stride).unwrap_or(0).max(1)));
            }
        }
        if !close && let Some(piece) = pieces.get_mut(axis) {
            *piece = 1;
        }
    }
    // Only the slowest of the close axes is cut; it has the largest stride.
    if let Some((axis, n)) = cut
        && let Some(piece) = pieces.get_mut(axis)
    {
        *piece = n.min(*piece);
    }
    pieces
}

fn in_file_order(steps: &[Step]) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = steps.iter().map(|step| step.range.clone()).collect();
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    ranges.dedup_by(|next, last| {
        let joined = next.start <= last.end;
        if joined {
            last.end = last.end.max(next.end);
        }
        joined
    });
    ranges
}

//! A box of an array as a list of blocks, and what is wanted of each.

use codec::strided;

use crate::error::Error;
use crate::layout::{Layout, MAX_RANK};

/// One number per axis, slowest first; those after the rank mean nothing.
type Axes = [usize; MAX_RANK];

/// The elements that one block holds of a box.
#[derive(Debug, Clone)]
pub struct Step {
    /// Number of the chunk in the frame.
    pub chunk: usize,
    /// Number of the block in the chunk.
    pub block: usize,
    rank: usize,
    /// First element, from the corner of the box.
    at: Axes,
    /// First element, from the corner of the block.
    from: Axes,
    /// Number of elements.
    shape: Axes,
}

/// Decoded elements of a box, and where they belong.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'p> {
    /// The first element's place in the box, one number per axis, slowest first.
    pub at: &'p [usize],
    /// Number of elements along each axis.
    pub shape: &'p [usize],
    /// The elements, the first one at the start.
    pub bytes: &'p [u8],
    /// Distances of neighbours in `bytes`, in bytes, one per axis.
    pub strides: &'p [usize],
}

impl Piece<'_> {
    /// Copies the piece to its place in the box that `target` holds, with these distances of neighbours in bytes.
    pub(crate) fn copy_to(
        &self,
        target: &mut [u8],
        strides: &[usize],
        element_size: usize,
    ) -> Result<(), Error> {
        strided::offset_of(self.at, strides)
            .and_then(|first| target.get_mut(first..))
            .and_then(|target| {
                let from = (self.bytes, self.strides);
                strided::copy_box(self.shape, (target, strides), from, element_size)
            })
            .ok_or(Error::Request { reason: "the piece leaves the target" })
    }
}

impl Step {
    /// What is wanted of the decoded block `bytes`.
    pub(crate) fn piece<'p>(&'p self, bytes: &'p [u8], strides: &'p [usize]) -> Piece<'p> {
        let offset: usize = self.from.iter().zip(strides).map(|(n, stride)| n * stride).sum();
        Piece {
            at: &self.at[..self.rank],
            shape: &self.shape[..self.rank],
            bytes: bytes.get(offset..).unwrap_or_default(),
            strides,
        }
    }
}

impl Step {
    /// Copies the elements of the box to the block that holds them, the rest of which becomes zero.
    pub(crate) fn gather(
        &self,
        (elements, strides): (&[u8], &[usize]),
        (block, block_strides): (&mut [u8], &[usize]),
        element_size: usize,
    ) {
        let shape = &self.shape[..self.rank];
        if shape.iter().product::<usize>() * element_size < block.len() {
            block.fill(0);
        }
        strided::offset_of(&self.at[..self.rank], strides)
            .and_then(|first| elements.get(first..))
            .and_then(|from| {
                strided::copy_box(shape, (block, block_strides), (from, strides), element_size)
            })
            .expect("a step lies in its box and its block");
    }
}

/// The blocks that a box touches, chunk by chunk, each row-major.
#[derive(Debug, Clone)]
pub struct Steps<'l> {
    layout: &'l Layout,
    start: Axes,
    end: Axes,
    chunks: Grid,
    /// The chunk at hand.
    chunk: Axes,
    blocks: Grid,
}

impl<'l> Steps<'l> {
    /// The steps for the box of `shape` elements from `start` on.
    pub(crate) fn new(layout: &'l Layout, start: &[usize], shape: &[usize]) -> Result<Self, Error> {
        let rank = layout.shape().len();
        let mut fits = start.len() == rank && shape.len() == rank;
        let (mut low, mut end, mut high) = ([0; MAX_RANK], [0; MAX_RANK], [0; MAX_RANK]);
        for (axis, (first, count)) in start.iter().zip(shape).enumerate().take(rank) {
            let last = first.checked_add(*count).filter(|last| *last <= layout.shape()[axis]);
            fits &= last.is_some();
            end[axis] = last.unwrap_or(0);
            low[axis] = first / layout.chunk_shape()[axis];
            // An empty axis touches no chunk.
            high[axis] =
                if *count == 0 { 0 } else { end[axis].div_ceil(layout.chunk_shape()[axis]) };
        }
        if !fits {
            return Err(Error::Request { reason: "the box leaves the array" });
        }
        let mut first = [0; MAX_RANK];
        first[..rank].copy_from_slice(start);
        let chunks = Grid::new(rank, low, high);
        let blocks = Grid::new(rank, [0; MAX_RANK], [0; MAX_RANK]);
        Ok(Self { layout, start: first, end, chunks, chunk: [0; MAX_RANK], blocks })
    }

    /// The part of the box in the chunk at hand, along one axis, from the corner of the chunk.
    fn in_chunk(&self, axis: usize) -> (usize, usize) {
        let extent = self.layout.chunk_shape()[axis];
        let corner = self.chunk[axis] * extent;
        (self.start[axis].max(corner) - corner, self.end[axis].min(corner + extent) - corner)
    }

    /// The blocks that the box touches in the chunk at hand.
    fn touched_blocks(&self) -> Grid {
        let (mut low, mut high) = ([0; MAX_RANK], [0; MAX_RANK]);
        for (axis, extent) in self.layout.block_shape().iter().enumerate() {
            let (first, end) = self.in_chunk(axis);
            low[axis] = first / extent;
            high[axis] = end.div_ceil(*extent);
        }
        Grid::new(self.chunks.rank, low, high)
    }

    fn step(&self, block: &Axes) -> Step {
        let rank = self.chunks.rank;
        let mut step = Step {
            chunk: 0,
            block: 0,
            rank,
            at: [0; MAX_RANK],
            from: [0; MAX_RANK],
            shape: [0; MAX_RANK],
        };
        for (axis, extent) in self.layout.block_shape().iter().enumerate() {
            let chunk_extent = self.layout.chunk_shape()[axis];
            let (first, end) = self.in_chunk(axis);
            let corner = block[axis] * extent;
            let (first, end) = (first.max(corner), end.min(corner + extent));
            step.from[axis] = first - corner;
            step.shape[axis] = end - first;
            step.at[axis] = self.chunk[axis] * chunk_extent + first - self.start[axis];
            step.chunk =
                step.chunk * self.layout.shape()[axis].div_ceil(chunk_extent) + self.chunk[axis];
            step.block = step.block * chunk_extent.div_ceil(*extent) + block[axis];
        }
        step
    }
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        loop {
            if let Some(block) = self.blocks.next() {
                return Some(self.step(&block));
            }
            self.chunk = self.chunks.next()?;
            self.blocks = self.touched_blocks();
        }
    }
}

/// The places of a grid between two corners, row-major.
#[derive(Debug, Clone)]
struct Grid {
    rank: usize,
    low: Axes,
    high: Axes,
    next: Option<Axes>,
}

impl Grid {
    /// The places from `low` on and below `high`.
    fn new(rank: usize, low: Axes, high: Axes) -> Self {
        let is_empty = (0..rank).any(|axis| low[axis] >= high[axis]);
        Self { rank, low, high, next: (!is_empty).then_some(low) }
    }
}

impl Iterator for Grid {
    type Item = Axes;

    fn next(&mut self) -> Option<Axes> {
        let place = self.next?;
        let mut after = place;
        self.next = None;
        for axis in (0..self.rank).rev() {
            after[axis] += 1;
            if after[axis] < self.high[axis] {
                self.next = Some(after);
                break;
            }
            after[axis] = self.low[axis];
        }
        Some(place)
    }
}

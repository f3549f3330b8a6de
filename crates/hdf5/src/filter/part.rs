//! A box of elements inside a chunk, and the place in a reader's memory where it goes.

use crate::error::Problem;
use codec::strided::{copy_box, dense_len, for_each_run, offset_of};

/// A box of elements inside a chunk, slowest axis first. It is never empty and never leaves the chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkPart<'a> {
    /// First element of each axis, counted from the chunk's corner.
    pub start: &'a [usize],
    /// Number of elements of each axis.
    pub shape: &'a [usize],
}

impl ChunkPart<'_> {
    /// Whether this is the whole of a chunk of `chunk_dims` elements.
    pub fn is_whole(&self, chunk_dims: &[u64]) -> bool {
        self.shape.len() == chunk_dims.len()
            && self.shape.iter().zip(chunk_dims).all(|(part, chunk)| *part as u64 == *chunk)
    }
}

/// Where the elements of a [`ChunkPart`] go: rows along the fastest axis, at any distance from one another.
///
/// A filter fills it with [`PartOutput::copy_box`], block by block in any order, or decodes straight into
/// [`PartOutput::contiguous`] where the rows lie one after the other. The bytes there before mean nothing.
#[derive(Debug)]
pub struct PartOutput<'o, 'b> {
    memory: Memory<'o, 'b>,
    shape: &'o [usize],
    strides: &'o [usize],
    element_size: usize,
}

#[derive(Debug)]
enum Memory<'o, 'b> {
    /// One slice that starts at the part's first element.
    One(&'o mut [u8]),
    #[cfg_attr(
        not(any(test, feature = "parallel")),
        expect(dead_code, reason = "threads make them")
    )]
    /// One slice per index along `axis`: what a thread gets of an output that several of them fill. All slower
    /// axes have one element. The part's first element is `offset` bytes into each slice.
    Planes { axis: usize, offset: usize, planes: &'o mut [&'b mut [u8]] },
}

#[cfg_attr(
    not(any(test, feature = "parallel")),
    expect(clippy::elidable_lifetime_names, reason = "threads name it")
)]
impl<'o, 'b> PartOutput<'o, 'b> {
    /// An output in one slice that starts at the part's first element; `strides` are in bytes.
    pub(crate) fn new(
        memory: &'o mut [u8],
        shape: &'o [usize],
        strides: &'o [usize],
        element_size: usize,
    ) -> Self {
        Self { memory: Memory::One(memory), shape, strides, element_size }
    }

    #[cfg(any(test, feature = "parallel"))]
    /// An output with one slice per index along `axis`, the part starting `offset` bytes into each.
    pub(crate) fn in_planes(
        planes: &'o mut [&'b mut [u8]],
        axis: usize,
        offset: usize,
        shape: &'o [usize],
        strides: &'o [usize],
        element_size: usize,
    ) -> Self {
        Self { memory: Memory::Planes { axis, offset, planes }, shape, strides, element_size }
    }

    /// Number of elements of each axis: the shape of the part.
    pub fn shape(&self) -> &[usize] {
        self.shape
    }

    /// Bytes of one element.
    pub fn element_size(&self) -> usize {
        self.element_size
    }

    /// All elements in C order as one slice, when they lie so in memory.
    pub fn contiguous(&mut self) -> Option<&mut [u8]> {
        match &mut self.memory {
            Memory::One(bytes) => {
                bytes.get_mut(..dense_len(self.shape, self.strides, self.element_size)?)
            }
            Memory::Planes { .. } => None,
        }
    }

    /// Copies a box of `shape` elements to `at`, counted from the part's first element.
    ///
    /// `source` starts at the first element of the box; `source_strides` are its distances in bytes, one per
    /// axis, slowest first.
    ///
    /// # Errors
    /// A [`Problem`] when the box leaves the part or the source.
    pub fn copy_box(
        &mut self,
        at: &[usize],
        shape: &[usize],
        source: &[u8],
        source_strides: &[usize],
    ) -> Result<(), Problem> {
        let inside = at.len() == self.shape.len()
            && shape.len() == self.shape.len()
            && (at.iter().zip(shape).zip(self.shape))
                .all(|((at, n), extent)| at.checked_add(*n).is_some_and(|end| end <= *extent));
        if !inside {
            return Err(Problem::invalid("decoded elements outside of the chunk"));
        }
        self.copy_inside(at, shape, (source, source_strides)).ok_or_else(|| {
            Problem::invalid("the chunk decodes to fewer bytes than its elements take")
        })
    }

    /// Visits the runs of the part that are adjacent here and in a source of `source_strides`, in which the part starts
    /// at `from`; strides and offsets in bytes. `None` when the visitor says so.
    pub(crate) fn for_each_run(
        &mut self,
        (from, source_strides): (usize, &[usize]),
        visit: &mut impl FnMut(usize, &mut [u8]) -> Option<()>,
    ) -> Option<()> {
        let size = self.element_size;
        match &mut self.memory {
            Memory::One(bytes) => {
                for_each_run(self.shape, (bytes, self.strides), (from, source_strides), size, visit)
            }
            Memory::Planes { axis, offset, planes } => {
                let inner = axis.checked_add(1)?;
                let (shape, strides) = (self.shape.get(inner..)?, self.strides.get(inner..)?);
                let stride = *source_strides.get(*axis)?;
                let planes = planes.iter_mut().take(*self.shape.get(*axis)?).enumerate();
                for (i, plane) in planes {
                    let to = (plane.get_mut(*offset..)?, strides);
                    let from = from.checked_add(i.checked_mul(stride)?)?;
                    for_each_run(shape, to, (from, source_strides.get(inner..)?), size, visit)?;
                }
                Some(())
            }
        }
    }

    fn copy_inside(
        &mut self,
        at: &[usize],
        shape: &[usize],
        (source, source_strides): (&[u8], &[usize]),
    ) -> Option<()> {
        let size = self.element_size;
        match &mut self.memory {
            Memory::One(bytes) => {
                let to = bytes.get_mut(offset_of(at, self.strides)?..)?;
                copy_box(shape, (to, self.strides), (source, source_strides), size)
            }
            Memory::Planes { axis, offset, planes } => {
                let inner = axis.checked_add(1)?;
                let strides = self.strides.get(inner..)?;
                let to = offset.checked_add(offset_of(at.get(inner..)?, strides)?)?;
                let stride = *source_strides.get(*axis)?;
                let (n, first) = (*shape.get(*axis)?, *at.get(*axis)?);
                for i in 0..n {
                    let to = planes.get_mut(first.checked_add(i)?)?.get_mut(to..)?;
                    let from = source.get(i.checked_mul(stride)?..)?;
                    let from = (from, source_strides.get(inner..)?);
                    copy_box(shape.get(inner..)?, (to, strides), from, size)?;
                }
                Some(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    /// A box of 2 x 3 x 4 bytes, all different.
    fn source() -> Vec<u8> {
        (1..=24).collect()
    }

    #[test]
    fn planes_and_one_slice_give_the_same() {
        let (shape, strides) = ([2, 3, 4], [32, 8, 1]);
        let mut one = vec![0; 64];
        PartOutput::new(&mut one[3..], &shape, &strides, 1)
            .copy_box(&[0, 1, 2], &[2, 2, 2], &source(), &[12, 4, 1])
            .unwrap();
        let mut split = vec![0; 64];
        let mut planes: Vec<&mut [u8]> = split.chunks_mut(32).collect();
        PartOutput::in_planes(&mut planes, 0, 3, &shape, &strides, 1)
            .copy_box(&[0, 1, 2], &[2, 2, 2], &source(), &[12, 4, 1])
            .unwrap();
        assert_eq!(one, split);
        assert_eq!(one[13..15], [1, 2]);
    }

    #[test]
    fn refuses_a_box_outside_the_part() {
        let mut memory = vec![0; 24];
        let mut output = PartOutput::new(&mut memory, &[2, 3, 4], &[12, 4, 1], 1);
        assert!(output.copy_box(&[1, 0, 0], &[2, 3, 4], &source(), &[12, 4, 1]).is_err());
        assert!(output.copy_box(&[0, 0, 0], &[2, 3, 4], &source()[1..], &[12, 4, 1]).is_err());
        assert!(output.contiguous().is_some());
    }
}

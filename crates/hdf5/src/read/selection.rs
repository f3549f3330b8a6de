//! The elements that a window takes of one chunk.

use alloc::vec::Vec;

use super::Window;
use crate::chunk_index::ChunkRegion;

/// The elements that a window takes of one chunk: a box in the window, and one with steps in the chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Selection {
    /// First element of each axis, counted in the window's result.
    pub(super) place: Vec<usize>,
    /// Number of elements of each axis.
    pub(super) shape: Vec<usize>,
    /// First element of each axis, counted from the chunk's corner.
    pub(super) start: Vec<u64>,
}

impl Selection {
    /// What `window` takes of the chunk at `chunk_coord`; `None` when a step jumps over the chunk.
    ///
    /// The window must be inside the dataset, which bounds all of these numbers.
    pub(super) fn new(window: &Window, chunk_dims: &[u64], chunk_coord: &[u64]) -> Option<Self> {
        let rank = chunk_dims.len();
        let mut selection = Self {
            place: Vec::with_capacity(rank),
            shape: Vec::with_capacity(rank),
            start: Vec::with_capacity(rank),
        };
        let axes = window.start.iter().zip(&window.shape).zip(&window.step);
        for (((start, n), step), (chunk, coord)) in axes.zip(chunk_dims.iter().zip(chunk_coord)) {
            let corner = chunk.checked_mul(*coord)?;
            let first = corner.saturating_sub(*start).div_ceil(*step);
            let end = corner.checked_add(*chunk)?.saturating_sub(*start).div_ceil(*step).min(*n);
            let count = end.checked_sub(first).filter(|count| *count > 0)?;
            let element = first.checked_mul(*step)?.checked_add(*start)?;
            selection.place.push(usize::try_from(first).ok()?);
            selection.shape.push(usize::try_from(count).ok()?);
            selection.start.push(element.checked_sub(corner)?);
        }
        Some(selection)
    }

    /// Number of elements from the first to the last along each axis, with those that steps leave out.
    pub(super) fn extent(&self, step: &[u64]) -> Vec<u64> {
        let mut extent = Vec::with_capacity(self.shape.len());
        for (n, step) in self.shape.iter().zip(step) {
            extent.push((*n as u64).saturating_sub(1).saturating_mul(*step).saturating_add(1));
        }
        extent
    }
}

/// The chunks of which `window` takes elements; `None` when there are more than `max`.
///
/// The window must be inside the dataset.
pub(super) fn region(window: &Window, chunk_dims: &[u64], max: u64) -> Option<ChunkRegion> {
    let mut axes = Vec::with_capacity(chunk_dims.len());
    let mut count = 1_u64;
    let windows = window.start.iter().zip(&window.shape).zip(&window.step);
    for (((start, n), step), chunk) in windows.zip(chunk_dims) {
        let place_of = |index: u64| {
            index.saturating_mul(*step).saturating_add(*start).checked_div(*chunk).unwrap_or(0)
        };
        // Steps of a chunk or more never meet the same chunk twice; shorter ones leave none out.
        let jumps = step >= chunk;
        let (first, last) = (place_of(0), place_of(n.saturating_sub(1)));
        let places = match n {
            0 => 0,
            _ if jumps => *n,
            _ => last.saturating_sub(first).saturating_add(1),
        };
        count = count.checked_mul(places).filter(|count| *count <= max && places <= max)?;
        axes.push(if jumps { (0..*n).map(place_of).collect() } else { (first..=last).collect() });
    }
    Some(ChunkRegion { axes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    #[test]
    fn a_box_across_chunks() {
        let window = Window::new(&[3, 1], &[4, 2]);
        let expected = ChunkRegion { axes: vec![vec![0, 1], vec![0]] };
        assert_eq!(region(&window, &[4, 4], 2), Some(expected));
        assert_eq!(region(&window, &[4, 4], 1), None);
        let upper = Selection::new(&window, &[4, 4], &[1, 0]).unwrap();
        assert_eq!((upper.place, upper.shape, upper.start), (vec![1, 0], vec![3, 2], vec![0, 1]));
        assert_eq!(Selection::new(&window, &[4, 4], &[0, 1]), None);
    }

    #[test]
    fn a_step_over_chunks() {
        let window = Window::new(&[1], &[3]).with_step(&[7]);
        let starts: Vec<_> = (0..8)
            .map(|coord| Selection::new(&window, &[2], &[coord]).map(|found| found.start[0]))
            .collect();
        assert_eq!(starts, [Some(1), None, None, None, Some(0), None, None, Some(1)]);
        assert_eq!(region(&window, &[2], 9).unwrap().axes, [[0, 4, 7]]);
    }

    proptest! {
        #[test]
        fn every_element_is_taken_once(
            (start, n, step, chunk) in (0_u64..20, 1_u64..20, 1_u64..9, 1_u64..9)
        ) {
            let window = Window::new(&[start], &[n]).with_step(&[step]);
            let mut taken = Vec::new();
            for coord in region(&window, &[chunk], 1000).unwrap().coords() {
                let found = Selection::new(&window, &[chunk], &coord).unwrap();
                let coord = coord[0];
                prop_assert_eq!(found.place[0], taken.len());
                taken.extend((0..found.shape[0] as u64).map(|i| coord * chunk + found.start[0] + i * step));
                prop_assert!(found.start[0] + found.extent(&[step])[0] <= chunk);
            }
            let expected: Vec<u64> = (0..n).map(|i| start + i * step).collect();
            prop_assert_eq!(taken, expected);
        }
    }
}

//! A dataset in pieces of bounded size, in C order, so that no volume has to fit in memory.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::{Dataset, Window};

/// The windows of [`Dataset::slabs`].
#[derive(Debug, Clone)]
pub struct Slabs {
    shape: Vec<u64>,
    /// The axis that is cut into runs: axes before it are taken one by one, axes after it whole.
    cut: usize,
    /// Length of a run on the cut axis.
    run: u64,
    next: Option<Vec<u64>>,
}

impl Dataset {
    /// Windows that give all elements in C order, one after the other, each of at most `max_bytes`.
    ///
    /// A sixteenth of that is enough for threads to find work in each, and is what a window takes where it can. It grows
    /// to hold a whole row of chunks, so that each chunk is decoded once, as long as one fits. Elements of variable
    /// length count as their references. An empty dataset has no windows; one element is never cut.
    pub fn slabs(&self, max_bytes: u64) -> Slabs {
        let element_bytes = u64::from(self.datatype().size).max(1);
        Slabs::new(self.shape(), self.chunk_dims(), element_bytes, max_bytes)
    }

    /// The same, but rows of blocks of `block_dims` ([`Dataset::block_dims`]) are what a window holds whole.
    pub fn slabs_of_blocks(&self, block_dims: &[u64], max_bytes: u64) -> Slabs {
        let element_bytes = u64::from(self.datatype().size).max(1);
        Slabs::new(self.shape(), Some(block_dims), element_bytes, max_bytes)
    }
}

impl Slabs {
    pub(crate) fn new(
        shape: &[u64],
        chunk_dims: Option<&[u64]>,
        element_bytes: u64,
        largest: u64,
    ) -> Self {
        let wanted = largest / 16;
        let chunk = |axis: usize| chunk_dims.and_then(|dims| dims.get(axis)).map_or(1, |dim| *dim);
        let (mut cut, mut bytes) = (shape.len().saturating_sub(1), element_bytes);
        for (axis, extent) in shape.iter().enumerate().skip(1).rev() {
            let chunks_span_outer_axes = (0..axis).any(|axis| chunk(axis) > 1);
            let most = if chunks_span_outer_axes { largest } else { wanted };
            let grown = bytes.saturating_mul(*extent);
            if grown > most {
                break;
            }
            (cut, bytes) = (axis.saturating_sub(1), grown);
        }
        let chunk = chunk(cut).max(1);
        let fit = |room: u64| room.checked_div(bytes).unwrap_or(0).max(1);
        let run = match fit(wanted).checked_rem(chunk) {
            Some(over) if fit(wanted) >= chunk => fit(wanted).saturating_sub(over),
            _ => chunk.min(fit(largest)),
        };
        let empty = shape.contains(&0);
        Self { shape: shape.to_vec(), cut, run, next: (!empty).then(|| vec![0; shape.len()]) }
    }
}

impl Iterator for Slabs {
    type Item = Window;

    fn next(&mut self) -> Option<Window> {
        let start = self.next.take()?;
        let axes = self.shape.iter().zip(&start).enumerate();
        let shape: Vec<u64> = axes
            .map(|(axis, (extent, start))| match axis.cmp(&self.cut) {
                Ordering::Less => 1,
                Ordering::Equal => self.run.min(extent.saturating_sub(*start)),
                Ordering::Greater => *extent,
            })
            .collect();
        self.next = self.after(&start);
        Some(Window::new(&start, &shape))
    }
}

impl Slabs {
    /// The start after `start`: the cut axis goes on by a run, axes before it by one.
    fn after(&self, start: &[u64]) -> Option<Vec<u64>> {
        let mut next = start.to_vec();
        let mut by = self.run;
        for (place, extent) in
            next.iter_mut().zip(&self.shape).take(self.cut.saturating_add(1)).rev()
        {
            *place = place.saturating_add(by);
            if *place < *extent {
                return Some(next);
            }
            *place = 0;
            by = 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGEST: u64 = 64 << 20;

    fn windows(shape: &[u64], chunk: Option<&[u64]>, bytes: u64) -> Vec<(Vec<u64>, Vec<u64>)> {
        Slabs::new(shape, chunk, bytes, LARGEST)
            .map(|window| (window.start, window.shape))
            .collect()
    }

    #[test]
    fn small_data_is_one_window() {
        assert_eq!(windows(&[], None, 8), [(vec![], vec![])]);
        assert_eq!(windows(&[3, 4], None, 2), [(vec![0, 0], vec![3, 4])]);
        assert_eq!(windows(&[3, 0], None, 2), []);
    }

    #[test]
    fn a_window_holds_whole_rows_of_chunks() {
        // 1 MiB a plane: a row of 16 planes is 16 MiB, more than wanted, but each chunk is decoded once.
        let found = windows(&[40, 1024, 512], Some(&[16, 64, 64]), 2);
        let planes: Vec<_> = found.iter().map(|(start, shape)| (start[0], shape[0])).collect();
        assert_eq!(planes, [(0, 16), (16, 16), (32, 8)]);
        // Chunks of one plane: as many as are wanted.
        let found = windows(&[6, 1024, 512], Some(&[1, 64, 64]), 2);
        assert_eq!(found.iter().map(|(_, shape)| shape[0]).collect::<Vec<_>>(), [4, 2]);
    }

    #[test]
    fn outer_axes_are_taken_one_by_one() {
        let found = windows(&[2, 8, 1024, 1024], Some(&[1, 4, 64, 64]), 1);
        let starts: Vec<_> = found.iter().map(|(start, _)| (start[0], start[1])).collect();
        assert_eq!(starts, [(0, 0), (0, 4), (1, 0), (1, 4)]);
        assert!(found.iter().all(|(_, shape)| shape == &[1, 4, 1024, 1024]));
    }

    #[test]
    fn no_window_is_larger_than_the_cap() {
        let slabs = Slabs::new(&[4096, 4096, 4096], Some(&[64, 64, 64]), 1, LARGEST);
        assert_eq!((slabs.cut, slabs.run), (0, 4));
        let huge = Slabs::new(&[u64::MAX, 2], None, 1, LARGEST);
        assert_eq!(huge.clone().take(2).last().unwrap().start, [huge.run, 0]);
    }
}

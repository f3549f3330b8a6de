//! Rows of voxels, and the runs of equal elements in them.

use std::ops::Range;

use super::{Region, Run};
use crate::ReadError;

pub(super) fn give_bits(
    places: &[Option<usize>],
    row: &[u64],
    at: u64,
    length: u64,
    mut word: u64,
    visit: &mut dyn FnMut(Run<'_>),
) {
    while word != 0 {
        let bit = word.trailing_zeros() as usize;
        word &= word - 1;
        if let Some(&Some(class)) = places.get(bit) {
            give(row, at, length, class, visit);
        }
    }
}

pub(super) fn give(
    row: &[u64],
    at: u64,
    length: u64,
    class: usize,
    visit: &mut dyn FnMut(Run<'_>),
) {
    /// Grids have two or three spatial axes; what has more is not valid and loses its slowest ones here.
    const AXES: usize = 8;

    let mut start = [0; AXES];
    let row = row.get(row.len().saturating_sub(AXES)..).unwrap_or_default();
    if let Some(start) = start.get_mut(..row.len()) {
        start.copy_from_slice(row);
        if let Some(last) = start.last_mut() {
            *last += at;
        }
        visit(Run { class, start, length });
    }
}

/// Number of voxels of a region.
pub(super) fn voxels_of(region: &[Range<u64>]) -> Result<usize, ReadError> {
    let extents = region.iter().map(|range| range.end.saturating_sub(range.start));
    let voxels = extents.fold(1_u64, u64::saturating_mul);
    usize::try_from(voxels)
        .ok()
        .filter(|voxels| *voxels < usize::MAX / 8)
        .ok_or_else(|| ReadError::value("a region of voxels is too large"))
}

/// Calls `visit` with each row of `region` along its last axis: its first voxel and its elements.
pub(super) fn for_each_row(
    region: &Region,
    element_bytes: usize,
    bytes: &[u8],
    mut visit: impl FnMut(&[u64], &[u8]),
) {
    let Some((along, outer)) = region.split_last() else { return };
    let extent = usize::try_from(along.end.saturating_sub(along.start)).unwrap_or(usize::MAX);
    let row_bytes = extent.saturating_mul(element_bytes);
    if row_bytes == 0 {
        return;
    }
    let mut start: Vec<u64> = region.iter().map(|range| range.start).collect();
    for row in bytes.chunks_exact(row_bytes) {
        visit(&start, row);
        for (place, range) in start.iter_mut().zip(outer).rev() {
            *place += 1;
            if *place < range.end {
                break;
            }
            *place = range.start;
        }
    }
}

/// Calls `found` with the place, length and value of every run of equal elements; runs of zeros are passed over.
pub(super) fn row_runs<const SIZE: usize>(row: &[u8], mut found: impl FnMut(u64, u64, [u8; SIZE])) {
    /// Elements compared at once where neighbours are mostly alike.
    const BLOCK: usize = 32;

    let (elements, _) = row.as_chunks::<SIZE>();
    let mut at = 0;
    while let Some(first) = elements.get(at) {
        let rest = elements.get(at..).unwrap_or_default();
        let is_alike = |block: &&[[u8; SIZE]]| {
            block.iter().fold(0_u32, |others, one| others + u32::from(one != first)) == 0
        };
        let alike = rest.chunks_exact(BLOCK).take_while(is_alike).count() * BLOCK;
        let tail = rest.get(alike..).unwrap_or_default();
        let length = alike + tail.iter().take_while(|one| *one == first).count();
        if first.iter().any(|byte| *byte != 0) {
            found(at as u64, length as u64, *first);
        }
        at += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_without_zeros() {
        let mut row = vec![0, 0, 3, 3, 3, 4];
        row.extend([4; 70]);
        row.extend([0, 7]);
        let mut seen = Vec::new();
        row_runs::<1>(&row, |at, length, [value]| seen.push((at, length, value)));
        assert_eq!(seen, [(2, 3, 3), (5, 71, 4), (77, 1, 7)]);
    }

    #[test]
    fn rows_are_counted_like_an_odometer() {
        let mut starts = Vec::new();
        for_each_row(&[1..3, 4..6, 0..2], 1, &[0; 8], |start, row| {
            assert_eq!(row.len(), 2);
            starts.push(start.to_vec());
        });
        assert_eq!(starts, [[1, 4, 0], [1, 5, 0], [2, 4, 0], [2, 5, 0]]);
    }

    #[test]
    fn each_bit_is_a_run() {
        let mut seen = Vec::new();
        let places = [Some(1), None, Some(0)];
        give_bits(&places, &[5, 2], 3, 4, 0b111, &mut |run| {
            seen.push((run.class, run.start.to_vec(), run.length));
        });
        assert_eq!(seen, [(1, vec![5, 5], 4), (0, vec![5, 5], 4)]);
    }
}

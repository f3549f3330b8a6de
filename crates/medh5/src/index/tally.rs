//! What is counted and kept of each class while its voxels go by.

use std::sync::atomic::{AtomicBool, Ordering};

use super::IndexOptions;
use super::draw::SplitMix64;
use crate::ReadError;
use crate::annotations::Run;

/// The most blocks that all occupancy maps of an annotation may have (1 GiB).
const MOST_BLOCKS: u64 = 1 << 30;

/// What the index says of one class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassTally {
    /// The class.
    pub class_id: i64,
    /// Voxels of the class.
    pub voxel_count: u64,
    /// First and last voxel along each axis, slowest first; `None` without voxels.
    pub bounds: Option<Vec<[u64; 2]>>,
    /// Voxels of the class, slowest axis first, in C order: all, or a choice of `max_coords`.
    pub coordinates: Vec<Vec<u32>>,
}

/// Which blocks of a grid hold each class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OccupancyMaps<Mark = bool> {
    /// Extent of a block along each axis, in voxels.
    pub factor: u64,
    /// Number of blocks along each axis.
    pub shape: Vec<u64>,
    /// For each class, for each block in C order: whether it holds the class.
    pub blocks: Vec<Mark>,
}

impl OccupancyMaps<AtomicBool> {
    pub(super) fn for_classes(
        classes: usize,
        shape: &[u64],
        factor: Option<u64>,
    ) -> Result<Option<Self>, ReadError> {
        let Some(factor) = factor.filter(|factor| *factor > 0) else { return Ok(None) };
        let shape: Vec<u64> = shape.iter().map(|extent| extent.div_ceil(factor)).collect();
        let count = shape.iter().fold(classes as u64, |n, extent| n.saturating_mul(*extent));
        if count > MOST_BLOCKS {
            let reason = format!("{count} blocks of {factor} voxels per axis: take larger blocks");
            return Err(ReadError::value(reason));
        }
        let blocks = (0..count).map(|_| AtomicBool::new(false)).collect();
        Ok(Some(Self { factor, shape, blocks }))
    }

    /// Marks the blocks that a run touches. Threads may mark the same block: all of them say the same.
    pub(super) fn mark(&self, run: Run<'_>) {
        let Some((&first, outer)) = run.start.split_last() else { return };
        let mut row = run.class as u64;
        for (place, extent) in outer.iter().zip(&self.shape) {
            row = row * extent + place / self.factor;
        }
        let along = self.shape.last().copied().unwrap_or(0);
        let place = |voxel: u64| usize::try_from(row * along + voxel / self.factor).unwrap_or(0);
        let last = first + run.length.saturating_sub(1);
        if let Some(blocks) = self.blocks.get(place(first)..=place(last)) {
            for block in blocks {
                block.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl From<OccupancyMaps<AtomicBool>> for OccupancyMaps {
    fn from(maps: OccupancyMaps<AtomicBool>) -> Self {
        let blocks = maps.blocks.into_iter().map(AtomicBool::into_inner).collect();
        Self { factor: maps.factor, shape: maps.shape, blocks }
    }
}

/// Which voxels of which class are kept: those with the smallest numbers.
#[derive(Debug)]
pub(super) struct Picker {
    keep: usize,
    /// The seed of the numbers of each class.
    seeds: Vec<u64>,
}

impl Picker {
    pub(super) fn new(class_ids: &[i64], options: IndexOptions) -> Self {
        let keep = usize::try_from(options.max_coords).unwrap_or(usize::MAX);
        let seed = options.seed.cast_unsigned();
        let seeds = class_ids.iter().map(|class| SplitMix64::nth(seed, class.cast_unsigned()));
        Self { keep, seeds: seeds.collect() }
    }
}

/// What one thread has seen.
#[derive(Debug)]
pub(super) struct Tally {
    classes: Vec<Seen>,
}

#[derive(Debug)]
struct Seen {
    count: u64,
    low: Vec<u64>,
    high: Vec<u64>,
    /// Numbers and places of voxels, the smallest numbers among them.
    kept: Vec<(u64, u64)>,
    /// Larger numbers need not be kept.
    bar: u64,
}

impl Tally {
    pub(super) fn new(picker: &Picker, rank: usize) -> Self {
        let seen = |_| Seen {
            count: 0,
            low: vec![u64::MAX; rank],
            high: vec![0; rank],
            kept: Vec::new(),
            bar: u64::MAX,
        };
        Self { classes: picker.seeds.iter().map(seen).collect() }
    }

    /// Takes in a run of an annotation of `shape`.
    pub(super) fn add(&mut self, run: Run<'_>, shape: &[u64], picker: &Picker) {
        let (Some(seen), Some(&seed)) =
            (self.classes.get_mut(run.class), picker.seeds.get(run.class))
        else {
            return;
        };
        seen.count += run.length;
        for ((low, high), place) in seen.low.iter_mut().zip(&mut seen.high).zip(run.start) {
            *low = (*low).min(*place);
            *high = (*high).max(*place);
        }
        if let (Some(high), Some(first)) = (seen.high.last_mut(), run.start.last()) {
            *high = (*high).max(first + run.length.saturating_sub(1));
        }
        if picker.keep == 0 {
            return;
        }
        let first = run.start.iter().zip(shape).fold(0, |at, (place, extent)| at * extent + place);
        for voxel in first..first + run.length {
            let number = SplitMix64::nth(seed, voxel);
            if number <= seen.bar {
                seen.kept.push((number, voxel));
                seen.shrink(picker.keep, 2);
            }
        }
    }

    pub(super) fn merge(&mut self, other: Self, picker: &Picker) {
        for (seen, other) in self.classes.iter_mut().zip(other.classes) {
            seen.count += other.count;
            for (low, other) in seen.low.iter_mut().zip(other.low) {
                *low = (*low).min(other);
            }
            for (high, other) in seen.high.iter_mut().zip(other.high) {
                *high = (*high).max(other);
            }
            seen.kept.extend(other.kept);
            seen.shrink(picker.keep, 1);
        }
    }

    pub(super) fn finish(
        mut self,
        class_ids: &[i64],
        shape: &[u64],
        picker: &Picker,
    ) -> Vec<ClassTally> {
        self.classes.iter_mut().for_each(|seen| seen.shrink(picker.keep, 1));
        let classes = class_ids.iter().zip(&mut self.classes);
        classes.map(|(class_id, seen)| seen.finish(*class_id, shape)).collect()
    }
}

impl Seen {
    /// Lets go of what cannot be among the `keep` smallest, once there are `slack` times as many.
    fn shrink(&mut self, keep: usize, slack: usize) {
        if self.kept.len() <= keep.saturating_mul(slack) {
            return;
        }
        let (_, last, _) = self.kept.select_nth_unstable(keep.saturating_sub(1));
        self.bar = last.0;
        self.kept.truncate(keep);
    }

    fn finish(&mut self, class_id: i64, shape: &[u64]) -> ClassTally {
        let mut voxels: Vec<u64> = self.kept.iter().map(|(_, voxel)| *voxel).collect();
        voxels.sort_unstable();
        let bounds = self.low.iter().zip(&self.high).map(|(low, high)| [*low, *high]).collect();
        ClassTally {
            class_id,
            voxel_count: self.count,
            bounds: (self.count > 0).then_some(bounds),
            coordinates: voxels.into_iter().map(|voxel| coordinate(voxel, shape)).collect(),
        }
    }
}

/// The voxel at `place` in C order. No axis is longer than 31 bits count.
fn coordinate(mut place: u64, shape: &[u64]) -> Vec<u32> {
    let mut coordinate = vec![0; shape.len()];
    for (at, extent) in coordinate.iter_mut().zip(shape).rev() {
        *at = u32::try_from(place % extent).unwrap_or(u32::MAX);
        place /= extent;
    }
    coordinate
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(max_coords: u64, runs: &[(u64, u64)]) -> ClassTally {
        let picker = Picker::new(&[7], IndexOptions { max_coords, ..IndexOptions::default() });
        let mut halves = [Tally::new(&picker, 2), Tally::new(&picker, 2)];
        for (at, (first, length)) in runs.iter().enumerate() {
            let start = [first / 100, first % 100];
            halves[at % 2].add(
                Run { class: 0, start: &start, length: *length },
                &[9, 100],
                &picker,
            );
        }
        let [mut all, other] = halves;
        all.merge(other, &picker);
        all.finish(&[7], &[9, 100], &picker).pop().unwrap()
    }

    #[test]
    fn few_voxels_are_all_kept() {
        let found = tally(10, &[(305, 2), (110, 3)]);
        assert_eq!(found.voxel_count, 5);
        assert_eq!(found.bounds, Some(vec![[1, 3], [5, 12]]));
        let expected = [[1, 10], [1, 11], [1, 12], [3, 5], [3, 6]];
        assert_eq!(found.coordinates, expected.map(|at| at.to_vec()));
        assert_eq!(tally(10, &[]).bounds, None);
    }

    #[test]
    fn of_many_voxels_the_same_are_kept_however_they_come() {
        let rows: Vec<(u64, u64)> = (0..9).map(|row| (row * 100, 100)).collect();
        let pieces: Vec<(u64, u64)> = (0..90).rev().map(|part| (part * 10, 10)).collect();
        let found = tally(50, &rows);
        assert_eq!((found.voxel_count, found.coordinates.len()), (900, 50));
        assert!(found.coordinates.is_sorted());
        assert_eq!(found, tally(50, &pieces));
        assert!(tally(0, &rows).coordinates.is_empty());
    }

    #[test]
    fn blocks_are_marked_along_a_run() {
        let maps = OccupancyMaps::for_classes(2, &[4, 10], Some(4)).unwrap().unwrap();
        maps.mark(Run { class: 1, start: &[1, 3], length: 2 });
        let maps: OccupancyMaps = maps.into();
        assert_eq!(maps.shape, [1, 3]);
        assert_eq!(maps.blocks, [false, false, false, true, true, false]);
        assert!(OccupancyMaps::for_classes(64, &[1 << 20, 1 << 20], Some(1)).is_err());
        assert!(OccupancyMaps::for_classes(64, &[4, 4], None).unwrap().is_none());
    }
}

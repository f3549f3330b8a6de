//! Computes the tables of the index from an annotation: one look at every voxel, in boxes of bounded size, on all threads.

use hdf5::Window;

use super::tally::{ClassTally, OccupancyMaps, Picker, Tally};
use crate::ReadError;
use crate::annotations::{AnnotationView, RunScratch, VoxelRuns};
use crate::tiles::Tiles;
use crate::validate::{Observer, checkpoint};

/// What an entry of the index is to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexOptions {
    /// Most coordinates stored per class.
    pub max_coords: u64,
    /// Extent of a block of the occupancy map along each axis, in voxels; no map when `None`.
    pub occupancy: Option<u64>,
    /// Decides which coordinates are stored of classes that have more.
    pub seed: i64,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self { max_coords: 4096, occupancy: Some(8), seed: 0 }
    }
}

/// The tables of an entry. Spec: MEDH5 1.0 §14.3.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexTables {
    /// Extents of the annotation, in voxels, slowest axis first.
    pub shape: Vec<u64>,
    /// The classes, in the order in which the annotation declares them.
    pub classes: Vec<ClassTally>,
    /// Which blocks hold each class.
    pub occupancy: Option<OccupancyMaps>,
    /// What they were computed with.
    pub options: IndexOptions,
}

impl IndexTables {
    /// Computes the tables of `annotation`.
    ///
    /// Of a class with more than `max_coords` voxels those are stored whose numbers are smallest, the number of voxel `v` (its
    /// place in C order) being [`SplitMix64::nth`](super::SplitMix64::nth)`(s, v)` with `s = nth(seed, class)`: a uniform choice
    /// that depends on nothing but the voxels, the class and the seed.
    ///
    /// # Errors
    /// [`ReadError::Value`] for annotations that are not of classes of voxels and for extents that no index can hold,
    /// [`ReadError::File`] when the data cannot be read, [`ReadError::Stopped`] when the observer wants to stop.
    pub fn compute(
        annotation: &AnnotationView,
        options: IndexOptions,
        observer: &dyn Observer,
    ) -> Result<Self, ReadError> {
        Self::of_runs(&annotation.voxel_runs(None)?, options, observer)
    }

    pub(crate) fn of_runs(
        runs: &VoxelRuns,
        options: IndexOptions,
        observer: &dyn Observer,
    ) -> Result<Self, ReadError> {
        let shape = runs.shape().to_vec();
        if shape.iter().any(|extent| i32::try_from(*extent).is_err()) {
            let reason = format!("{shape:?} voxels: the index counts voxels of an axis in 32 bits");
            return Err(ReadError::value(reason));
        }
        let maps = OccupancyMaps::for_classes(runs.class_ids().len(), &shape, options.occupancy)?;
        let picker = Picker::new(runs.class_ids(), options);
        let (chunk, element_bytes) = runs.chunking();
        let tiles = Tiles::new(&shape, chunk, element_bytes);
        let new = || (Tally::new(&picker, shape.len()), RunScratch::default());
        let look = |(tally, scratch): &mut (Tally, RunScratch), tile: usize| {
            let Window { start, shape: extents, .. } = tiles.window(tile);
            let ends = start.iter().zip(&extents).map(|(start, extent)| start + extent);
            let region: Vec<_> = start.iter().zip(ends).map(|(start, end)| *start..end).collect();
            let mut visit = |run: crate::annotations::Run<'_>| {
                tally.add(run, &shape, &picker);
                if let Some(maps) = &maps {
                    maps.mark(run);
                }
            };
            runs.visit(&region, scratch, &mut visit)?;
            checkpoint(observer, extents.iter().product::<u64>().saturating_mul(element_bytes))
        };
        let tallies = crate::parallel::gather(tiles.count(), new, look)?;
        let tally = tallies.into_iter().map(|(tally, _)| tally).reduce(|mut all, other| {
            all.merge(other, &picker);
            all
        });
        let tally = tally.unwrap_or_else(|| Tally::new(&picker, shape.len()));
        Ok(Self {
            classes: tally.finish(runs.class_ids(), &shape, &picker),
            occupancy: maps.map(OccupancyMaps::from),
            shape,
            options,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Opened;
    use crate::validate::Silent;

    /// What the class masks of the whole annotation say, class by class.
    fn expected(annotation: &AnnotationView) -> Vec<(i64, Vec<u64>)> {
        let shape = annotation.spatial_shape().unwrap().unwrap();
        let region: Vec<_> = shape.iter().map(|extent| 0..*extent).collect();
        let masks = annotation.class_masks(&region, None).unwrap();
        let voxels = |mask: &[u8]| {
            (0..).zip(mask).filter(|(_, mark)| **mark != 0).map(|(at, _)| at).collect()
        };
        masks.iter().map(|(class, mask)| (class, voxels(mask))).collect()
    }

    #[test]
    fn tables_agree_with_the_masks_of_the_classes() {
        let bytes = include_bytes!("../../../../tests/fixtures/samples/clean.medh5").to_vec();
        let Opened::Sample(sample) = crate::open(bytes).unwrap() else { panic!("a sample") };
        let mut looked = 0;
        for annotation in sample.annotations().unwrap() {
            let options = IndexOptions { max_coords: 20, occupancy: Some(3), seed: 1 };
            let Ok(tables) = IndexTables::compute(&annotation, options, &Silent) else { continue };
            looked += 1;
            for (tally, (class, voxels)) in tables.classes.iter().zip(expected(&annotation)) {
                assert_eq!((tally.class_id, tally.voxel_count), (class, voxels.len() as u64));
                assert_eq!(tally.coordinates.len(), voxels.len().min(20));
                assert!(tally.coordinates.is_sorted());
                let strides = [tables.shape[1] * tables.shape[2], tables.shape[2], 1];
                for coordinate in &tally.coordinates {
                    let at = coordinate.iter().zip(strides).map(|(at, by)| u64::from(*at) * by);
                    assert!(voxels.contains(&at.sum::<u64>()));
                }
            }
        }
        assert!(looked > 0);
    }
}

//! A stack of volumes, looked at column by column: the same voxels of every plane before the next voxels.

use hdf5::{Dataset, Window};

use super::{Place, Steps};
use crate::ReadError;
use crate::plausible::require_plausible_scan;
use crate::tiles::Tiles;

/// A dataset whose first axis counts planes, in tiles of voxels.
pub(super) struct Stack {
    planes: u64,
    /// Planes that one chunk holds, and that are therefore read together.
    depth: u64,
    tiles: Tiles,
}

impl Stack {
    /// `None` for a scalar, which has no planes.
    pub(super) fn of(dataset: &Dataset) -> Result<Option<Self>, ReadError> {
        require_plausible_scan(dataset)?;
        let Some((&planes, voxels)) = dataset.shape().split_first() else { return Ok(None) };
        let chunk = dataset.chunk_dims().and_then(|dims| dims.split_first());
        let depth = chunk.map_or(1, |(depth, _)| (*depth).clamp(1, planes.max(1)));
        let bytes = u64::from(dataset.datatype().size).saturating_mul(depth);
        let tiles = Tiles::new(voxels, chunk.map(|(_, dims)| dims), bytes);
        Ok(Some(Self { planes, depth, tiles }))
    }

    /// Voxels of one plane in a tile.
    pub(super) fn voxels(&self, tile: usize) -> usize {
        let voxels =
            self.tiles.window(tile).shape.iter().fold(1_u64, |n, dim| n.saturating_mul(*dim));
        usize::try_from(voxels).unwrap_or(usize::MAX)
    }

    /// The tiles, each in as many parts as give all planes; where there is none, in one empty part.
    pub(super) fn steps(&self) -> Steps {
        let parts = self.planes.div_ceil(self.depth).max(1);
        let parts = usize::try_from(parts).unwrap_or(usize::MAX);
        Steps { tiles: self.tiles.count(), parts }
    }

    /// The window that gives a tile of some planes; parts go in the order of the planes.
    pub(super) fn window(&self, place: Place) -> Window {
        let Window { start, shape, .. } = self.tiles.window(place.tile);
        let plane = (place.part as u64).saturating_mul(self.depth);
        let depth = self.depth.min(self.planes.saturating_sub(plane));
        let starts: Vec<u64> = [plane].iter().chain(&start).copied().collect();
        let extents: Vec<u64> = [depth].iter().chain(&shape).copied().collect();
        Window::new(&starts, &extents)
    }
}

//! A dataset in windows that follow its chunks, for looks at the elements that need no order.

use hdf5::Window;

/// Windows grow to about this many bytes where chunks are smaller.
const WANTED_BYTES: u64 = 1 << 20;

/// Windows never exceed this: larger chunks are taken in parts.
const LARGEST_BYTES: u64 = 64 << 20;

/// Boxes of whole chunks that cover a shape without overlap, counted in C order of their places.
#[derive(Debug, Clone)]
pub(crate) struct Tiles {
    shape: Vec<u64>,
    tile: Vec<u64>,
}

impl Tiles {
    /// Covers `shape`. `chunk_dims` is the extent of a chunk, if there are chunks.
    pub(crate) fn new(shape: &[u64], chunk_dims: Option<&[u64]>, element_bytes: u64) -> Self {
        let chunk = |axis: usize| chunk_dims.and_then(|dims| dims.get(axis)).map_or(1, |dim| *dim);
        let mut tile: Vec<u64> = shape
            .iter()
            .enumerate()
            .map(|(axis, extent)| chunk(axis).clamp(1, (*extent).max(1)))
            .collect();
        let mut bytes = tile.iter().fold(element_bytes.max(1), |n, dim| n.saturating_mul(*dim));
        for dim in &mut tile {
            if bytes > LARGEST_BYTES {
                let cut = (*dim / bytes.div_ceil(LARGEST_BYTES)).max(1);
                bytes = (bytes / *dim).saturating_mul(cut);
                *dim = cut;
            }
        }
        for (dim, extent) in tile.iter_mut().zip(shape).rev() {
            let wanted = (WANTED_BYTES / bytes).max(1);
            let grown = dim.saturating_mul(wanted).min((*extent).max(1));
            bytes = (bytes / *dim).saturating_mul(grown);
            *dim = grown;
        }
        Self { shape: shape.to_vec(), tile }
    }

    /// Number of tiles; `usize::MAX` when they cannot be counted.
    pub(crate) fn count(&self) -> usize {
        let per_axis = self.shape.iter().zip(&self.tile).map(|(extent, dim)| extent.div_ceil(*dim));
        let count = per_axis.fold(1_u64, u64::saturating_mul);
        usize::try_from(count).unwrap_or(usize::MAX)
    }

    /// The window of tile `index`, smaller at the edges.
    pub(crate) fn window(&self, index: usize) -> Window {
        let mut rest = index as u64;
        let mut start = vec![0; self.shape.len()];
        for ((place, extent), dim) in start.iter_mut().zip(&self.shape).zip(&self.tile).rev() {
            let along = extent.div_ceil(*dim).max(1);
            *place = (rest % along).saturating_mul(*dim);
            rest /= along;
        }
        let edges = start.iter().zip(&self.shape).zip(&self.tile);
        let shape: Vec<u64> =
            edges.map(|((place, extent), dim)| (*dim).min(extent.saturating_sub(*place))).collect();
        Window::new(&start, &shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_the_shape_once() {
        let tiles = Tiles::new(&[5, 7, 3], Some(&[2, 3, 2]), 1 << 18);
        let mut seen = vec![0; 5 * 7 * 3];
        for index in 0..tiles.count() {
            let Window { start, shape, .. } = tiles.window(index);
            for z in start[0]..start[0] + shape[0] {
                for y in start[1]..start[1] + shape[1] {
                    for x in start[2]..start[2] + shape[2] {
                        seen[usize::try_from((z * 7 + y) * 3 + x).unwrap()] += 1;
                    }
                }
            }
        }
        assert!(seen.iter().all(|&times| times == 1));
    }

    #[test]
    fn small_chunks_are_taken_together() {
        let tiles = Tiles::new(&[64, 512, 512], Some(&[1, 64, 64]), 2);
        assert_eq!(tiles.tile, [2, 512, 512]);
        let large = Tiles::new(&[512, 512, 512], Some(&[512, 512, 512]), 4);
        assert_eq!(large.tile, [64, 512, 512]);
        let stored_whole = Tiles::new(&[64, 512, 512], None, 2);
        assert_eq!(stored_whole.tile, [2, 512, 512]);
        assert_eq!(Tiles::new(&[], None, 8).count(), 1);
        assert_eq!(Tiles::new(&[4, 0], None, 8).count(), 0);
    }
}

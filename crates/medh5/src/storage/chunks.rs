//! How large the chunks of new data are: near the patch that training reads, near what fits in a processor's cache.

use crate::geometry::{AxisKind, Grid};

/// Data below this many bytes is stored in one piece, without filters.
pub const CONTIGUOUS_BELOW: u64 = 64 << 10;

/// The bytes that a chunk of a grid should reach. Larger caches give larger chunks: the same data gets other chunks on
/// another machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkBudget {
    /// Bytes of the last level of cache that one processor has to itself.
    cache_share: u64,
}

/// The patch of training where the grid has no hint, in voxels.
const PATCH: u64 = 64;

/// A chunk grows to the least budget whatever the cache, and never beyond the ceiling.
const LEAST_BYTES: f64 = 524_288.0;
const CEILING_BYTES: f64 = 4_194_304.0;

/// How much of the cache a chunk may fill, and how many times the patch it may be along an axis, on average.
const SAFETY: f64 = 0.8;
const OVERSHOOT: f64 = 1.5;

impl ChunkBudget {
    /// What is taken where nothing is known of the machine.
    pub const UNKNOWN: Self = Self { cache_share: 1_441_792 };

    /// For this many bytes of cache per processor.
    pub const fn of_cache_share(bytes: u64) -> Self {
        Self { cache_share: bytes }
    }

    /// For the third-level cache of the first processor, shared evenly between those that use it.
    pub fn of_this_machine() -> Self {
        super::cache::third_level_share().map_or(Self::UNKNOWN, Self::of_cache_share)
    }

    #[expect(clippy::cast_precision_loss, reason = "caches are not that large")]
    fn bytes(self) -> f64 {
        (SAFETY * self.cache_share as f64).clamp(LEAST_BYTES, CEILING_BYTES)
    }
}

/// The chunk of data of these spatial extents. `patch` is one hint per axis.
pub fn spatial_chunk(
    extents: &[u64],
    patch: Option<&[i64]>,
    element_size: u64,
    budget: ChunkBudget,
) -> Vec<u64> {
    let mut axes: Vec<GrowingAxis> = extents
        .iter()
        .enumerate()
        .map(|(axis, extent)| {
            let hint = patch.and_then(|patch| patch.get(axis));
            let hint = hint.map_or(PATCH, |hint| u64::try_from(*hint).unwrap_or(0));
            GrowingAxis::new(*extent, hint)
        })
        .collect();
    if bytes(&axes, element_size) > CEILING_BYTES {
        shrink(&mut axes, element_size);
    }
    grow(&mut axes, element_size, budget);
    axes.iter().map(|axis| axis.chunk).collect()
}

/// The chunk of data on a grid, with `stacked` axes before the grid's own: one plane per class, component or layer.
pub fn grid_chunk(grid: &Grid, stacked: usize, element_size: u64, budget: ChunkBudget) -> Vec<u64> {
    let hint = grid.chunk_hint.as_deref().filter(|hint| hint.len() == grid.axes.len());
    let spatial_shape = grid.spatial_shape();
    let chosen = match hint {
        Some(_) => Vec::new(),
        None => spatial_chunk(&spatial_shape, grid.patch_hint.as_deref(), element_size, budget),
    };
    let mut chosen = chosen.into_iter();
    let of_axis = grid.axes.iter().enumerate().map(|(at, axis)| {
        let is_spatial = axis.kind == AxisKind::Spatial;
        match hint.and_then(|hint| hint.get(at)) {
            Some(hint) if is_spatial || stacked == 0 => {
                u64::try_from(*hint).unwrap_or(1).clamp(1, axis.extent.max(1))
            }
            None if is_spatial => chosen.next().unwrap_or(1),
            _ => 1,
        }
    });
    std::iter::repeat_n(1, stacked).chain(of_axis).collect()
}

/// A chunk that was meant for other data, for data of `shape`: its last axes, none longer than the data. `None` when it
/// has fewer.
pub fn fitted_chunk(chunk: &[u64], shape: &[u64]) -> Option<Vec<u64>> {
    let last = chunk.get(chunk.len().checked_sub(shape.len())?..)?;
    Some(last.iter().zip(shape).map(|(chunk, extent)| *chunk.min(extent)).collect())
}

/// The chunk of data that is no grid of voxels: coordinates, columns, tables.
///
/// It is what h5py guesses: axes halved one after the other until the chunk has a size that suits the data's.
#[expect(clippy::cast_precision_loss, reason = "the guess is made in floating point")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "extents are whole")]
pub fn guessed_chunk(shape: &[u64], element_size: u64) -> Vec<u64> {
    const BASE: f64 = 16_384.0;
    const LEAST: f64 = 8_192.0;
    const MIB: f64 = 1_048_576.0;
    let mut chunk: Vec<f64> =
        shape.iter().map(|extent| if *extent == 0 { 1024.0 } else { *extent as f64 }).collect();
    let bytes = |chunk: &[f64]| chunk.iter().product::<f64>() * element_size as f64;
    let target = (BASE * (bytes(&chunk) / MIB).log10().exp2()).clamp(LEAST, MIB);
    for axis in (0..chunk.len()).cycle() {
        let now = bytes(&chunk);
        let is_near = now < target || (now - target).abs() / target < 0.5;
        if (is_near && now < MIB) || chunk.iter().all(|extent| *extent <= 1.0) {
            break;
        }
        if let Some(extent) = chunk.get_mut(axis) {
            *extent = (*extent / 2.0).ceil();
        }
    }
    chunk.iter().map(|extent| *extent as u64).collect()
}

/// One axis of a chunk that is being sized.
struct GrowingAxis {
    extent: u64,
    patch: u64,
    chunk: u64,
}

impl GrowingAxis {
    fn new(extent: u64, hint: u64) -> Self {
        let patch = hint.min(extent).max(1);
        Self { extent, patch, chunk: patch.next_power_of_two().min(extent.max(1)) }
    }

    /// How many times the patch the chunk is.
    #[expect(clippy::cast_precision_loss, reason = "a ratio of extents")]
    fn overshoot(&self) -> f64 {
        self.chunk as f64 / self.patch as f64
    }

    /// The next longer chunk.
    fn longer(&self) -> u64 {
        self.chunk.saturating_add(self.patch.next_power_of_two()).min(self.extent)
    }
}

#[expect(clippy::cast_precision_loss, reason = "compared with sizes of caches")]
fn bytes(axes: &[GrowingAxis], element_size: u64) -> f64 {
    axes.iter().map(|axis| axis.chunk as f64).product::<f64>() * element_size as f64
}

/// Starts from the patch itself, and halves what is the most too long until the chunk is under the ceiling.
fn shrink(axes: &mut [GrowingAxis], element_size: u64) {
    for axis in &mut *axes {
        axis.chunk = axis.patch;
    }
    while bytes(axes, element_size) > CEILING_BYTES {
        let longest = axes
            .iter_mut()
            .filter(|axis| axis.chunk > 1)
            .reduce(|best, axis| if axis.overshoot() > best.overshoot() { axis } else { best });
        let Some(axis) = longest else { break };
        axis.chunk = axis.chunk.div_ceil(2);
    }
}

/// Lengthens what is the least longer than the patch, until the budget is reached or the chunk is too far from the patch.
#[expect(clippy::cast_precision_loss, reason = "a mean over few axes")]
fn grow(axes: &mut [GrowingAxis], element_size: u64, budget: ChunkBudget) {
    while bytes(axes, element_size) < budget.bytes() {
        let shortest = (0..axes.len())
            .filter(|at| axes.get(*at).is_some_and(|axis| axis.chunk < axis.extent))
            .min_by(|a, b| overshoot_at(axes, *a).total_cmp(&overshoot_at(axes, *b)));
        let Some(at) = shortest else { break };
        let before = axes.get(at).map_or(1, |axis| axis.chunk);
        if let Some(axis) = axes.get_mut(at) {
            axis.chunk = axis.longer();
        }
        let mean = axes.iter().map(GrowingAxis::overshoot).sum::<f64>() / axes.len() as f64;
        if mean > OVERSHOOT || bytes(axes, element_size) > CEILING_BYTES {
            if let Some(axis) = axes.get_mut(at) {
                axis.chunk = before;
            }
            break;
        }
    }
}

fn overshoot_at(axes: &[GrowingAxis], at: usize) -> f64 {
    axes.get(at).map_or(f64::INFINITY, GrowingAxis::overshoot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Axis;
    use crate::values::Matrix;

    const BUDGET: ChunkBudget = ChunkBudget::of_cache_share(16 << 20);

    #[test]
    fn chunks_grow_from_the_patch() {
        assert_eq!(spatial_chunk(&[200, 300, 220], None, 2, BUDGET), [128, 64, 64]);
        let patch = Some(&[96, 96, 96][..]);
        assert_eq!(spatial_chunk(&[200, 300, 220], patch, 2, BUDGET), [128, 128, 128]);
        assert_eq!(spatial_chunk(&[200, 300, 220], patch, 8, BUDGET), [48, 96, 96]);
        assert_eq!(spatial_chunk(&[40, 30, 20], None, 4, ChunkBudget::UNKNOWN), [40, 30, 20]);
        assert_eq!(spatial_chunk(&[1, 3000, 0], Some(&[-5, 64, 64]), 4, BUDGET).len(), 3);
    }

    #[test]
    fn a_hint_counts_more() {
        let axis = |kind, extent| Axis { name: String::new(), kind, extent };
        let spatial = AxisKind::Spatial;
        let mut grid = Grid {
            axes: vec![axis(AxisKind::Time, 5), axis(spatial, 300), axis(spatial, 220)],
            spacing: vec![1.0; 2],
            origin: vec![0.0; 2],
            direction: Matrix { rows: 2, columns: 2, values: vec![1.0, 0.0, 0.0, 1.0] },
            coord_system: "LPS".into(),
            units: "mm".into(),
            time_values: None,
            time_units: None,
            frame_uid: None,
            timepoint: None,
            patch_hint: None,
            chunk_hint: Some(vec![9, 20, 7]),
        };
        assert_eq!(grid_chunk(&grid, 0, 2, BUDGET), [5, 20, 7]);
        assert_eq!(grid_chunk(&grid, 2, 2, BUDGET), [1, 1, 1, 20, 7]);
        grid.chunk_hint = None;
        assert_eq!(grid_chunk(&grid, 1, 2, BUDGET), [1, 1, 128, 64]);
    }

    #[test]
    fn a_chunk_of_other_data_is_cut_to_fit() {
        assert_eq!(fitted_chunk(&[1, 64, 64, 64], &[32, 100, 64]), Some(vec![32, 64, 64]));
        assert_eq!(fitted_chunk(&[64, 64], &[32, 100, 64]), None);
    }

    #[test]
    fn guesses() {
        assert_eq!(guessed_chunk(&[100_000, 3], 4), [6250, 1]);
        assert_eq!(guessed_chunk(&[300, 500, 20], 1), [38, 125, 5]);
        assert_eq!(guessed_chunk(&[0], 8), [1024]);
        assert_eq!(guessed_chunk(&[1], 10 << 20), [1]);
        assert_eq!(guessed_chunk(&[], 8), [0_u64; 0]);
    }
}

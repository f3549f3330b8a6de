//! The grid of chunks that covers a dataset.

use alloc::vec::Vec;

use crate::error::Problem;
use crate::limits::within;
use crate::message::dataspace::Dataspace;

/// The grid of chunks that covers a dataset, and the order in which indexes number them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkGrid {
    chunk_dims: Vec<u64>,
    /// Chunks along each axis of the extent.
    counts: Vec<u64>,
    /// Chunks along each axis of the largest extent; `None` along an axis without end.
    max_counts: Vec<Option<u64>>,
}

/// The chunks whose place along each axis is one of a few: what a window reaches into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkRegion {
    /// Places along each axis in ascending order, slowest axis first.
    pub(crate) axes: Vec<Vec<u64>>,
}

impl ChunkGrid {
    /// The grid of chunks of `chunk_dims`, none of them 0, over `dataspace`, which has the same rank.
    ///
    /// # Errors
    /// A [`Problem`] when the extent is larger than the largest one, by which indexes number chunks.
    pub(crate) fn new(dataspace: &Dataspace, chunk_dims: &[u64]) -> Result<Self, Problem> {
        let dims = dataspace.dims();
        let counts = dims.iter().zip(chunk_dims).map(|(n, chunk)| n.div_ceil(*chunk)).collect();
        let max_dims = match dataspace {
            Dataspace::Simple { max_dims: Some(max), .. } => max,
            _ => dims,
        };
        if dims.iter().zip(max_dims).any(|(dim, max)| dim > max) {
            return Err(Problem::invalid("an extent above the largest that it may have"));
        }
        let max_counts = max_dims
            .iter()
            .zip(chunk_dims)
            .map(|(n, chunk)| (*n != u64::MAX).then(|| n.div_ceil(*chunk)))
            .collect();
        Ok(Self { chunk_dims: chunk_dims.to_vec(), counts, max_counts })
    }

    /// Extent of a chunk in elements.
    pub(crate) fn chunk_dims(&self) -> &[u64] {
        &self.chunk_dims
    }

    /// All chunks of the extent.
    ///
    /// # Errors
    /// [`Problem::Limit`] when there are more than `max`.
    pub(crate) fn region(&self, max: u64) -> Result<ChunkRegion, Problem> {
        let found = self.counts.iter().try_fold(1_u64, |n, count| n.checked_mul(*count));
        let found = if self.counts.contains(&0) { 0 } else { found.unwrap_or(u64::MAX) };
        within("chunks of a dataset", found, "max_chunks", max)?;
        let axes = match found {
            0 => alloc::vec![Vec::new(); self.counts.len().max(1)],
            _ => self.counts.iter().map(|count| (0..*count).collect()).collect(),
        };
        Ok(ChunkRegion { axes })
    }

    /// Whether a chunk lies, at least in part, inside the extent.
    pub(crate) fn contains(&self, chunk_coord: &[u64]) -> bool {
        chunk_coord.len() == self.counts.len()
            && chunk_coord.iter().zip(&self.counts).all(|(at, count)| at < count)
    }

    /// How implicit indexes and fixed arrays number chunks: in C order over the largest extent.
    ///
    /// # Errors
    /// A [`Problem`] when an axis has no end, or the numbers do not fit 64 bits.
    pub(crate) fn numbering(&self) -> Result<ChunkNumbering, Problem> {
        if self.max_counts.contains(&None) {
            return Err(Problem::invalid("an index of fixed size over an axis without end"));
        }
        ChunkNumbering::new(self, None)
    }

    /// How extensible arrays number chunks: as [`ChunkGrid::numbering`], the axis without end being slowest.
    ///
    /// # Errors
    /// A [`Problem`] unless exactly one axis has no end, or when the numbers do not fit 64 bits.
    pub(crate) fn numbering_with_endless_axis(&self) -> Result<ChunkNumbering, Problem> {
        let mut endless = self.max_counts.iter().enumerate().filter(|(_, count)| count.is_none());
        match (endless.next(), endless.next()) {
            (Some((axis, _)), None) => ChunkNumbering::new(self, Some(axis)),
            _ => Err(Problem::invalid("an extensible array over other than one axis without end")),
        }
    }
}

/// How an array index numbers the chunks of a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkNumbering {
    /// Distance in numbers between neighbours along each axis.
    strides: Vec<u64>,
    /// The axes, slowest first.
    order: Vec<usize>,
    /// Number of chunks; without the axis that has no end, if there is one.
    count: u64,
}

impl ChunkNumbering {
    fn new(grid: &ChunkGrid, slowest: Option<usize>) -> Result<Self, Problem> {
        let mut order: Vec<usize> = slowest.into_iter().collect();
        order.extend((0..grid.max_counts.len()).filter(|axis| Some(*axis) != slowest));
        let mut strides = alloc::vec![1; grid.max_counts.len()];
        let mut count = 1_u64;
        for axis in order.iter().rev() {
            if let Some(stride) = strides.get_mut(*axis) {
                *stride = count;
            }
            let along = grid.max_counts.get(*axis).copied().flatten().unwrap_or(1);
            count = (count.checked_mul(along))
                .ok_or_else(|| Problem::invalid("more chunks than 64 bits can number"))?;
        }
        Ok(Self { strides, order, count })
    }

    /// Number of chunks at the largest extent; per index along the axis without end, if there is one.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The number of a chunk; `None` when it does not fit 64 bits.
    pub(crate) fn number(&self, chunk_coord: &[u64]) -> Option<u64> {
        chunk_coord
            .iter()
            .zip(&self.strides)
            .try_fold(0_u64, |sum, (at, stride)| sum.checked_add(at.checked_mul(*stride)?))
    }

    /// The chunk of a number.
    pub(crate) fn chunk_coord(&self, number: u64) -> Vec<u64> {
        let mut coord = alloc::vec![0; self.strides.len()];
        let mut rest = number;
        for axis in &self.order {
            if let (Some(at), Some(stride)) = (coord.get_mut(*axis), self.strides.get(*axis)) {
                *at = rest.checked_div(*stride).unwrap_or(0);
                rest = rest.checked_rem(*stride).unwrap_or(0);
            }
        }
        coord
    }
}

impl ChunkRegion {
    /// Number of chunks; `None` when it does not fit 64 bits.
    pub(crate) fn count(&self) -> Option<u64> {
        self.axes.iter().try_fold(1_u64, |count, places| count.checked_mul(places.len() as u64))
    }

    /// Whether `chunk_coord` is one of them.
    pub(crate) fn contains(&self, chunk_coord: &[u64]) -> bool {
        chunk_coord.len() == self.axes.len()
            && chunk_coord
                .iter()
                .zip(&self.axes)
                .all(|(at, places)| places.binary_search(at).is_ok())
    }

    /// All of them in C order.
    pub(crate) fn coords(&self) -> Coords<'_> {
        let is_empty = self.axes.iter().any(Vec::is_empty);
        Coords { region: self, next: (!is_empty).then(|| alloc::vec![0; self.axes.len()]) }
    }
}

/// The chunks of a region in C order.
#[derive(Debug)]
pub(crate) struct Coords<'a> {
    region: &'a ChunkRegion,
    /// Positions in the lists of places.
    next: Option<Vec<usize>>,
}

impl Iterator for Coords<'_> {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        let mut next = self.next.take()?;
        let axes = &self.region.axes;
        let places = next.iter().zip(axes).map(|(position, places)| places.get(*position).copied());
        let coord = places.collect::<Option<Vec<u64>>>()?;
        for (position, places) in next.iter_mut().zip(axes).rev() {
            *position = position.saturating_add(1);
            if *position < places.len() {
                self.next = Some(next);
                break;
            }
            *position = 0;
        }
        Some(coord)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn grid(dims: &[u64], max: &[u64], chunk: &[u64]) -> ChunkGrid {
        let dataspace = Dataspace::Simple { dims: dims.to_vec(), max_dims: Some(max.to_vec()) };
        ChunkGrid::new(&dataspace, chunk).unwrap()
    }

    #[test]
    fn numbers_follow_the_largest_extent() {
        let grid = grid(&[3, 5, 7], &[3, 10, 7], &[2, 2, 3]);
        let numbering = grid.numbering().unwrap();
        assert_eq!(numbering.count(), 2 * 5 * 3);
        assert_eq!(numbering.number(&[1, 2, 1]), Some(15 + 6 + 1));
        assert_eq!(numbering.chunk_coord(22), [1, 2, 1]);
        assert!(grid.contains(&[1, 2, 2]));
        assert!(!grid.contains(&[1, 3, 2]));
        assert!(grid.numbering_with_endless_axis().is_err());
    }

    #[test]
    fn the_axis_without_end_is_slowest() {
        let grid = grid(&[4, 4, 4], &[4, u64::MAX, 6], &[2, 2, 2]);
        let numbering = grid.numbering_with_endless_axis().unwrap();
        assert_eq!(numbering.number(&[1, 5, 2]), Some(5 * 6 + 3 + 2));
        assert_eq!(numbering.chunk_coord(35), [1, 5, 2]);
        assert!(grid.numbering().is_err());
    }

    #[test]
    fn too_many_chunks_to_number() {
        assert!(grid(&[1, 1], &[1 << 40, 1 << 40], &[1, 1]).numbering().is_err());
    }

    #[test]
    fn regions_in_c_order() {
        let region = ChunkRegion { axes: vec![vec![1, 4], vec![0, 1]] };
        assert_eq!(region.count(), Some(4));
        let coords: Vec<_> = region.coords().collect();
        assert_eq!(coords, [[1, 0], [1, 1], [4, 0], [4, 1]]);
        assert!(region.contains(&[4, 0]) && !region.contains(&[2, 0]));
        assert_eq!(ChunkRegion { axes: vec![] }.coords().count(), 1);
        assert_eq!(ChunkRegion { axes: vec![vec![1], vec![]] }.coords().count(), 0);
    }
}

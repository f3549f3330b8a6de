//! One plane of an image, for showing it.

use hdf5::{Array, Window};

use super::ImageView;
use crate::ReadError;
use crate::geometry::AxisKind;

/// Which plane of an image is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlaneIndex {
    /// The spatial axis across the plane, counted among the spatial axes, slowest first; not used in two dimensions.
    pub axis: usize,
    /// Place along that axis, in voxels.
    pub index: u64,
    /// Place along each axis that is neither spatial nor of channels, such as a time frame; axes beyond the list are at 0.
    pub outer: Vec<u64>,
}

impl ImageView {
    /// Reads one plane as stored: `[rows, columns]`, or `[channels, rows, columns]` of an image with channels.
    ///
    /// # Errors
    /// [`ReadError::Value`] when there is no such level, grid or plane, [`ReadError::File`] when the voxels cannot be read.
    pub fn plane(&self, level: usize, plane: &PlaneIndex) -> Result<Array, ReadError> {
        let lacks = |what: &str| ReadError::value(format!("{} has no {what}", self.path()));
        let data = self.level(level)?.ok_or_else(|| lacks("such level"))?;
        let grid = self.grid()?.ok_or_else(|| lacks("grid"))?;
        let kinds = grid.known_axis_kinds()?.ok_or_else(|| lacks("known kinds of axes"))?;
        let (window, kept) =
            plane.window(&kinds, data.shape()).ok_or_else(|| lacks("such plane"))?;
        let array = data.read_window(&window)?;
        let shape =
            array.shape.iter().zip(kept).filter(|(_, kept)| *kept).map(|(extent, _)| *extent);
        Ok(Array { shape: shape.collect(), elements: array.elements })
    }
}

impl PlaneIndex {
    /// The window of the plane in data of `shape`, and which axes stay in the result.
    fn window(&self, kinds: &[AxisKind], shape: &[u64]) -> Option<(Window, Vec<bool>)> {
        let spatial = AxisKind::Spatial.count_in(kinds);
        let has_plane =
            kinds.len() == shape.len() && (spatial == 2 || spatial == 3 && self.axis < 3);
        let (mut start, mut extents, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        let (mut spatial_seen, mut outer) = (0, self.outer.iter());
        for (kind, &extent) in kinds.iter().zip(shape) {
            let place = match kind {
                AxisKind::Channel => None,
                AxisKind::Spatial => {
                    spatial_seen += 1;
                    (spatial == 3 && spatial_seen == self.axis + 1).then_some(self.index)
                }
                AxisKind::Time | AxisKind::Other => Some(outer.next().copied().unwrap_or(0)),
            };
            if place.is_some_and(|place| place >= extent) {
                return None;
            }
            start.push(place.unwrap_or(0));
            extents.push(if place.is_some() { 1 } else { extent });
            kept.push(place.is_none());
        }
        has_plane.then(|| (Window::new(&start, &extents), kept))
    }
}

#[cfg(test)]
mod tests {
    use super::AxisKind::{Channel, Spatial, Time};
    use super::*;

    #[test]
    fn a_plane_keeps_two_axes_and_channels() {
        let plane = PlaneIndex { axis: 1, index: 7, outer: vec![2] };
        let kinds = [Time, Channel, Spatial, Spatial, Spatial];
        let (window, kept) = plane.window(&kinds, &[4, 3, 10, 11, 12]).unwrap();
        assert_eq!(window, Window::new(&[2, 0, 0, 7, 0], &[1, 3, 10, 1, 12]));
        assert_eq!(kept, [false, true, true, false, true]);
        assert!(plane.window(&kinds, &[4, 3, 10, 7, 12]).is_none());
        assert!(plane.window(&kinds, &[2, 3, 10, 11, 12]).is_none());
    }

    #[test]
    fn two_dimensions_are_a_plane() {
        let (window, kept) = PlaneIndex::default().window(&[Spatial, Spatial], &[5, 6]).unwrap();
        assert_eq!((window, kept), (Window::all(&[5, 6]), vec![true, true]));
    }
}

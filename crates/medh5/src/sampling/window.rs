//! The window of a patch along one axis.

use super::Edge;
use crate::index::SplitMix64;

/// Where a patch lies along one axis, in voxels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatchAxis {
    /// First voxel that is read.
    pub start: u64,
    /// One more than the last voxel that is read.
    pub stop: u64,
    /// Voxels of padding before and after; the patch has `stop - start` voxels more than these.
    pub pad: [u64; 2],
    /// The voxel that it was drawn around.
    pub center: u64,
}

impl PatchAxis {
    /// The window of `size` voxels around `center` on an axis of `extent`.
    pub(super) fn around(center: u64, size: u64, extent: u64, edge: Edge) -> Self {
        match edge {
            Edge::Clamp if size < extent => {
                let start = center.saturating_sub(size / 2).min(extent - size);
                Self { start, stop: start + size, pad: [0; 2], center }
            }
            Edge::Clamp => Self::whole(size, extent, center),
            Edge::Pad => {
                let before = (size / 2).saturating_sub(center);
                let start = center.saturating_sub(size / 2);
                let stop = (start + (size - before)).min(extent);
                Self { start, stop, pad: [before, size - before - (stop - start)], center }
            }
        }
    }

    /// A window anywhere on the axis, every place as likely.
    pub(super) fn anywhere(size: u64, extent: u64, numbers: &mut SplitMix64) -> Self {
        if size >= extent {
            return Self::whole(size, extent, extent / 2);
        }
        let start = numbers.below(extent - size + 1);
        Self { start, stop: start + size, pad: [0; 2], center: start + size / 2 }
    }

    /// The whole axis, in the middle of a patch that is at least as long.
    fn whole(size: u64, extent: u64, center: u64) -> Self {
        let spare = size - extent;
        Self { start: 0, stop: extent, pad: [spare / 2, spare - spare / 2], center }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(center: u64, size: u64, edge: Edge) -> (u64, u64, [u64; 2]) {
        let axis = PatchAxis::around(center, size, 10, edge);
        assert_eq!(axis.stop - axis.start + axis.pad[0] + axis.pad[1], size);
        (axis.start, axis.stop, axis.pad)
    }

    #[test]
    fn clamped_windows_move_inwards() {
        assert_eq!(around(5, 4, Edge::Clamp), (3, 7, [0, 0]));
        assert_eq!(around(0, 4, Edge::Clamp), (0, 4, [0, 0]));
        assert_eq!(around(9, 4, Edge::Clamp), (6, 10, [0, 0]));
        assert_eq!(around(9, 13, Edge::Clamp), (0, 10, [1, 2]));
    }

    #[test]
    fn padded_windows_keep_their_middle() {
        assert_eq!(around(5, 4, Edge::Pad), (3, 7, [0, 0]));
        assert_eq!(around(0, 5, Edge::Pad), (0, 3, [2, 0]));
        assert_eq!(around(9, 4, Edge::Pad), (7, 10, [0, 1]));
        assert_eq!(around(4, 30, Edge::Pad), (0, 10, [11, 9]));
    }

    #[test]
    fn a_window_anywhere_reaches_both_ends() {
        let mut numbers = SplitMix64::new(3);
        let starts: Vec<u64> =
            (0..200).map(|_| PatchAxis::anywhere(4, 10, &mut numbers).start).collect();
        assert_eq!((starts.iter().min(), starts.iter().max()), (Some(&0), Some(&6)));
        let short = PatchAxis::anywhere(13, 10, &mut numbers);
        assert_eq!((short.start, short.stop, short.pad, short.center), (0, 10, [1, 2], 5));
    }
}

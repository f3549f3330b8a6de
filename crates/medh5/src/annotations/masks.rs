//! Cropped masks: the voxels of a box, one bit each.

/// Number of voxels that a box covers along one axis, from the voxel that holds its low bound to that of its high bound.
pub(crate) fn crop_extent([low, high]: [f64; 2]) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "bounds beyond 2^63 saturate")]
    let edge = |bound: f64| (bound + 0.5).floor() as i64;
    edge(high).saturating_sub(edge(low))
}

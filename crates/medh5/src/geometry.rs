//! Grids: where voxels are in the world. Spec: MEDH5 1.0 §4.

mod affine;
mod axes;
mod grid;
mod orientation;
mod view;

pub use affine::Affine;
pub use axes::{Axis, AxisKind};
pub use grid::Grid;
pub(crate) use grid::{TIME_UNITS, UNITS, has_bad_spacing};
pub use orientation::Orientation;
pub use view::GridView;
pub(crate) use view::same_extents;

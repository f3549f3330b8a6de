//! Annotations: classes, shapes and statements about voxels, places and wholes. Spec: MEDH5 1.2 §7.

mod boxes;
mod class_masks;
mod colouring;
mod columns;
mod ignored;
mod instance_masks;
mod kind;
mod nesting;
mod section;
mod shapes;
mod view;
mod voxel_runs;

pub(crate) use boxes::is_bad_box;
pub use boxes::{Bound, boxes_of};
pub use class_masks::{ClassMasks, Region};
pub(crate) use colouring::layers_needed;
pub use columns::{Column, Count, Counts, Extent};
pub(crate) use instance_masks::crop_extent;
pub use kind::{Family, Kind};
pub(crate) use nesting::{Effort, Polygon, depths, project};
pub use section::{Section, sections};
pub use shapes::{Form, Shape};
pub use view::{AnnotationView, DEFAULT_IGNORE_ID};
pub(crate) use voxel_runs::{Run, RunScratch, VoxelRuns};

//! Annotations: classes, shapes and statements about voxels, places and wholes. Spec: MEDH5 1.2 §7.

mod colouring;
mod columns;
mod kind;
mod masks;
mod nesting;
mod view;

pub(crate) use colouring::layers_needed;
pub use columns::{Column, Count, Counts, Extent};
pub use kind::{Family, Kind};
pub(crate) use masks::crop_extent;
pub(crate) use nesting::{Polygon, depths, project};
pub use view::{AnnotationView, DEFAULT_IGNORE_ID};

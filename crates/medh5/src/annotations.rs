//! Annotations: classes, shapes and statements about voxels, places and wholes. Spec: MEDH5 1.2 §7.

mod columns;
mod kind;
mod view;

pub use columns::{Column, Count, Counts, Extent};
pub use kind::{Family, Kind};
pub use view::{AnnotationView, DEFAULT_IGNORE_ID, RESERVED_CLASS_IDS};

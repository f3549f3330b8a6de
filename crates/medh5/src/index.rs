//! The sampling index: where the voxels of each class are, derived from the annotations. Spec: MEDH5 1.0 §14.3.

mod freshness;

pub use freshness::stale_entries;

//! The sampling index: where the voxels of each class are, derived from the annotations. Spec: MEDH5 1.0 §14.3.

mod build;
mod draw;
mod entry;
mod freshness;
mod missing;
mod tally;

pub use build::{IndexOptions, IndexTables};
pub use draw::SplitMix64;
pub(crate) use entry::CoordinateTable;
pub use entry::{Draw, IndexEntry, IndexedClass, Occupancy};
pub use freshness::{stale_entries, stored_freshness};
pub use missing::missing_entries;
pub use tally::{ClassTally, OccupancyMaps};

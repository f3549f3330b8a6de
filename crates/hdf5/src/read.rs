//! Walks a file: objects, links, attributes, values. Only this folder asks the source for bytes.

mod attribute;
mod cache;
mod dataset;
mod file;
mod group;
mod window;

pub use attribute::Attribute;
pub use cache::ChunkCache;
pub use dataset::{Dataset, ReadPlan, StoredChunk};
pub use file::{CommittedDatatype, File, Object, OpenOptions};
pub use group::Group;
pub use window::Window;

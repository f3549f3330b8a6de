//! Walks a file: objects, links, attributes, values. Only this folder asks the source for bytes.

mod attribute;
mod btree;
mod cache;
mod dataset;
mod decode;
mod description;
mod file;
mod fractal_heap;
mod global_heap;
mod group;
mod header;
mod links;
mod object;
mod storage;
mod window;

pub use attribute::Attribute;
pub use cache::ChunkCache;
pub use dataset::{Dataset, ReadPlan, StoredChunk};
pub use file::{CommittedDatatype, File, Object, OpenOptions};
pub use group::Group;
pub use window::Window;

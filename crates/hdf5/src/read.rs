//! Walks a file: objects, links, attributes, values. Only this folder asks the source for bytes.

mod attribute;
mod btree;
mod cache;
mod dataset;
mod decode;
mod description;
mod dump;
mod elements;
mod file;
mod fractal_heap;
pub(crate) mod global_heap;
mod group;
pub(crate) mod header;
mod index;
mod links;
pub(crate) mod object;
#[cfg(feature = "parallel")]
mod parallel;
mod plan;
mod run;
mod selection;
mod slabs;
pub(crate) mod storage;
#[cfg(test)]
mod test_file;
mod window;
#[cfg(test)]
mod window_tests;

pub use attribute::Attribute;
pub use cache::ChunkCache;
pub use dataset::Dataset;
pub use dump::{Structure, Structures};
pub use elements::StoredChunk;
pub use file::{CommittedDatatype, File, Object, OpenOptions};
pub use group::Group;
pub use plan::ReadPlan;
pub use slabs::Slabs;
pub use window::Window;

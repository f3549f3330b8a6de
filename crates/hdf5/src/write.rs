//! Writes a file: a tree of new objects is planned whole, then streamed. Only this folder gives a sink bytes.
//!
//! [`write`] takes a [`NewGroup`] as the root. Objects are new, or copies of what another file has
//! ([`NewGroup::copy_of`]), and can be exchanged, moved and dropped before the tree is written.
//!
//! All metadata come first, so that opening a file takes few small reads; chunks follow as they are encoded, in
//! bounded batches and in the order of their index. The same tree gives the same bytes, whatever the number of threads.

mod attribute;
mod blob;
mod copy;
mod dataset;
mod dense;
mod element_source;
mod global_heap;
mod group;
mod header;
mod index;
mod layout;
mod plan;
mod run;
mod sink;
mod stored_elements;
mod stream;
mod tail;
#[cfg(test)]
mod tests;
mod tree;
mod watch;

pub use attribute::NewAttribute;
pub use dataset::{AllocationTime, Fill, FillTime, NewData, NewDataset, NewStorage};
pub use element_source::{ChunkRequest, ChunkSupply, ElementSource};
pub use group::{NewDatatype, NewGroup, NewLink, NewObject, ObjectId};
pub use run::{WriteOptions, Written, write};
#[cfg(feature = "std")]
pub use sink::FileSink;
pub use sink::Sink;
pub use stored_elements::StoredElements;
pub use watch::Watch;

use crate::parse::Sizes;

/// Widths of the integers of every file that is written.
const SIZES: Sizes = Sizes { offset: 8, length: 8 };

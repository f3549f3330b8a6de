//! HDF5 from the bytes up: the subset that medical-imaging files use, and what ordinary HDF5 files add.
//!
//! [`File::open`] takes any [`ByteSource`], [`write`](fn@write) any [`Sink`]; nothing here opens files, keeps clocks or
//! starts threads unless the features `std` and `parallel` say so.
#![no_std]
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod btree;
mod checksum;
mod chunk_index;
mod encode;
mod error;
mod filter;
mod heap;
mod limits;
mod lock;
mod lru;
mod message;
mod object_header;
mod parse;
mod read;
mod source;
mod stored_number;
mod superblock;
mod value;
mod write;

pub use error::{Class, Error, FormatError, Problem};
pub use filter::{ChunkPart, Filter, FilterContext, FilterRegistry, PartOutput};
pub use limits::Limits;
pub use message::dataspace::Dataspace;
pub use message::datatype::{
    ByteOrder, CharacterSet, CompoundMember, Datatype, DatatypeClass, EnumMember, FloatFields,
    NumberType, StringPadding,
};
pub use message::filter_pipeline::FilterDescription;
pub use message::layout::StorageKind;
pub use message::link::{Link, LinkTarget};
pub use parse::{Address, Sizes};
pub use read::{
    Attribute, ChunkCache, CommittedDatatype, Dataset, File, Group, Object, OpenOptions, ReadPlan,
    Slabs, StoredChunk, Structure, Structures, Window,
};
#[cfg(all(feature = "std", any(unix, windows)))]
pub use source::FileSource;
pub use source::{BlockCache, ByteSource, SourceError, check_bounds};
pub use value::{Array, Element, Elements, F16};
#[cfg(feature = "std")]
pub use write::FileSink;
pub use write::{
    AllocationTime, ChunkRequest, ChunkSupply, ElementSource, Fill, FillTime, NewAttribute,
    NewData, NewDataset, NewDatatype, NewGroup, NewLink, NewObject, NewStorage, ObjectId, Sink,
    StoredElements, Watch, WriteOptions, Written, write,
};

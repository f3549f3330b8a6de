//! Writing files: editing samples, re-encoding them, packing them into collections and taking them out. Files appear whole or
//! not at all.

mod atomic;
mod document;
mod edit;
mod error;
mod index;
mod index_entry;
mod layout;
mod pack;
mod pool;
mod rechunk;
mod recompress;
mod restamp;
mod source;
mod stamp;
mod verify;

pub use atomic::NewFile;
pub use document::Author;
pub use edit::Edit;
pub use error::WriteError;
pub use pack::{Packed, Packing, Unpacker, default_key, is_key, pack};
pub use recompress::{Recompressed, Recompression, Reencoded};

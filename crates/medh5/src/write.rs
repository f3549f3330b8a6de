//! Rewriting files: re-encoding them, packing samples into collections and taking them out. Files appear whole or not at all.

mod atomic;
mod error;
mod pack;
mod pool;
mod rechunk;
mod recompress;
mod source;
mod verify;

pub use atomic::NewFile;
pub use error::WriteError;
pub use pack::{Packed, Packing, Unpacker, default_key, is_key, pack};
pub use recompress::{Recompressed, Recompression, Reencoded};

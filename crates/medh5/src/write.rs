//! Rewriting files: re-encoding them, packing samples into collections and taking them out. Files appear whole or not at all.

mod atomic;
mod error;
mod rechunk;
mod recompress;
mod source;
mod verify;

pub use atomic::NewFile;
pub use error::WriteError;
pub use recompress::{Recompressed, Recompression, Reencoded};

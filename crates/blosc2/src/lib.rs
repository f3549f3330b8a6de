//! Blosc2 from the bytes up: contiguous frames ([`Cframe`]), chunks ([`Chunk`]) and the n-d layout ([`Layout`]).
//!
//! Everything is bounded before it is decoded: [`Cframe::parse`] and [`Chunk::parse`] take the most bytes that the
//! caller is ready to receive, and nothing allocates more than that. Blocks are independent of each other: a range or a
//! box is decoded by decoding the blocks that it touches, on any number of threads, each with its own [`Scratch`].
//!
//! An [`Encoder`] makes frames of one chunk, as HDF5 stores them.
//!
//! Spec: `spec/blosc2-subset.md`.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod cframe;
mod chunk;
mod codec;
mod encode;
mod encoder;
mod error;
mod filter;
mod layout;
mod parse;
mod region;
mod scratch;
mod settings;

pub use cframe::Cframe;
pub use chunk::{BlockDecoder, Chunk};
pub use encoder::Encoder;
pub use error::{Class, Error, FormatError, Problem};
pub use layout::Layout;
pub use region::{Piece, Step, Steps};
pub use scratch::Scratch;
pub use settings::{Compressor, Settings, Transform};

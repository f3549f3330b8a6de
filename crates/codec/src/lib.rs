//! Byte codecs that the HDF5 filters and Blosc2 share: one transform or one compressor per module,
//! and the copying of boxes between what they decode and where it is wanted.
//!
//! Everything here turns bytes into bytes. Decoders are told how many bytes must come out, and refuse to write more:
//! a decompressed size is known before anything is decompressed.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod bitshuffle;
pub mod deflate;
mod error;
pub mod lz4;
pub mod shuffle;
pub mod strided;
mod vectors;
pub mod zstd;

pub use error::Error;

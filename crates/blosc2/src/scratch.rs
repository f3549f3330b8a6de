//! Memory and decoder tables that are kept from one block to the next.

use alloc::vec::Vec;

use codec::{deflate, zstd};

/// What decoding needs besides its input and output: one per thread, for any number of chunks.
///
/// Its buffers grow to the largest block met, twice that with filters.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) codecs: Codecs,
    pub(crate) buffers: Buffers,
    /// The decoded block that a caller looks at.
    pub(crate) block: Vec<u8>,
    /// The decoded first block of the chunk at hand, which the delta filter refers to.
    pub(crate) reference: Vec<u8>,
}

impl Scratch {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }
}

/// The decoders that have state.
#[derive(Debug, Default)]
pub(crate) struct Codecs {
    pub(crate) zstd: Option<zstd::Decoder>,
    pub(crate) zlib: Option<deflate::Decoder>,
}

/// What stands between the streams of a block and its decoded bytes.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    pub(crate) filtered: Vec<u8>,
    pub(crate) between: Vec<u8>,
    /// Byte planes, where each is a stream of its own.
    pub(crate) planes: Vec<Vec<u8>>,
}

//! Filters: how the bytes of a chunk are decoded and encoded, and the registry that finds them.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::error::Problem;

mod bits;
mod bitshuffle;
mod deflate;
mod fletcher32;
mod lz4;
mod lzf;
mod nbit;
mod part;
mod pipeline;
mod scale_offset;
mod shuffle;
mod zstd;

pub use part::{ChunkPart, PartOutput};
#[allow(unused_imports, reason = "used by the writer, which is being built")]
pub(crate) use pipeline::Encoded;
pub(crate) use pipeline::{Pipeline, Refusal, Scratch};

/// What a filter may know about the chunk it decodes or encodes.
#[derive(Debug, Clone, Copy)]
pub struct FilterContext<'a> {
    /// The filter's parameters from the pipeline message.
    pub client_data: &'a [u32],
    /// Extent of the chunk in elements, slowest axis first.
    pub chunk_dims: &'a [u64],
    /// Bytes of one element.
    pub element_size: usize,
    /// The most bytes that decoding may give; a filter must stop there. What is encoded is never longer.
    pub max_decoded_bytes: usize,
}

/// One filter. Implementations are pure: bytes in, bytes out.
pub trait Filter: Send + Sync {
    /// Registered identifier.
    fn id(&self) -> u16;

    /// The filter's usual name, for messages.
    fn name(&self) -> &'static str;

    /// Decodes `input` to the end of `output`, which is empty at the start.
    ///
    /// # Errors
    /// A [`Problem`] when the bytes do not decode, or decode to more than `context.max_decoded_bytes`.
    fn decode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem>;

    /// Decodes only the elements of `part` into `output`, if this filter can; `false` when it cannot.
    ///
    /// Asked of the filter that decodes last, which is the first of the pipeline: `input` is the stored chunk
    /// when it is the only filter, and what the others made of it otherwise. A filter that stores a chunk in
    /// blocks decodes the blocks that the part touches and copies from them; it may also serve the whole
    /// chunk here ([`ChunkPart::is_whole`]) without a buffer in between.
    ///
    /// `Ok(true)` promises that every byte of `output` was written, and that it is what [`Filter::decode`]
    /// would give: elements as stored, in their stored byte order. `Ok(false)` leaves the output as it likes;
    /// the reader then decodes the whole chunk.
    ///
    /// # Errors
    /// As [`Filter::decode`]. Blocks that the part does not touch need not be looked at.
    fn decode_part(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        part: &ChunkPart<'_>,
        output: &mut PartOutput<'_, '_>,
    ) -> Result<bool, Problem> {
        let _ = (context, input, part, output);
        Ok(false)
    }

    /// Extent of the blocks in which this filter stored the chunk `input`: a part that begins and ends where they do decodes
    /// nothing in vain. `None` when there are none, or when they do not follow the axes.
    ///
    /// # Errors
    /// As [`Filter::decode`].
    fn block_dims(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
    ) -> Result<Option<Vec<u64>>, Problem> {
        let _ = (context, input);
        Ok(None)
    }

    /// Encodes `input` to the end of `output`, which is empty at the start: [`Filter::decode`] gives `input` back.
    ///
    /// The same input gives the same bytes in every call and on every thread.
    ///
    /// # Errors
    /// [`Problem::Unsupported`] when this filter only decodes, which is the default; [`Problem::DoesNotShrink`] when the
    /// chunk should be stored without it, if it may; another [`Problem`] when the parameters make no sense.
    fn encode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let _ = (context, input, output);
        Err(Problem::unsupported("encoding with this filter"))
    }
}

/// The filters that a file may use. Cheap to clone.
#[derive(Clone, Default)]
pub struct FilterRegistry {
    filters: Arc<Vec<Arc<dyn Filter>>>,
}

impl FilterRegistry {
    /// The filters of this crate.
    pub fn standard() -> Self {
        Self::default()
            .with(Arc::new(deflate::Deflate))
            .with(Arc::new(shuffle::Shuffle))
            .with(Arc::new(fletcher32::Fletcher32))
            .with(Arc::new(nbit::Nbit))
            .with(Arc::new(scale_offset::ScaleOffset))
            .with(Arc::new(lzf::Lzf))
            .with(Arc::new(lz4::Lz4))
            .with(Arc::new(bitshuffle::Bitshuffle))
            .with(Arc::new(zstd::Zstandard))
    }

    /// Adds a filter, or replaces the one with the same identifier.
    #[must_use]
    pub fn with(mut self, filter: Arc<dyn Filter>) -> Self {
        let filters = Arc::make_mut(&mut self.filters);
        filters.retain(|known| known.id() != filter.id());
        filters.push(filter);
        self
    }

    /// Takes a filter away.
    #[must_use]
    pub fn without(mut self, id: u16) -> Self {
        Arc::make_mut(&mut self.filters).retain(|known| known.id() != id);
        self
    }

    /// The filter with this identifier.
    pub fn get(&self, id: u16) -> Option<&Arc<dyn Filter>> {
        self.filters.iter().find(|known| known.id() == id)
    }
}

impl core::fmt::Debug for FilterRegistry {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.filters.iter().map(|filter| filter.id())).finish()
    }
}

/// Refuses to decode to more bytes than the context allows.
fn check_len(len: usize, context: &FilterContext<'_>) -> Result<(), Problem> {
    let max = context.max_decoded_bytes;
    if len > max {
        return Err(Problem::AboveMaximum { found: len as u64, max: max as u64 });
    }
    Ok(())
}

/// A codec's refusal, in this crate's words.
fn codec_problem(error: codec::Error) -> Problem {
    let text = alloc::string::ToString::to_string(&error);
    match error {
        codec::Error::Unsupported { .. } => Problem::unsupported(text),
        _ => Problem::invalid(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        /// The filters of HDF5 that encode, each alone; chains of them and Blosc2 are in `tests/replay.rs`.
        #[test]
        fn what_a_filter_encodes_it_decodes(
            which in 0_usize..3,
            level in 0_u32..10,
            size in 1_u32..20,
            input in proptest::collection::vec(proptest::prelude::any::<u8>(), 1..3000),
        ) {
            let (filter, client_data): (&dyn Filter, &[u32]) = match which {
                0 => (&deflate::Deflate, &[level]),
                1 => (&shuffle::Shuffle, &[size]),
                _ => (&fletcher32::Fletcher32, &[]),
            };
            let context = context(client_data, input.len());
            let stored = encode(filter, &context, &input);
            let found = stored.and_then(|stored| decode(filter, &context, &stored));
            proptest::prop_assert_eq!(found, Ok(input));
        }
    }

    /// A context for a chunk of bytes.
    pub(super) fn context(client_data: &[u32], max_decoded_bytes: usize) -> FilterContext<'_> {
        FilterContext { client_data, chunk_dims: &[], element_size: 1, max_decoded_bytes }
    }

    pub(super) fn decode(
        filter: &dyn Filter,
        context: &FilterContext<'_>,
        input: &[u8],
    ) -> Result<Vec<u8>, Problem> {
        let mut output = Vec::new();
        filter.decode(context, input, &mut output).map(|()| output)
    }

    pub(super) fn encode(
        filter: &dyn Filter,
        context: &FilterContext<'_>,
        input: &[u8],
    ) -> Result<Vec<u8>, Problem> {
        let mut output = Vec::new();
        filter.encode(context, input, &mut output).map(|()| output)
    }
}

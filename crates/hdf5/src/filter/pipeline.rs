//! Runs the filters of a chunk: backwards to decode it, forwards to encode it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{ChunkPart, Filter, FilterContext, FilterRegistry, PartOutput};
use crate::error::Problem;
use crate::message::filter_pipeline::FilterDescription;
use codec::strided::{dense_strides, offset_of};

/// The filters of a dataset's chunks, and what they must know of the chunks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pipeline<'a> {
    pub(crate) registry: &'a FilterRegistry,
    /// In the order in which they were applied when writing.
    pub(crate) filters: &'a [FilterDescription],
    pub(crate) chunk_dims: &'a [u64],
    pub(crate) element_size: usize,
    /// Bytes of a decoded chunk.
    pub(crate) chunk_bytes: usize,
}

/// Buffers that one chunk after the other passes through.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    current: Vec<u8>,
    next: Vec<u8>,
}

/// A chunk as it is to be stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Encoded<'s> {
    pub(crate) bytes: &'s [u8],
    /// A bit for each filter that was not applied.
    pub(crate) mask: u32,
}

/// The filter that refused, and why.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    /// Its identifier and name.
    pub(crate) filter: String,
    pub(crate) problem: Problem,
}

impl Refusal {
    /// A problem with a chunk that no filter is to blame for.
    pub(crate) fn without_filter(problem: Problem) -> Self {
        Self { filter: "none".into(), problem }
    }
}

impl Pipeline<'_> {
    /// Decodes the elements of `part` of the chunk stored as `stored` into `output`.
    ///
    /// # Errors
    /// A [`Refusal`] when the bytes do not decode, or not to a chunk.
    pub(crate) fn decode_part(
        &self,
        mask: u32,
        stored: &[u8],
        part: &ChunkPart<'_>,
        output: &mut PartOutput<'_, '_>,
        scratch: &mut Scratch,
    ) -> Result<(), Refusal> {
        let Some(first) = self.applied(mask).next() else {
            return self.copy_part(self.checked(mask, stored)?, part, output);
        };
        let decoded = self.undo(mask, 1, stored, scratch)?;
        let input = if decoded { scratch.current.as_slice() } else { stored };
        let context = self.context(first, mask);
        let filter = self.filter(first).map_err(|problem| self.refusal(first, problem))?;
        let done = filter.decode_part(&context, input, part, output);
        if done.map_err(|problem| self.refusal(first, problem))? {
            return Ok(());
        }
        scratch.next.clear();
        filter
            .decode(&context, input, &mut scratch.next)
            .map_err(|problem| self.refusal(first, problem))?;
        self.copy_part(self.checked(mask, &scratch.next)?, part, output)
    }

    /// Decodes the elements of `part` if that is cheaper than decoding the chunk: one filter was applied, and it can give
    /// parts. `false` when that is not so.
    ///
    /// # Errors
    /// As [`Pipeline::decode_part`].
    pub(crate) fn decode_part_alone(
        &self,
        mask: u32,
        stored: &[u8],
        part: &ChunkPart<'_>,
        output: &mut PartOutput<'_, '_>,
    ) -> Result<bool, Refusal> {
        let mut applied = self.applied(mask);
        let (Some(only), None) = (applied.next(), applied.next()) else { return Ok(false) };
        self.filter(only)
            .and_then(|filter| filter.decode_part(&self.context(only, mask), stored, part, output))
            .map_err(|problem| self.refusal(only, problem))
    }

    /// Extent of the blocks in which a chunk is stored, each of which decodes alone; `None` where there are none.
    ///
    /// # Errors
    /// As [`Pipeline::decode_part`].
    pub(crate) fn block_dims(&self, mask: u32, stored: &[u8]) -> Result<Option<Vec<u64>>, Refusal> {
        let mut applied = self.applied(mask);
        let (Some(only), None) = (applied.next(), applied.next()) else { return Ok(None) };
        self.filter(only)
            .and_then(|filter| filter.block_dims(&self.context(only, mask), stored))
            .map_err(|problem| self.refusal(only, problem))
    }

    /// Number of elements of a chunk.
    pub(crate) fn chunk_elements(&self) -> usize {
        self.chunk_bytes.checked_div(self.element_size).unwrap_or(0)
    }

    /// Copies the elements of `part` of a decoded chunk into `output`.
    pub(crate) fn copy_part(
        &self,
        chunk: &[u8],
        part: &ChunkPart<'_>,
        output: &mut PartOutput<'_, '_>,
    ) -> Result<(), Refusal> {
        let mut shape = Vec::with_capacity(self.chunk_dims.len());
        shape.extend(self.chunk_dims.iter().map(|n| usize::try_from(*n).unwrap_or(usize::MAX)));
        let strides = dense_strides(&shape, self.element_size);
        let corner = offset_of(part.start, &strides).and_then(|corner| chunk.get(corner..));
        output
            .copy_box(
                &alloc::vec![0; shape.len()],
                part.shape,
                corner.unwrap_or_default(),
                &strides,
            )
            .map_err(Refusal::without_filter)
    }

    /// Decodes a whole chunk; the result is `stored` itself when no filter was applied.
    ///
    /// # Errors
    /// As [`Pipeline::decode_part`].
    pub(crate) fn decode<'s>(
        &self,
        mask: u32,
        stored: &'s [u8],
        scratch: &'s mut Scratch,
    ) -> Result<&'s [u8], Refusal> {
        let decoded = self.undo(mask, 0, stored, scratch)?;
        self.checked(mask, if decoded { &scratch.current } else { stored })
    }

    /// Decodes a whole chunk to a buffer of its own.
    ///
    /// # Errors
    /// As [`Pipeline::decode_part`].
    pub(crate) fn decode_to_vec(
        &self,
        mask: u32,
        stored: &[u8],
        scratch: &mut Scratch,
    ) -> Result<Vec<u8>, Refusal> {
        if self.undo(mask, 0, stored, scratch)? {
            self.checked(mask, &scratch.current)?;
            return Ok(core::mem::take(&mut scratch.current));
        }
        self.checked(mask, stored).map(<[u8]>::to_vec)
    }

    /// Encodes a whole chunk; the result is `chunk` itself when no filter was applied.
    ///
    /// An optional filter that has nothing to gain from the chunk is left out, and marked in the mask.
    ///
    /// # Errors
    /// A [`Refusal`] when a filter is not known, only decodes, or cannot take the chunk.
    pub(crate) fn encode<'s>(
        &self,
        chunk: &'s [u8],
        scratch: &'s mut Scratch,
    ) -> Result<Encoded<'s>, Refusal> {
        self.checked(u32::MAX, chunk)?;
        let (mut encoded, mut mask) = (false, 0);
        for index in self.applied(0) {
            let input = if encoded { scratch.current.as_slice() } else { chunk };
            scratch.next.clear();
            let done = self.filter(index).and_then(|filter| {
                filter.encode(&self.context(index, mask), input, &mut scratch.next)
            });
            match done {
                Ok(()) => {
                    core::mem::swap(&mut scratch.current, &mut scratch.next);
                    encoded = true;
                }
                Err(Problem::DoesNotShrink) if self.description(index).optional => {
                    mask |= 1 << index;
                }
                Err(problem) => return Err(self.refusal(index, problem)),
            }
        }
        let bytes = if encoded { scratch.current.as_slice() } else { chunk };
        Ok(Encoded { bytes, mask })
    }

    /// Undoes the filters that were applied, but for the first `skip` of them. The result is in `scratch.current`;
    /// `false` when there was nothing to undo.
    fn undo(
        &self,
        mask: u32,
        skip: usize,
        stored: &[u8],
        scratch: &mut Scratch,
    ) -> Result<bool, Refusal> {
        let mut decoded = false;
        let steps = self.applied(mask).count().saturating_sub(skip);
        for index in self.applied(mask).rev().take(steps) {
            let input = if decoded { scratch.current.as_slice() } else { stored };
            scratch.next.clear();
            self.filter(index)
                .and_then(|filter| {
                    filter.decode(&self.context(index, mask), input, &mut scratch.next)
                })
                .map_err(|problem| self.refusal(index, problem))?;
            core::mem::swap(&mut scratch.current, &mut scratch.next);
            decoded = true;
        }
        Ok(decoded)
    }

    /// Refuses decoded bytes that are not one chunk.
    fn checked<'s>(&self, mask: u32, chunk: &'s [u8]) -> Result<&'s [u8], Refusal> {
        if chunk.len() == self.chunk_bytes {
            return Ok(chunk);
        }
        let problem = format!("{} bytes for a chunk of {}", chunk.len(), self.chunk_bytes);
        let filter = self.applied(mask).next().map_or("none".into(), |first| self.name(first));
        Err(Refusal { filter, problem: Problem::invalid(problem) })
    }

    /// Places of the filters that were applied to a chunk with this mask.
    fn applied(&self, mask: u32) -> impl DoubleEndedIterator<Item = usize> + Clone + use<> {
        // The mask has a bit for as many filters as a pipeline may have.
        (0_u32..32)
            .zip(0..self.filters.len())
            .filter(move |(bit, _)| mask >> bit & 1 == 0)
            .map(|(_, index)| index)
    }

    fn description(&self, index: usize) -> &FilterDescription {
        self.filters.get(index).expect("the index of an applied filter")
    }

    fn filter(&self, index: usize) -> Result<&dyn Filter, Problem> {
        let description = self.description(index);
        self.registry.get(description.id).map(AsRef::as_ref).ok_or_else(|| {
            let parameters = &description.client_data;
            Problem::unsupported(format!("this filter, with the parameters {parameters:?},"))
        })
    }

    fn context(&self, index: usize, mask: u32) -> FilterContext<'_> {
        FilterContext {
            client_data: &self.description(index).client_data,
            chunk_dims: self.chunk_dims,
            element_size: self.element_size,
            max_decoded_bytes: self.max_decoded_bytes(index, mask),
        }
    }

    /// The most that undoing filter `index` can give: what the filters before it made of a chunk.
    fn max_decoded_bytes(&self, index: usize, mask: u32) -> usize {
        let earlier = self.applied(mask).take_while(|earlier| *earlier < index);
        earlier.fold(self.chunk_bytes, |bytes, earlier| match self.description(earlier).id {
            SHUFFLE => bytes,
            FLETCHER32 => bytes.saturating_add(4),
            // A compressor may make data larger, though not by much.
            _ => bytes.saturating_mul(2).saturating_add(64 << 10),
        })
    }

    fn refusal(&self, index: usize, problem: Problem) -> Refusal {
        Refusal { filter: self.name(index), problem }
    }

    /// Identifier and name of a filter, as far as the registry or the file or we know one.
    fn name(&self, index: usize) -> String {
        let FilterDescription { id, name, .. } = self.description(index);
        let known = self.registry.get(*id).map(|filter| filter.name());
        match known.or(name.as_deref()).or(well_known_name(*id)) {
            Some(name) => format!("{id} ({name})"),
            None => format!("{id}"),
        }
    }
}

const SHUFFLE: u16 = 2;
const FLETCHER32: u16 = 3;

/// Names of filters that are not ours, for messages.
fn well_known_name(id: u16) -> Option<&'static str> {
    let name = match id {
        4 => "szip",
        307 => "bzip2",
        32_001 => "blosc",
        32_013 => "zfp",
        32_017 => "sz",
        32_018 => "fpzip",
        32_024 => "sz3",
        32_026 => "blosc2",
        _ => return None,
    };
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec;

    fn description(id: u16, client_data: &[u32]) -> FilterDescription {
        FilterDescription { id, name: None, optional: true, client_data: client_data.to_vec() }
    }

    fn pipeline<'a>(
        registry: &'a FilterRegistry,
        filters: &'a [FilterDescription],
    ) -> Pipeline<'a> {
        Pipeline { registry, filters, chunk_dims: &[2, 2], element_size: 2, chunk_bytes: 8 }
    }

    /// The bytes 0 to 7 as elements of 2 bytes in byte planes.
    const SHUFFLED: [u8; 8] = [0, 2, 4, 6, 1, 3, 5, 7];

    #[test]
    fn undoes_filters_from_the_last_to_the_first() {
        let registry = FilterRegistry::standard();
        let filters = [description(2, &[2]), description(3, &[])];
        let pipeline = pipeline(&registry, &filters);
        let mut scratch = Scratch::default();
        // Over the words 0x0002, 0x0406, 0x0103, 0x0507.
        let sum = [0x12, 0x0a, 0x27, 0x13];
        let stored = [&SHUFFLED[..], &sum].concat();
        assert_eq!(pipeline.decode(0, &stored, &mut scratch).unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
        let without_checksum = pipeline.decode(0b10, &stored[..8], &mut scratch).unwrap();
        assert_eq!(without_checksum, [0, 1, 2, 3, 4, 5, 6, 7]);
        let nothing = pipeline.decode(0b11, &stored[..8], &mut scratch).unwrap();
        assert_eq!(nothing, &stored[..8]);
    }

    #[test]
    fn applies_filters_from_the_first_to_the_last() {
        let registry = FilterRegistry::standard();
        let filters = [description(2, &[2]), description(3, &[])];
        let mut scratch = Scratch::default();
        let chunk = [0, 1, 2, 3, 4, 5, 6, 7];
        let stored = [&SHUFFLED[..], &[0x12, 0x0a, 0x27, 0x13]].concat();
        assert_eq!(
            pipeline(&registry, &filters).encode(&chunk, &mut scratch),
            Ok(Encoded { bytes: &stored, mask: 0 })
        );
        assert_eq!(
            pipeline(&registry, &[]).encode(&chunk, &mut scratch),
            Ok(Encoded { bytes: &chunk, mask: 0 })
        );
        assert!(pipeline(&registry, &filters).encode(&chunk[1..], &mut scratch).is_err());
    }

    /// A filter that never gains anything.
    struct Useless;

    impl Filter for Useless {
        fn id(&self) -> u16 {
            300
        }

        fn name(&self) -> &'static str {
            "useless"
        }

        fn decode(&self, _: &FilterContext<'_>, _: &[u8], _: &mut Vec<u8>) -> Result<(), Problem> {
            Err(Problem::DoesNotShrink)
        }

        fn encode(&self, _: &FilterContext<'_>, _: &[u8], _: &mut Vec<u8>) -> Result<(), Problem> {
            Err(Problem::DoesNotShrink)
        }
    }

    #[test]
    fn only_an_optional_filter_may_be_left_out() {
        let registry = FilterRegistry::standard().with(alloc::sync::Arc::new(Useless));
        let mut filters = [description(300, &[]), description(2, &[2])];
        let mut scratch = Scratch::default();
        let chunk = [0, 1, 2, 3, 4, 5, 6, 7];
        assert_eq!(
            pipeline(&registry, &filters).encode(&chunk, &mut scratch),
            Ok(Encoded { bytes: &SHUFFLED, mask: 1 })
        );
        filters[0].optional = false;
        let refusal = pipeline(&registry, &filters).encode(&chunk, &mut scratch).unwrap_err();
        assert_eq!(refusal.filter, "300 (useless)");
        assert_eq!(refusal.problem, Problem::DoesNotShrink);
        filters[0].id = 6;
        let refusal = pipeline(&registry, &filters).encode(&chunk, &mut scratch).unwrap_err();
        assert_eq!(refusal.problem.to_string(), "encoding with this filter is not supported");
    }

    #[test]
    fn a_part_goes_where_it_belongs() {
        let registry = FilterRegistry::standard();
        let filters = [description(2, &[2])];
        let mut scratch = Scratch::default();
        for (mask, stored) in [(0, &SHUFFLED[..]), (1, &[0, 1, 2, 3, 4, 5, 6, 7])] {
            let mut memory = vec![9; 6];
            let mut output = PartOutput::new(&mut memory, &[2, 1], &[4, 2], 2);
            let part = ChunkPart { start: &[0, 1], shape: &[2, 1] };
            pipeline(&registry, &filters)
                .decode_part(mask, stored, &part, &mut output, &mut scratch)
                .unwrap();
            assert_eq!(memory, [2, 3, 9, 9, 6, 7]);
        }
    }

    #[test]
    fn a_filter_that_is_not_there_is_named_with_its_parameters() {
        let registry = FilterRegistry::standard();
        let filters = [description(4, &[141, 32])];
        let refusal =
            pipeline(&registry, &filters).decode(0, &[0; 8], &mut Scratch::default()).unwrap_err();
        assert_eq!(refusal.filter, "4 (szip)");
        assert_eq!(
            refusal.problem.to_string(),
            "this filter, with the parameters [141, 32], is not supported"
        );
        assert_eq!(
            pipeline(&registry, &filters).decode(1, &[0; 8], &mut Scratch::default()).unwrap(),
            [0; 8]
        );
    }

    #[test]
    fn a_chunk_of_another_size_is_refused() {
        let registry = FilterRegistry::standard();
        let filters = [description(2, &[2])];
        let pipeline = pipeline(&registry, &filters);
        assert!(pipeline.decode(0, &[0; 7], &mut Scratch::default()).is_err());
        assert!(pipeline.decode(1, &[0; 9], &mut Scratch::default()).is_err());
        assert!(pipeline.decode(0, &[0; 9], &mut Scratch::default()).is_err());
    }
}

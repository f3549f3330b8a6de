//! Blosc2 (filter 32026): each chunk is a contiguous frame. Spec: MEDH5 1.0 §9; `spec/blosc2-subset.md`.

#[cfg(feature = "encode")]
mod encode;

use std::cell::RefCell;

use blosc2::{Cframe, Error, Layout, Scratch};
use codec::strided::{dense_strides, offset_of};
use hdf5::{ChunkPart, Filter, FilterContext, PartOutput, Problem};

use super::problem;

/// Encodes Blosc2 frames, and decodes of a frame only the blocks that are wanted.
///
/// Client data: revision, bytes of a block (0: chosen), of an element, of a chunk, level, filter, codec; from rank 2 on
/// also the rank and the extent of a chunk, which say that the elements are stored in n-d blocks.
#[derive(Debug)]
pub(super) struct Blosc2Filter;

/// The most that padding to whole blocks may add to a chunk: the C library's blocks at most double each axis, and no
/// more than two of them in practice.
const fn with_padding(chunk_bytes: usize) -> usize {
    chunk_bytes.saturating_mul(4).saturating_add(64 << 10)
}

thread_local! {
    /// Decoder tables and buffers of this thread, and a chunk of which only a part is wanted.
    static SCRATCH: RefCell<(Scratch, Vec<u8>)> = RefCell::default();
}

impl Filter for Blosc2Filter {
    fn id(&self) -> u16 {
        32_026
    }

    fn name(&self) -> &'static str {
        "blosc2"
    }

    fn decode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let max = context.max_decoded_bytes;
        let frame = Cframe::parse(input, with_padding(max)).map_err(|error| problem(&error))?;
        SCRATCH.with_borrow_mut(|(scratch, _)| {
            let Some(layout) = frame.layout() else {
                output.resize(check_len(Some(frame.decoded_len()), max)?, 0);
                return frame.decode(scratch, output).map_err(|error| problem(&error));
            };
            let elements = layout.shape().iter().try_fold(1_usize, |n, dim| n.checked_mul(*dim));
            let len = elements.and_then(|n| n.checked_mul(frame.element_size()));
            output.resize(check_len(len, max)?, 0);
            let corner = vec![0; layout.shape().len()];
            frame
                .decode_dense(&corner, layout.shape(), scratch, output)
                .map_err(|error| problem(&error))
        })
    }

    fn decode_part(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        part: &ChunkPart<'_>,
        output: &mut PartOutput<'_, '_>,
    ) -> Result<bool, Problem> {
        let frame = Cframe::parse(input, with_padding(context.max_decoded_bytes))
            .map_err(|error| problem(&error))?;
        SCRATCH.with_borrow_mut(|(scratch, spare)| match frame.layout() {
            Some(layout) => {
                check_layout(&frame, layout, context)?;
                decode_box(&frame, part, scratch, output)
            }
            None => decode_span(&frame, context, part, (scratch, spare), output),
        })?;
        Ok(true)
    }

    fn block_dims(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
    ) -> Result<Option<Vec<u64>>, Problem> {
        let frame = Cframe::parse(input, with_padding(context.max_decoded_bytes))
            .map_err(|error| problem(&error))?;
        let Some(layout) = frame.layout() else { return Ok(None) };
        check_layout(&frame, layout, context)?;
        Ok(Some(layout.block_shape().iter().map(|n| *n as u64).collect()))
    }

    #[cfg(feature = "encode")]
    fn encode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        encode::encode(context, input, output)
    }
}

/// The array of the frame must be the chunk.
fn check_layout(
    frame: &Cframe<'_>,
    layout: &Layout,
    context: &FilterContext<'_>,
) -> Result<(), Problem> {
    let is_same = layout.shape().len() == context.chunk_dims.len()
        && layout.shape().iter().zip(context.chunk_dims).all(|(n, dim)| *n as u64 == *dim)
        && frame.element_size() == context.element_size;
    if is_same {
        return Ok(());
    }
    let (shape, size) = (layout.shape(), frame.element_size());
    let reason = format!("the frame holds {shape:?} elements of {size} bytes, not the chunk");
    Err(Problem::Invalid(reason.into()))
}

/// Decodes a box of the frame's array.
fn decode_box(
    frame: &Cframe<'_>,
    part: &ChunkPart<'_>,
    scratch: &mut Scratch,
    output: &mut PartOutput<'_, '_>,
) -> Result<(), Problem> {
    frame
        .decode_box::<Refusal>(part.start, part.shape, scratch, |piece| {
            let copied = output.copy_box(piece.at, piece.shape, piece.bytes, piece.strides);
            copied.map_err(Refusal)
        })
        .map_err(|refusal| refusal.0)
}

/// Decodes a box of a frame without layout: what lies between its first and its last element.
fn decode_span(
    frame: &Cframe<'_>,
    context: &FilterContext<'_>,
    part: &ChunkPart<'_>,
    (scratch, spare): (&mut Scratch, &mut Vec<u8>),
    output: &mut PartOutput<'_, '_>,
) -> Result<(), Problem> {
    if frame.decoded_len() != context.max_decoded_bytes {
        let (found, expected) = (frame.decoded_len(), context.max_decoded_bytes);
        let reason = format!("the frame holds {found} bytes, the chunk {expected}");
        return Err(Problem::Invalid(reason.into()));
    }
    if part.is_whole(context.chunk_dims)
        && let Some(target) = output.contiguous()
    {
        return frame.decode(scratch, target).map_err(|error| problem(&error));
    }
    let dims: Option<Vec<usize>> =
        context.chunk_dims.iter().map(|dim| usize::try_from(*dim).ok()).collect();
    let strides = dense_strides(&dims.unwrap_or_default(), context.element_size);
    let last: Vec<usize> =
        part.start.iter().zip(part.shape).map(|(first, n)| first + n.saturating_sub(1)).collect();
    let outside = || Problem::Invalid("the part leaves the chunk".into());
    let start = offset_of(part.start, &strides).ok_or_else(outside)?;
    let end = offset_of(&last, &strides).ok_or_else(outside)? + context.element_size;
    spare.resize(end - start, 0);
    frame.decode_range(start, scratch, spare).map_err(|error| problem(&error))?;
    output.copy_box(&vec![0; part.shape.len()], part.shape, spare, &strides)
}

fn check_len(len: Option<usize>, max: usize) -> Result<usize, Problem> {
    match len {
        Some(len) if len <= max => Ok(len),
        _ => Err(Problem::AboveMaximum {
            found: len.map_or(u64::MAX, |len| len as u64),
            max: max as u64,
        }),
    }
}

/// A failure of either side of a box.
struct Refusal(Problem);

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(problem(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context<'a>(client_data: &'a [u32], chunk_dims: &'a [u64]) -> FilterContext<'a> {
        FilterContext { client_data, chunk_dims, element_size: 2, max_decoded_bytes: 48_000 }
    }

    fn frame(client_data: &[u32], chunk_dims: &[u64], input: &[u8]) -> Result<Vec<u8>, Problem> {
        let mut output = Vec::new();
        Blosc2Filter.encode(&context(client_data, chunk_dims), input, &mut output)?;
        Ok(output)
    }

    #[test]
    fn a_chunk_is_an_array_where_the_client_data_say_so() {
        let elements: Vec<u8> = (0..48_000_u32).map(|i| (i / 900).to_le_bytes()[0]).collect();
        let dims = [20, 30, 40];
        for (client_data, is_array) in [
            (&[1, 0, 2, 48_000, 3, 1, 5, 3, 20, 30, 40][..], true),
            (&[1, 0, 2, 48_000, 1, 1, 1], false),
            // Of elements that are pairs of bytes.
            (&[1, 0, 1, 48_000, 1, 2, 1, 3, 20, 30, 40], false),
        ] {
            let stored = frame(client_data, &dims, &elements).unwrap();
            assert_eq!(Cframe::parse(&stored, 1 << 20).unwrap().layout().is_some(), is_array);
            let mut back = Vec::new();
            Blosc2Filter.decode(&context(client_data, &dims), &stored, &mut back).unwrap();
            assert!(back == elements);
        }
    }

    #[test]
    fn what_cannot_be_encoded_is_named() {
        let text = |client_data: &[u32]| frame(client_data, &[2], &[1; 4]).unwrap_err().to_string();
        assert_eq!(text(&[1, 0, 2, 4, 3, 1]), "fewer than 7 filter parameters");
        assert_eq!(text(&[1, 0, 2, 4, 3, 3, 5]), "encoding with filter 3 is not supported");
        assert_eq!(text(&[1, 0, 2, 4, 3, 1, 0]), "encoding with codec 0 is not supported");
        assert_eq!(text(&[1, 0, 2, 4, 10, 1, 5]), "levels of Blosc2 go from 0 to 9");
        let other = "the filter parameters describe another chunk: [3]";
        assert_eq!(text(&[1, 0, 2, 4, 3, 1, 5, 1, 3]), other);
    }
}

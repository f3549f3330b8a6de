//! A contiguous frame: a header, chunks one after the other, a chunk that holds their offsets, and a trailer.

pub(crate) mod encode;
mod header;
mod metalayers;
mod offsets;
#[cfg(test)]
mod tests;
mod trailer;

use alloc::vec::Vec;
use core::ops::Range;

use codec::strided::dense_strides;

use crate::chunk::{Chunk, nan, repeat};
use crate::error::{Error, FormatError, Problem};
use crate::layout::Layout;
use crate::parse::parse_at;
use crate::region::{Piece, Step};
use crate::scratch::Scratch;
use header::FrameHeader;
use offsets::{Place, read_offsets};

/// A contiguous frame, everything but its chunks checked; nothing of them is decoded yet.
#[derive(Debug, Clone)]
pub struct Cframe<'a> {
    header: FrameHeader,
    /// The chunks section.
    chunks: &'a [u8],
    places: Vec<Place>,
    layout: Option<Layout>,
}

impl<'a> Cframe<'a> {
    /// Opens the frame at the start of `bytes`, which may decode to `max_decoded` bytes, padding of n-d blocks included.
    ///
    /// # Errors
    /// [`Error::Format`] when a structure is malformed, unsupported, or over that limit.
    pub fn parse(bytes: &'a [u8], max_decoded: usize) -> Result<Self, Error> {
        let header = FrameHeader::parse(bytes.len(), max_decoded);
        let header = parse_at(FrameHeader::NAME, 0, bytes, header)?;
        let frame = &bytes[..header.frame_len];
        let layout = metalayers::layout(&frame[..header.len])?;
        let chunks_end = header.len + header.chunks_len;
        let trailer_len = trailer::len(frame, chunks_end)?;
        let index = &frame[chunks_end..frame.len() - trailer_len];
        let places = read_offsets(&header, chunks_end, index)?;
        if let Some(layout) = &layout {
            check_layout(layout, &header)?;
        }
        let chunks = &frame[header.len..chunks_end];
        Ok(Self { header, chunks, places, layout })
    }

    /// Bytes of one element. Without a [`Cframe::layout`] it is 1 for elements of more than 255.
    pub fn element_size(&self) -> usize {
        match &self.layout {
            Some(layout) => self.header.chunk_size / layout.padded_chunk_elements(),
            None => self.header.element_size,
        }
    }

    /// Number of bytes that the chunks decode to, padding included.
    pub fn decoded_len(&self) -> usize {
        self.header.decoded_len
    }

    /// Number of chunks.
    pub fn chunk_count(&self) -> usize {
        self.places.len()
    }

    /// The decoded bytes that chunk `index` holds.
    pub fn chunk_range(&self, index: usize) -> Range<usize> {
        self.header.chunk_range(index)
    }

    /// How the elements of an array lie in the chunks and blocks; `None` when they just follow one another.
    pub fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// Opens chunk `index`; `None` when all of it is one value that the frame's index knows.
    ///
    /// # Errors
    /// [`Error::Request`] when there is no such chunk, [`Error::Format`] when it is malformed or of another length.
    pub fn chunk(&self, index: usize) -> Result<Option<Chunk<'a>>, Error> {
        let Some(place) = self.places.get(index) else {
            return Err(Error::Request { reason: "the frame has no such chunk" });
        };
        let Place::Stored(offset) = *place else { return Ok(None) };
        let expected = self.chunk_range(index).len();
        let start = self.header.len + offset;
        let chunk = Chunk::parse_at(start, &self.chunks[offset..], expected)?;
        if chunk.decoded_len() != expected {
            return Err(FormatError {
                structure: "Blosc2 chunk",
                field: Some("decoded bytes"),
                start,
                offset: start + 4,
                problem: Problem::invalid("the chunk has another length than its frame says"),
            }
            .into());
        }
        Ok(Some(chunk))
    }

    /// Decodes all bytes in the order of the chunks, padding included, into `target`.
    ///
    /// # Errors
    /// [`Error::Request`] when `target` is not of [`Cframe::decoded_len`] bytes, else those of [`Cframe::chunk`] and
    /// [`Chunk::decode`].
    pub fn decode(&self, scratch: &mut Scratch, target: &mut [u8]) -> Result<(), Error> {
        if target.len() != self.decoded_len() {
            return Err(Error::Request { reason: "the target differs in length from the frame" });
        }
        self.decode_range(0, scratch, target)
    }

    /// Decodes the bytes from `start` on that fill `target`, in the order of the chunks.
    ///
    /// # Errors
    /// [`Error::Request`] when the range leaves the frame, else those of [`Cframe::chunk`] and [`Chunk::decode_range`].
    pub fn decode_range(
        &self,
        start: usize,
        scratch: &mut Scratch,
        target: &mut [u8],
    ) -> Result<(), Error> {
        let end = start.checked_add(target.len()).filter(|end| *end <= self.decoded_len());
        let Some(end) = end else {
            return Err(Error::Request { reason: "the range leaves the frame" });
        };
        let mut rest = target;
        let mut at = start;
        while at < end {
            let index = at / self.header.chunk_size;
            let range = self.chunk_range(index);
            let (part, after) = rest.split_at_mut(range.end.min(end) - at);
            match self.chunk(index)? {
                Some(chunk) => chunk.decode_range(at - range.start, scratch, part)?,
                None => self.constant(index, at, part),
            }
            at += part.len();
            rest = after;
        }
        Ok(())
    }

    /// Decodes the elements of a box of the array, and gives them to `sink` in pieces, one per block.
    ///
    /// The box has `shape` elements from `start` on. Only blocks that it touches are decoded.
    ///
    /// # Errors
    /// [`Error::Request`] when the frame has no [`Cframe::layout`] or the box leaves the array, and the errors of
    /// [`Cframe::decode_steps`].
    pub fn decode_box<E: From<Error>>(
        &self,
        start: &[usize],
        shape: &[usize],
        scratch: &mut Scratch,
        sink: impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let layout = self.layout.as_ref().ok_or(NO_ARRAY)?;
        self.decode_steps(layout.steps(start, shape)?, scratch, sink)
    }

    /// Decodes a box of the array into `target`, in C order.
    ///
    /// # Errors
    /// [`Error::Request`] when `target` has another number of bytes than the box, else those of [`Cframe::decode_box`].
    pub fn decode_dense(
        &self,
        start: &[usize],
        shape: &[usize],
        scratch: &mut Scratch,
        target: &mut [u8],
    ) -> Result<(), Error> {
        let size = self.element_size();
        let len = shape.iter().try_fold(size, |len, extent| len.checked_mul(*extent));
        if len != Some(target.len()) {
            return Err(Error::Request { reason: "the target differs in length from the box" });
        }
        let strides = dense_strides(shape, size);
        self.decode_box(start, shape, scratch, |piece| piece.copy_to(target, &strides, size))
    }

    /// Decodes the blocks of some of the steps of [`Layout::steps`], and gives what is wanted of each to `sink`.
    ///
    /// Several threads may do some of the steps each. Steps of one chunk that follow one another share its opening.
    ///
    /// # Errors
    /// Those of [`Cframe::chunk`] and of [`BlockDecoder::decode`](crate::BlockDecoder::decode), and what `sink` returns.
    pub fn decode_steps<E: From<Error>>(
        &self,
        steps: impl IntoIterator<Item = Step>,
        scratch: &mut Scratch,
        mut sink: impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let layout = self.layout.as_ref().ok_or(NO_ARRAY)?;
        let element_size = self.element_size();
        let strides = dense_strides(layout.block_shape(), element_size);
        let block_len = layout.block_elements() * element_size;
        let mut spare = Vec::new();
        let mut steps = steps.into_iter().peekable();
        while let Some(index) = steps.peek().map(|step| step.chunk) {
            let mut steps = core::iter::from_fn(|| steps.next_if(|step| step.chunk == index));
            match self.chunk(index)? {
                Some(chunk) if chunk.block_range(0).len() == block_len => {
                    let mut blocks = chunk.blocks(scratch)?;
                    steps.try_for_each(|step| {
                        sink(step.piece(blocks.decode(step.block)?, &strides))
                    })?;
                }
                // Blocks of another size than the layout says: legal, though the C library never writes them.
                Some(chunk) => steps.try_for_each(|step| {
                    spare.resize(block_len, 0);
                    chunk.decode_range(step.block * block_len, scratch, &mut spare)?;
                    sink(step.piece(&spare, &strides))
                })?,
                None => {
                    spare.resize(block_len, 0);
                    self.constant(index, 0, &mut spare);
                    steps.try_for_each(|step| sink(step.piece(&spare, &strides)))?;
                }
            }
        }
        Ok(())
    }

    /// Fills `target` with what the index says of chunk `index`, from byte `start` of the chunk on.
    fn constant(&self, index: usize, start: usize, target: &mut [u8]) {
        match self.places.get(index) {
            Some(Place::Nan) => repeat(nan(self.header.element_size), start, target),
            _ => target.fill(0),
        }
    }
}

const NO_ARRAY: Error = Error::Request { reason: "the frame holds no array" };

/// The layout and the header must agree on the number of bytes.
fn check_layout(layout: &Layout, header: &FrameHeader) -> Result<(), FormatError> {
    let fits = layout.chunk_count().checked_mul(header.chunk_size) == Some(header.decoded_len)
        && header.chunk_size.is_multiple_of(layout.padded_chunk_elements())
        && (header.element_size == 1
            || header.chunk_size / layout.padded_chunk_elements() == header.element_size);
    if fits {
        return Ok(());
    }
    Err(FormatError {
        structure: FrameHeader::NAME,
        field: Some("chunk size"),
        start: 0,
        offset: header::CHUNK_SIZE_OFFSET,
        problem: Problem::invalid("the array of the b2nd metalayer takes another number of bytes"),
    })
}

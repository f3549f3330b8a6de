//! Where the elements of a new dataset come from: asked piece by piece, so that no volume has to fit in memory.

use alloc::vec::Vec;

use codec::strided::{copy_box, dense_strides, offset_of};

use crate::error::Error;
use crate::message::filter_pipeline::FilterDescription;
use crate::parse::byte_count;

/// The elements of one dataset of fixed size elements. Asked from several threads, in any order.
pub trait ElementSource: Send + Sync {
    /// Fills `out` with the box of elements that starts at `start`, of extent `shape`, in C order, each as the dataset's
    /// datatype stores it.
    ///
    /// The box never reaches past the extent: of a chunk at the edge, only what is inside is asked.
    ///
    /// # Errors
    /// Any; the write ends with it, named after the dataset.
    fn read(&self, start: &[u64], shape: &[u64], out: &mut [u8]) -> Result<(), Error>;

    /// Whether a box of this extent will be given: asked of data in one piece before there is room for it, so that a description
    /// that nothing stands behind takes no memory.
    ///
    /// # Errors
    /// As [`ElementSource::read`].
    fn admit(&self, shape: &[u64]) -> Result<(), Error> {
        let _ = shape;
        Ok(())
    }

    /// The places in the chunk grid of the chunks that there are, in C order, if this is known without asking for each: all
    /// others stay unallocated. Asked once, of chunked datasets, with what encodes them.
    ///
    /// # Errors
    /// As [`ElementSource::read`].
    fn present(
        &self,
        chunk_dims: &[u64],
        filters: &[FilterDescription],
    ) -> Result<Option<Vec<Vec<u64>>>, Error> {
        let _ = (chunk_dims, filters);
        Ok(None)
    }

    /// What there is to store of a chunk; asked only of chunked datasets.
    ///
    /// # Errors
    /// As [`ElementSource::read`].
    fn chunk(&self, request: &ChunkRequest<'_>) -> Result<ChunkSupply, Error> {
        let _ = request;
        Ok(ChunkSupply::Elements)
    }
}

/// A chunk that is to be written, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkRequest<'a> {
    /// Its first element.
    pub start: &'a [u64],
    /// Its elements inside the extent.
    pub shape: &'a [u64],
    /// Its whole extent, in elements.
    pub chunk_dims: &'a [u64],
    /// What encodes it; chunks that are supplied as stored must have been encoded so.
    pub filters: &'a [FilterDescription],
}

/// What a source has for one chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChunkSupply {
    /// Elements, to be read and encoded.
    Elements,
    /// Nothing: the chunk stays unallocated, and reads as the fill value.
    Absent,
    /// The chunk as it is to be stored: encoded by the dataset's filters before.
    Stored {
        /// Its bytes.
        bytes: Vec<u8>,
        /// Bit `i` set: filter `i` of the pipeline was not applied.
        filter_mask: u32,
    },
}

/// Elements in memory: all of a dataset, in C order.
#[derive(Debug, Clone)]
pub(super) struct InMemory {
    dims: Vec<usize>,
    element_size: usize,
    bytes: Vec<u8>,
}

impl InMemory {
    pub(super) fn new(dims: &[u64], element_size: u32, bytes: Vec<u8>) -> Self {
        Self {
            dims: dims.iter().copied().map(byte_count).collect(),
            element_size: byte_count(element_size.into()),
            bytes,
        }
    }
}

impl ElementSource for InMemory {
    fn read(&self, start: &[u64], shape: &[u64], out: &mut [u8]) -> Result<(), Error> {
        let start: Vec<_> = start.iter().copied().map(byte_count).collect();
        let shape: Vec<_> = shape.iter().copied().map(byte_count).collect();
        let strides = dense_strides(&self.dims, self.element_size);
        let to_strides = dense_strides(&shape, self.element_size);
        offset_of(&start, &strides)
            .and_then(|corner| self.bytes.get(corner..))
            .and_then(|from| {
                copy_box(&shape, (out, &to_strides), (from, &strides), self.element_size)
            })
            .ok_or_else(|| Error::Request { reason: "fewer elements than the shape has".into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_boxes_of_what_is_in_memory() {
        let source = InMemory::new(&[2, 3], 1, (0..6).collect());
        let mut out = [9; 2];
        source.read(&[0, 1], &[2, 1], &mut out).unwrap();
        assert_eq!(out, [1, 4]);
        assert!(source.read(&[1, 1], &[2, 2], &mut [0; 4]).is_err());
    }
}

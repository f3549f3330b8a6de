//! Makes frames: elements in C order become blocks, blocks a chunk, the chunk a frame.

use alloc::vec::Vec;

use codec::strided::dense_strides;

use crate::cframe;
use crate::chunk::encode::{Buffers, Plan, encode as encode_chunk, is_all};
use crate::codec::StreamEncoder;
use crate::error::Error;
use crate::layout::{Layout, MAX_RANK};
use crate::region::Step;
use crate::settings::Settings;

/// Encodes chunks of HDF5 as frames, one after the other; one per thread.
///
/// The same elements give the same bytes every time. With Zstandard they are those of the C library (2.22, libzstd
/// 1.5.7), with LZ4 mostly.
#[derive(Debug)]
pub struct Encoder {
    settings: Settings,
    stream: StreamEncoder,
    buffers: Buffers,
}

/// The longest chunk that is written, in bytes: its lengths have 31 bits, with the header and the padding of blocks.
const MAX_LEN: usize = (1 << 31) - (1 << 16);

impl Encoder {
    /// An encoder with these settings.
    ///
    /// # Errors
    /// [`Error::Request`] when an element has no byte or more than 255, which the C library cannot read, or the level is
    /// above 9.
    pub fn new(settings: Settings) -> Result<Self, Error> {
        if !(1..=255).contains(&settings.element_size) {
            return Err(Error::Request { reason: "elements have 1 to 255 bytes in Blosc2 frames" });
        }
        if settings.level > 9 {
            return Err(Error::Request { reason: "levels of Blosc2 go from 0 to 9" });
        }
        if settings.block_size == Some(0) {
            return Err(Error::Request { reason: "blocks of 0 bytes" });
        }
        let stream = StreamEncoder::new(&settings);
        Ok(Self { settings, stream, buffers: Buffers::default() })
    }

    /// What this encoder was made for.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Appends the frame of `elements` to `target`, in the order in which they are given.
    ///
    /// # Errors
    /// [`Error::Request`] when there are no bytes or more than 2 GiB, [`Error::Block`] when this build has no such
    /// compressor.
    pub fn encode(&mut self, elements: &[u8], target: &mut Vec<u8>) -> Result<(), Error> {
        let Self { settings, stream, buffers } = self;
        if elements.is_empty() || elements.len() > MAX_LEN {
            return Err(Error::Request { reason: "a frame holds 1 byte to 2 GiB" });
        }
        let block_size = settings.block_size(elements.len());
        let plan = Plan { settings, decoded_len: elements.len(), block_size };
        let fill = |index: usize, block: &mut [u8]| {
            block.copy_from_slice(&elements[index * block_size..][..block.len()]);
        };
        let write_chunk = |target: &mut Vec<u8>| encode_chunk(plan, stream, buffers, fill, target);
        let write_chunk = (settings.level == 0 || !is_all(0, elements)).then_some(write_chunk);
        cframe::encode::encode(plan, None, write_chunk, target)
    }

    /// Appends the frame of an array of `shape`, slowest axis first, in n-d blocks to `target`. `elements` are in C order.
    ///
    /// # Errors
    /// As [`Encoder::encode`]; also [`Error::Request`] when the rank is not 1 to 16 or `elements` are not those of the
    /// array.
    pub fn encode_array(
        &mut self,
        shape: &[usize],
        elements: &[u8],
        target: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let Self { settings, stream, buffers } = self;
        let size = settings.element_size;
        let len = shape.iter().try_fold(size, |len, n| len.checked_mul(*n));
        if len != Some(elements.len())
            || elements.is_empty()
            || !(1..=MAX_RANK).contains(&shape.len())
        {
            return Err(Error::Request {
                reason: "the elements are not those of an array of rank 1 to 16",
            });
        }
        let layout = Layout::of_chunk(shape, settings.block_shape(shape));
        let decoded_len = layout.as_ref().map(Layout::padded_chunk_elements);
        let decoded_len = decoded_len.and_then(|n| n.checked_mul(size)).unwrap_or(usize::MAX);
        let Some(layout) = layout.filter(|_| (1..=MAX_LEN).contains(&decoded_len)) else {
            return Err(Error::Request { reason: "a frame holds 1 byte to 2 GiB" });
        };
        let plan = Plan { settings, decoded_len, block_size: layout.block_elements() * size };
        // One step per block: none is all padding.
        let steps: Vec<Step> = layout.steps(&[0; MAX_RANK][..shape.len()], shape)?.collect();
        let strides = dense_strides(shape, size);
        let block_strides = dense_strides(layout.block_shape(), size);
        let fill = |index: usize, block: &mut [u8]| {
            steps[index].gather((elements, &strides), (block, &block_strides), size);
        };
        let write_chunk = |target: &mut Vec<u8>| encode_chunk(plan, stream, buffers, fill, target);
        let write_chunk = (settings.level == 0 || !is_all(0, elements)).then_some(write_chunk);
        cframe::encode::encode(plan, Some(&layout), write_chunk, target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cframe, Compressor, Scratch, Transform};
    use alloc::vec;
    use proptest::prelude::*;

    fn settings(compressor: Compressor, level: u8, transform: Transform) -> Settings {
        Settings { compressor, level, transform, element_size: 2, block_size: None }
    }

    fn array(settings: Settings, shape: &[usize], elements: &[u8]) -> Vec<u8> {
        let mut frame = vec![7];
        Encoder::new(settings).unwrap().encode_array(shape, elements, &mut frame).unwrap();
        frame.split_off(1)
    }

    #[test]
    fn zeros_take_no_chunk() {
        let settings = settings(Compressor::Zstd, 3, Transform::Shuffle);
        assert_eq!(array(settings, &[20, 30, 40], &vec![0; 48_000]).len(), 259);
        let mut frame = Vec::new();
        Encoder::new(settings).unwrap().encode(&[0; 100], &mut frame).unwrap();
        assert_eq!(frame.len(), 172);
        let stored = Settings { level: 0, ..settings };
        assert!(array(stored, &[20, 30, 40], &vec![0; 48_000]).len() > 48_000);
    }

    #[test]
    fn what_no_reader_could_read_is_refused() {
        let good = settings(Compressor::Lz4, 1, Transform::None);
        for wrong in [
            Settings { element_size: 0, ..good },
            Settings { element_size: 256, ..good },
            Settings { level: 10, ..good },
            Settings { block_size: Some(0), ..good },
        ] {
            assert!(Encoder::new(wrong).is_err(), "{wrong:?}");
        }
        let mut encoder = Encoder::new(good).unwrap();
        assert!(encoder.encode(&[], &mut Vec::new()).is_err());
        for (shape, len) in [(&[3, 4][..], 23), (&[], 2), (&[3, 0], 0), (&[1; 17], 2)] {
            assert!(encoder.encode_array(shape, &vec![1; len], &mut Vec::new()).is_err());
        }
        assert!(encoder.encode_array(&[1; 16], &[1; 2], &mut Vec::new()).is_ok());
    }

    proptest! {
        #[test]
        fn decodes_to_what_was_encoded(
            compressor in prop::sample::select(&[Compressor::Lz4, Compressor::Lz4Hc, Compressor::Zlib, Compressor::Zstd][..]),
            transform in prop::sample::select(&[Transform::None, Transform::Shuffle, Transform::BitShuffle][..]),
            level in 0_u8..=9,
            element_size in 1_usize..20,
            block_size in prop::option::of(1_usize..3000),
            shape in prop::collection::vec(1_usize..9, 1..5),
            seed: [u8; 9],
            modulus in 1_u16..=256,
        ) {
            let settings = Settings { compressor, level, transform, element_size, block_size };
            let count = shape.iter().product::<usize>() * element_size;
            let elements: Vec<u8> = (0..count)
                .map(|i| (u16::from(seed[i % 9].wrapping_mul(seed[i / 9 % 9])) % modulus).to_le_bytes()[0])
                .collect();
            let mut encoder = Encoder::new(settings).unwrap();
            let (mut plain, mut again) = (Vec::new(), Vec::new());
            encoder.encode(&elements, &mut plain).unwrap();
            let frame = array(settings, &shape, &elements);
            encoder.encode(&elements, &mut again).unwrap();
            prop_assert_eq!(&plain, &again);
            let mut found = vec![9; count];
            let opened = Cframe::parse(&plain, count).unwrap();
            opened.decode(&mut Scratch::new(), &mut found).unwrap();
            prop_assert_eq!(&found, &elements);
            let opened = Cframe::parse(&frame, usize::MAX).unwrap();
            found.fill(9);
            let corner = vec![0; shape.len()];
            opened.decode_dense(&corner, &shape, &mut Scratch::new(), &mut found).unwrap();
            prop_assert_eq!(&found, &elements);
        }
    }
}

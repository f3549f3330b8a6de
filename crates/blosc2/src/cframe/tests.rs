//! Frames of a few bytes, built by hand.
#![expect(clippy::cast_possible_truncation, reason = "lengths of a few bytes")]

use std::string::ToString;
use std::vec;
use std::vec::Vec;

use super::Cframe;
use crate::{Class, Error, Scratch};

/// A frame of stored chunks of `chunk_size` bytes; a chunk may be the top byte of an offset instead.
struct Frame {
    element_size: u32,
    chunk_size: u32,
    chunks: Vec<Result<Vec<u8>, u8>>,
    /// The content of a `b2nd` metalayer.
    layout: Option<Vec<u8>>,
}

impl Frame {
    fn plain(chunk_size: u32, chunks: Vec<Result<Vec<u8>, u8>>) -> Self {
        Self { element_size: 1, chunk_size, chunks, layout: None }
    }

    fn bytes(&self) -> Vec<u8> {
        let (mut chunks, mut offsets) = (Vec::new(), Vec::new());
        for chunk in &self.chunks {
            match chunk {
                Ok(bytes) => {
                    offsets.extend((chunks.len() as u64).to_le_bytes());
                    chunks.extend(stored(self.element_size, bytes));
                }
                Err(kind) => offsets.extend([0, 0, 0, 0, 0, 0, 0, *kind]),
            }
        }
        let metalayers = self.metalayers();
        let index = stored(8, &offsets);
        let len = 87 + metalayers.len();
        let decoded = self.chunk_size as usize * self.chunks.len();
        let mut frame = b"\x9e\xa8b2frame\0\xd2".to_vec();
        frame.extend((len as u32).to_be_bytes());
        frame.push(0xcf);
        frame.extend(((len + chunks.len() + index.len() + 35) as u64).to_be_bytes());
        frame.extend([0xa4, 0x12, 0, 0x11, 3, 0xd3]);
        frame.extend((decoded as u64).to_be_bytes());
        frame.push(0xd3);
        frame.extend((chunks.len() as u64).to_be_bytes());
        for size in [self.element_size, 0, self.chunk_size] {
            frame.push(0xd2);
            frame.extend(size.to_be_bytes());
        }
        frame.extend([0xd1, 0, 0, 0xd1, 0, 1, 0xc2, 0xd8, 6]);
        frame.extend([0; 16]);
        frame.extend(metalayers);
        frame.extend(chunks);
        frame.extend(index);
        frame.extend([0x94, 1, 0x93, 0xcd, 0, 6, 0xde, 0, 0, 0xdc, 0, 0, 0xce, 0, 0, 0, 35, 0xd8]);
        frame.extend([0; 17]);
        frame
    }

    fn metalayers(&self) -> Vec<u8> {
        let Some(layout) = &self.layout else {
            return vec![0x93, 0xcd, 0, 7, 0xde, 0, 0, 0xdc, 0, 0];
        };
        let mut bytes = vec![0x93, 0xcd, 0, 17, 0xde, 0, 1, 0xa4];
        bytes.extend(b"b2nd\xd2");
        bytes.extend((87 + 20_u32).to_be_bytes());
        bytes.extend([0xdc, 0, 1, 0xc6]);
        bytes.extend((layout.len() as u32).to_be_bytes());
        bytes.extend(layout);
        bytes
    }
}

/// A chunk that holds its bytes as they are.
fn stored(element_size: u32, bytes: &[u8]) -> Vec<u8> {
    let mut chunk = vec![5, 1, 0x07, element_size.to_le_bytes()[0]];
    for size in [bytes.len(), bytes.len(), bytes.len() + 32] {
        chunk.extend((size as u32).to_le_bytes());
    }
    chunk.extend([0; 16]);
    chunk.extend(bytes);
    chunk
}

fn layout(shape: &[u64], chunk: &[u32], block: &[u32]) -> Vec<u8> {
    let rank = u8::try_from(shape.len()).unwrap();
    let mut bytes = vec![0x97, 0, rank, 0x90 + rank];
    for n in shape {
        bytes.push(0xd3);
        bytes.extend(n.to_be_bytes());
    }
    for shape in [chunk, block] {
        bytes.push(0x90 + rank);
        for n in shape {
            bytes.push(0xd2);
            bytes.extend(n.to_be_bytes());
        }
    }
    bytes.extend([0, 0xdb, 0, 0, 0, 3, b'|', b'u', b'1']);
    bytes
}

fn decode(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let frame = Cframe::parse(bytes, 100)?;
    let mut target = vec![9; frame.decoded_len()];
    frame.decode(&mut Scratch::new(), &mut target).map(|()| target)
}

#[test]
fn chunks_follow_one_another() {
    let chunks = vec![Ok(vec![1, 2, 3, 4]), Err(0x81), Ok(vec![5, 6, 7, 8]), Err(0x84)];
    let bytes = Frame::plain(4, chunks).bytes();
    assert_eq!(decode(&bytes), Ok(vec![1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8, 0, 0, 0, 0]));
    let frame = Cframe::parse(&bytes, 16).unwrap();
    let mut part = [9; 8];
    frame.decode_range(3, &mut Scratch::new(), &mut part).unwrap();
    assert_eq!(part, [4, 0, 0, 0, 0, 5, 6, 7]);
}

#[test]
fn a_chunk_of_nan() {
    let mut frame = Frame::plain(8, vec![Err(0x82)]);
    frame.element_size = 4;
    assert_eq!(decode(&frame.bytes()), Ok(vec![0, 0, 0xc0, 0x7f, 0, 0, 0xc0, 0x7f]));
    frame.element_size = 2;
    let text = decode(&frame.bytes()).unwrap_err().to_string();
    assert_eq!(text, "Blosc2 frame index at byte 0x61: NaN for elements that have none");
}

#[test]
fn an_array_with_padding_on_all_sides() {
    // 3 x 3 elements in chunks of 2 x 3, each of one row of two blocks of 2 x 2. Padding is 99.
    let top = vec![1, 2, 4, 5, 3, 99, 6, 99];
    let bottom = vec![7, 8, 99, 99, 9, 99, 99, 99];
    let mut frame = Frame::plain(8, vec![Ok(top), Ok(bottom)]);
    frame.layout = Some(layout(&[3, 3], &[2, 3], &[2, 2]));
    let bytes = frame.bytes();
    let frame = Cframe::parse(&bytes, 100).unwrap();
    let read = |start: [usize; 2], shape: [usize; 2]| {
        let mut target = vec![0; shape[0] * shape[1]];
        frame.decode_dense(&start, &shape, &mut Scratch::new(), &mut target).map(|()| target)
    };
    assert_eq!(read([0, 0], [3, 3]), Ok(vec![1, 2, 3, 4, 5, 6, 7, 8, 9]));
    assert_eq!(read([1, 1], [2, 2]), Ok(vec![5, 6, 8, 9]));
    assert_eq!(read([0, 2], [1, 0]), Ok(vec![]));
    assert_eq!(read([2, 0], [2, 1]).unwrap_err().class(), Class::Request);
    let touched = |start, shape| {
        let steps = frame.layout().unwrap().steps(start, shape).unwrap();
        steps.map(|step| (step.chunk, step.block)).collect::<Vec<_>>()
    };
    assert_eq!(touched(&[1, 1], &[2, 1]), [(0, 0), (1, 0)]);
    assert_eq!(touched(&[0, 2], &[3, 1]), [(0, 1), (1, 1)]);
}

#[test]
fn a_layout_that_does_not_fit_is_refused() {
    let mut frame = Frame::plain(8, vec![Ok(vec![0; 8]), Ok(vec![0; 8])]);
    frame.layout = Some(layout(&[3, 3], &[3, 3], &[2, 2]));
    assert_eq!(
        decode(&frame.bytes()).unwrap_err().to_string(),
        "Blosc2 frame header at byte 0x0: field `chunk size` at byte 0x39: \
         the array of the b2nd metalayer takes another number of bytes"
    );
    frame.layout = Some(layout(&[3, 3], &[2, 3], &[0, 2]));
    assert_eq!(
        decode(&frame.bytes()).unwrap_err().to_string(),
        "b2nd metalayer at byte 0x70: field `block shape` at byte 0x91: \
         0 is not in the range from 1 to 2147483647"
    );
}

#[test]
fn every_cut_and_every_limit_is_an_error() {
    let bytes = Frame::plain(4, vec![Ok(vec![1, 2, 3, 4])]).bytes();
    for len in 0..bytes.len() {
        assert_eq!(decode(&bytes[..len]).unwrap_err().class(), Class::Malformed, "{len} bytes");
    }
    assert_eq!(
        decode(&bytes[..100]).unwrap_err().to_string(),
        "Blosc2 frame header at byte 0x0: field `frame length` at byte 0xf: \
         208 is not in the range from 129 to 100"
    );
    let error = Cframe::parse(&bytes, 3).unwrap_err();
    assert_eq!(error.class(), Class::Limit);
    assert_eq!(
        error.to_string(),
        "Blosc2 frame header at byte 0x0: field `decoded bytes` at byte 0x1d: \
         decoded bytes: 4 is over the limit of 3"
    );
}

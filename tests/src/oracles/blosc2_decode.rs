//! Blosc2 frames and chunks made of any bytes.

use blosc2::{Cframe, Chunk, Error, Layout, Scratch};

/// The most that is decoded, in bytes.
const MAX_DECODED: usize = 4 << 20;

/// Decodes `data` as a frame and as a chunk: all of it, and in parts.
///
/// Nothing panics; where all of it decodes, every part decodes, to the same bytes.
pub fn blosc2_decode(data: &[u8]) {
    let mut scratch = Scratch::new();
    if let Ok(chunk) = Chunk::parse(data, MAX_DECODED) {
        assert!(chunk.decoded_len() <= MAX_DECODED, "the chunk is larger than allowed");
        let whole = filled(chunk.decoded_len(), |target| chunk.decode(&mut scratch, target));
        let part = |start, target: &mut [u8]| chunk.decode_range(start, &mut scratch, target);
        check_halves(whole.as_deref(), chunk.decoded_len(), part);
    }
    if let Ok(frame) = Cframe::parse(data, MAX_DECODED) {
        assert!(frame.decoded_len() <= MAX_DECODED, "the frame is larger than allowed");
        let whole = filled(frame.decoded_len(), |target| frame.decode(&mut scratch, target));
        let part = |start, target: &mut [u8]| frame.decode_range(start, &mut scratch, target);
        check_halves(whole.as_deref(), frame.decoded_len(), part);
        if let Some(layout) = frame.layout() {
            check_array(&frame, layout, whole.is_ok(), &mut scratch);
        }
    }
}

/// Two parts that meet in the middle give the whole.
fn check_halves(
    whole: Result<&[u8], &Error>,
    len: usize,
    mut part: impl FnMut(usize, &mut [u8]) -> Result<(), Error>,
) {
    let middle = len / 2 + len % 3;
    let mut halves = vec![0xee; len];
    let (left, right) = halves.split_at_mut(middle.min(len));
    let found = part(0, left).and_then(|()| part(left.len(), right));
    match whole {
        Ok(whole) => assert!(found.is_ok() && whole == halves, "two parts differ from the whole"),
        // A block may decode in part of what it claims, but not each half without an error.
        Err(_) => assert!(found.is_err(), "the whole fails and its parts do not"),
    }
}

/// The array decodes if all chunks do, and a box of it is what the array has there.
fn check_array(frame: &Cframe<'_>, layout: &Layout, decodes: bool, scratch: &mut Scratch) {
    let (size, shape) = (frame.element_size(), layout.shape());
    let elements: usize = shape.iter().product();
    let corner = vec![0; shape.len()];
    let array =
        filled(elements * size, |target| frame.decode_dense(&corner, shape, scratch, target));
    let start: Vec<usize> = shape.iter().map(|n| n / 3).collect();
    let extent: Vec<usize> = shape.iter().map(|n| n.div_ceil(2).min(n - n / 3)).collect();
    let part = filled(extent.iter().product::<usize>() * size, |target| {
        frame.decode_dense(&start, &extent, scratch, target)
    });
    let Ok(array) = array else {
        assert!(!decodes, "all chunks decode, but not the array");
        return;
    };
    let part = part.expect("a part of an array that decodes");
    let width = extent[extent.len() - 1] * size;
    let mut place = vec![0; extent.len()];
    for row in part.chunks_exact(width) {
        let at = (0..shape.len()).fold(0, |at, axis| at * shape[axis] + start[axis] + place[axis]);
        assert!(row == &array[at * size..][..width], "a box differs from the array");
        for axis in (0..place.len() - 1).rev() {
            place[axis] += 1;
            if place[axis] < extent[axis] {
                break;
            }
            place[axis] = 0;
        }
    }
}

/// `len` bytes that `decode` has written.
fn filled(
    len: usize,
    decode: impl FnOnce(&mut [u8]) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0xee; len];
    decode(&mut bytes).map(|()| bytes)
}

//! Reads of windows from small files in memory, against the plainest way to pick elements.
#![expect(clippy::cast_possible_truncation, reason = "the files are small")]
#![expect(clippy::single_range_in_vec_init, reason = "lists of ranges are what is meant")]

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use std::sync::Mutex;

use proptest::prelude::*;
use testkit::Bytes;

use super::{ChunkCache, Dataset, File, Object, OpenOptions, Window};
use crate::checksum::lookup3;
use crate::error::{Class, Error};
use crate::filter::FilterRegistry;
use crate::source::{ByteSource, SourceError};
use crate::value::Elements;

/// Where the elements start in every file here.
const DATA: u64 = 1024;

/// A file with one dataset `d` of 16-bit numbers; `layout` is the data layout message, `more` are further messages.
fn file(dims: &[u64], layout: Bytes, more: &[(u8, Bytes)], data: &[u8]) -> Vec<u8> {
    let root = object(&[
        (2, Bytes::new().u8(0).u8(0).ones(16)),
        (6, Bytes::new().u8(1).u8(0).u8(1).text("d").u64(256)),
    ]);
    let space = Bytes::new().u8(2).u8(dims.len() as u8).u8(0).u8(1);
    let space = dims.iter().fold(space, |space, dim| space.u64(*dim));
    let number = Bytes::new().u8(0x10).zeros(3).u32(2).u16(0).u16(16);
    let mut messages = vec![(1, space), (8, layout)];
    if more.iter().all(|(kind, _)| *kind != 3) {
        messages.push((3, number));
    }
    messages.extend(
        more.iter().map(|(kind, bytes)| (*kind, Bytes::new().bytes(bytes.clone().build()))),
    );
    let dataset = object(&messages);
    let superblock = Bytes::new().bytes(*b"\x89HDF\r\n\x1a\n").u8(3).u8(8).u8(8).u8(0);
    let len = DATA + data.len() as u64;
    let superblock = superblock.u64(0).ones(8).u64(len).u64(64).sealed(lookup3);
    let file = superblock.grow_to(64).then(root).grow_to(256).then(dataset);
    file.grow_to(DATA as usize).bytes(data.iter().copied()).build()
}

/// An object header of version 2.
fn object(messages: &[(u8, Bytes)]) -> Bytes {
    let mut body = Bytes::new();
    for (kind, bytes) in messages {
        let bytes = bytes.clone().build();
        body = body.u8(*kind).u16(bytes.len() as u16).u8(0).bytes(bytes);
    }
    let body = body.build();
    let head = Bytes::new().text("OHDR").u8(2).u8(1).u16(body.len() as u16);
    head.bytes(body).sealed(lookup3)
}

fn contiguous(len: usize) -> Bytes {
    Bytes::new().u8(3).u8(1).u64(DATA).u64(len as u64)
}

/// Chunks one after the other, without an index.
fn implicit(chunk: &[u64]) -> Bytes {
    let head = Bytes::new().u8(4).u8(2).u8(0).u8(chunk.len() as u8 + 1).u8(8);
    chunk.iter().fold(head, |head, dim| head.u64(*dim)).u64(2).u8(2).u64(DATA)
}

/// Every element is its number in C order.
fn numbers(dims: &[u64]) -> Vec<u16> {
    (0..dims.iter().product::<u64>()).map(|number| number as u16).collect()
}

/// The same elements in chunks, 0xffff beyond the edge.
fn chunked(dims: &[u64], chunk: &[u64]) -> Vec<u16> {
    let counts: Vec<u64> = dims.iter().zip(chunk).map(|(n, chunk)| n.div_ceil(*chunk)).collect();
    let mut elements = Vec::new();
    for place in Window::all(&counts).coords() {
        for within in Window::all(chunk).coords() {
            let coord: Vec<u64> =
                (0..dims.len()).map(|axis| place[axis] * chunk[axis] + within[axis]).collect();
            let inside = coord.iter().zip(dims).all(|(at, dim)| at < dim);
            elements.push(if inside { number_at(&coord, dims) } else { 0xffff });
        }
    }
    elements
}

fn number_at(coord: &[u64], dims: &[u64]) -> u16 {
    coord.iter().zip(dims).fold(0, |number, (at, dim)| number * dim + at) as u16
}

impl Window {
    /// All of its elements in C order.
    fn coords(&self) -> Vec<Vec<u64>> {
        let mut coords = vec![Vec::new()];
        for ((start, n), step) in self.start.iter().zip(&self.shape).zip(&self.step) {
            coords = coords
                .iter()
                .flat_map(|coord| (0..*n).map(|i| [&coord[..], &[start + i * step]].concat()))
                .collect();
        }
        coords
    }
}

fn bytes(elements: &[u16]) -> Vec<u8> {
    elements.iter().flat_map(|element| element.to_le_bytes()).collect()
}

fn open(file: impl ByteSource + 'static, cache: bool) -> Result<Dataset, Error> {
    let options = OpenOptions {
        filters: FilterRegistry::standard(),
        chunk_cache: cache.then(|| Arc::new(ChunkCache::new(1 << 20))),
        ..OpenOptions::default()
    };
    match File::open_with(Arc::new(file), options)?.root()?.get("d")? {
        Some(Object::Dataset(dataset)) => Ok(dataset),
        other => panic!("{other:?}"),
    }
}

/// An extent, a chunk, and a window with steps inside the extent.
fn cases() -> impl Strategy<Value = (Vec<u64>, Vec<u64>, Window)> {
    let axis = (1_u64..9, 1_u64..6, 1_u64..4, 0_u64..9, 0_u64..9);
    proptest::collection::vec(axis, 1..4).prop_map(|axes| {
        let (mut dims, mut chunk) = (Vec::new(), Vec::new());
        let mut window = Window::new(&[], &[]);
        for (dim, along, step, start, n) in axes {
            let start = start % dim;
            dims.push(dim);
            chunk.push(along);
            window.start.push(start);
            window.shape.push(n % ((dim - start - 1) / step + 2));
            window.step.push(step);
        }
        (dims, chunk, window)
    })
}

proptest! {
    #[test]
    fn a_window_is_its_elements((dims, chunk, window) in cases(), cache: bool) {
        let expected: Vec<u16> =
            window.coords().iter().map(|coord| number_at(coord, &dims)).collect();
        let plain = bytes(&numbers(&dims));
        let in_chunks = bytes(&chunked(&dims, &chunk));
        for file in [
            file(&dims, contiguous(plain.len()), &[], &plain),
            file(&dims, implicit(&chunk), &[], &in_chunks),
        ] {
            let dataset = open(file, cache).unwrap();
            let mut found = vec![0xaaaa; expected.len()];
            dataset.read_into(&window, &mut found).unwrap();
            prop_assert_eq!(&found, &expected);
            let array = dataset.read_window(&window).unwrap();
            prop_assert_eq!(array.elements, Elements::U16(expected.clone()));
        }
    }
}

#[test]
fn threads_share_a_large_window() {
    let (dims, chunk) = ([40, 48, 50], [16, 16, 16]);
    let in_chunks = bytes(&chunked(&dims, &chunk));
    let dataset = open(file(&dims, implicit(&chunk), &[], &in_chunks), false).unwrap();
    assert_eq!(dataset.read().unwrap().elements, Elements::U16(numbers(&dims)));
    let window = Window::new(&[7, 0, 3], &[1, 48, 47]);
    let expected: Vec<u16> = window.coords().iter().map(|at| number_at(at, &dims)).collect();
    assert_eq!(dataset.read_window(&window).unwrap().elements, Elements::U16(expected));
}

/// A source that has only what was asked of it before, and remembers what it was asked for.
struct Distant {
    file: Vec<u8>,
    here: Mutex<Vec<Range<u64>>>,
    asked: Mutex<Vec<Vec<Range<u64>>>>,
}

impl Distant {
    fn require(&self, ranges: &[Range<u64>]) -> Result<(), SourceError> {
        let here = self.here.lock().unwrap();
        let is_here = |range: &Range<u64>| {
            here.iter().any(|here| here.start <= range.start && range.end <= here.end)
        };
        let missing: Vec<_> = ranges.iter().filter(|range| !is_here(range)).cloned().collect();
        if missing.is_empty() { Ok(()) } else { Err(SourceError::NotResident { ranges: missing }) }
    }
}

impl ByteSource for Distant {
    fn len(&self) -> u64 {
        self.file.len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
        self.require(&[offset..offset + buf.len() as u64])?;
        self.file.read_at(offset, buf)
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<(), SourceError> {
        self.require(ranges)
    }
}

#[test]
fn all_chunks_of_a_window_are_asked_for_at_once() {
    let (dims, chunk) = ([128, 128], [64, 64]);
    let file = file(&dims, implicit(&chunk), &[], &bytes(&chunked(&dims, &chunk)));
    let source = Arc::new(Distant { file, here: Mutex::default(), asked: Mutex::default() });
    let found = loop {
        let read = open(Arc::clone(&source), false).and_then(|dataset| dataset.read());
        let Err(error) = &read else { break read.unwrap() };
        let ranges = error.not_resident().expect("nothing else is wrong").to_vec();
        source.here.lock().unwrap().extend(ranges.iter().cloned());
        source.asked.lock().unwrap().push(ranges);
    };
    assert_eq!(found.elements, Elements::U16(numbers(&dims)));
    let asked = source.asked.lock().unwrap();
    assert_eq!(*asked, [[0..4096], [DATA..DATA + 128 * 128 * 2]]);
}

#[test]
fn unwritten_elements_read_as_the_fill_value() {
    let nowhere = || Bytes::new().u8(3).u8(1).ones(8).u64(8);
    let fill = |value: Bytes| Bytes::new().u8(3).u8(0x2a).u32(value.len() as u32).then(value);
    let read = |more: &[(u8, Bytes)]| open(file(&[2, 2], nowhere(), more, &[]), false)?.read();
    assert_eq!(read(&[]).unwrap().elements, Elements::U16(vec![0; 4]));
    let filled = read(&[(5, fill(Bytes::new().u16(7)))]).unwrap();
    assert_eq!(filled.elements, Elements::U16(vec![7; 4]));
    let error = read(&[(5, fill(Bytes::new().u32(7)))]).unwrap_err();
    assert!(error.to_string().contains("a fill value of 4 bytes for elements of 2"), "{error}");
}

#[test]
fn a_filter_that_is_not_known_only_matters_to_a_read() {
    let single = Bytes::new().u8(4).u8(2).u8(2).u8(2).u8(1).u8(4).u8(2).u8(1);
    let single = single.u64(5).u32(0).u64(DATA);
    let szip = Bytes::new().u8(2).u8(1).u16(4).u16(0).u16(2).u32(141).u32(32);
    let dataset = open(file(&[4], single, &[(0x0b, szip)], &[1, 2, 3, 4, 5]), false).unwrap();
    assert_eq!(dataset.filters()[0].id, 4);
    let chunks = dataset.stored_chunks().unwrap();
    assert_eq!(chunks[0].range, DATA..DATA + 5);
    assert_eq!(dataset.read_stored(&chunks[0]).unwrap(), [1, 2, 3, 4, 5]);
    let error = dataset.read().unwrap_err();
    assert_eq!(
        error.to_string(),
        "/d: chunk [0] at byte 0x400: filter 4 (szip): this filter, with the parameters [141, 32], is not supported"
    );
    assert_eq!(error.class(), Class::Unsupported);
}

#[test]
fn claims_that_no_file_can_keep() {
    let class = |dims: &[u64], layout: Bytes, window: Option<Window>| {
        let dataset = open(file(dims, layout, &[], &[0; 64]), false).unwrap();
        let window = window.unwrap_or_else(|| Window::all(dims));
        let error = dataset.plan(&window).unwrap_err();
        (error.class(), error.to_string())
    };
    let nowhere = || Bytes::new().u8(3).u8(1).ones(8).u64(8);
    // 2^60 elements, and more than 64 bits count.
    let (limit, text) = class(&[1 << 60], nowhere(), None);
    assert!(limit == Class::Limit && text.contains("max_read_bytes"), "{text}");
    assert_eq!(class(&[1 << 40, 1 << 40], nowhere(), None).0, Class::Limit);
    // One element of nearly 4 GiB, which is stored nowhere.
    let opaque = (3, Bytes::new().u8(0x15).zeros(3).u32(u32::MAX).zeros(8));
    let dataset = open(file(&[], nowhere(), &[opaque], &[]), false).unwrap();
    let error = dataset.plan(&Window::all(&[])).unwrap_err();
    assert!(error.to_string().contains("max_element_bytes"), "{error}");
    // A chunk of 2 TiB, of which two elements are wanted.
    let two = Some(Window::new(&[0], &[2]));
    let (limit, text) = class(&[1 << 60], implicit(&[1 << 40]), two.clone());
    assert!(limit == Class::Limit && text.contains("max_chunk_bytes"), "{text}");
    // More chunks than anybody wants to look up.
    let (limit, text) = class(&[1 << 30], implicit(&[1]), None);
    assert!(limit == Class::Limit && text.contains("max_chunks"), "{text}");
    // Elements past the end of the file.
    assert_eq!(class(&[1 << 20], contiguous(1 << 21), None).0, Class::Malformed);
    assert_eq!(class(&[1 << 20], implicit(&[1]), None).0, Class::Malformed);
    assert_eq!(class(&[1 << 20], contiguous(64), two.clone()).0, Class::Malformed);
    // Chunks of another rank.
    assert_eq!(class(&[8], implicit(&[2, 2]), two).0, Class::Malformed);
    // A window of what is there is still a window.
    let dataset = open(file(&[1 << 60], nowhere(), &[], &[]), false).unwrap();
    let array = dataset.read_window(&Window::new(&[1 << 59], &[3])).unwrap();
    assert_eq!(array.elements, Elements::U16(vec![0; 3]));
}

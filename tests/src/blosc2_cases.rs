//! Blosc2 frames and chunks with the bytes that the C library decodes them to, as `tests/python/blosc2_cases.py` keeps
//! them.

use std::fs;
use std::ops::Range;
use std::path::Path;

use blosc2::{Cframe, Chunk, Error, Scratch};

/// More than any case decodes to.
const MAX_DECODED: usize = 64 << 20;

/// Cases of one folder.
#[derive(Debug)]
pub struct Cases {
    stored: Vec<u8>,
    decoded: Vec<u8>,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    name: String,
    is_chunk: bool,
    stored: Range<usize>,
    decoded: Range<usize>,
    element_size: usize,
    shape: Vec<usize>,
}

/// One frame or chunk.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// What it shows.
    pub name: &'a str,
    /// A lone chunk, and not a frame.
    pub is_chunk: bool,
    /// The bytes to decode.
    pub stored: &'a [u8],
    /// What they decode to, in C order.
    pub decoded: &'a [u8],
    /// Bytes of one element.
    pub element_size: usize,
    /// Extent of the array, slowest axis first.
    pub shape: &'a [usize],
}

impl Cases {
    /// Loads the cases that a folder holds.
    pub fn load(folder: &Path) -> Self {
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let lines = String::from_utf8(read("cases.txt")).expect("the list is text");
        Self {
            stored: read("stored.bin"),
            decoded: read("decoded.bin"),
            entries: lines.lines().map(Entry::parse).collect(),
        }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Case<'_>> {
        self.entries.iter().map(|entry| Case {
            name: &entry.name,
            is_chunk: entry.is_chunk,
            stored: &self.stored[entry.stored.clone()],
            decoded: &self.decoded[entry.decoded.clone()],
            element_size: entry.element_size,
            shape: &entry.shape,
        })
    }
}

impl Entry {
    fn parse(line: &str) -> Self {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |word: &str| word.parse::<usize>().expect("a number");
        let range = |at: usize| number(words[at])..number(words[at]) + number(words[at + 1]);
        Self {
            name: words[0].to_owned(),
            is_chunk: words[1] == "chunk",
            stored: range(2),
            decoded: range(4),
            element_size: number(words[6]),
            shape: words[7].split('x').map(number).collect(),
        }
    }
}

impl Case<'_> {
    /// Decodes a box of the array, given by its first element and its extent, by our code.
    ///
    /// # Errors
    /// What our decoder says.
    pub fn decode_box(
        &self,
        start: &[usize],
        shape: &[usize],
        scratch: &mut Scratch,
    ) -> Result<Vec<u8>, Error> {
        if self.is_chunk {
            let chunk = Chunk::parse(self.stored, MAX_DECODED)?;
            assert_eq!(chunk.decoded_len(), self.decoded.len(), "{}", self.name);
            return self.span(start, shape, |at, span| chunk.decode_range(at, scratch, span));
        }
        let frame = Cframe::parse(self.stored, MAX_DECODED)?;
        let Some(layout) = frame.layout() else {
            assert_eq!(frame.decoded_len(), self.decoded.len(), "{}", self.name);
            return self.span(start, shape, |at, span| frame.decode_range(at, scratch, span));
        };
        assert_eq!(layout.shape(), self.shape, "{}", self.name);
        let size = self.element_size;
        let mut found = vec![0xee; shape.iter().product::<usize>() * size];
        frame.decode_box::<Error>(start, shape, scratch, |piece| {
            for row in rows(piece.shape) {
                let (mut from, mut to) = (0, 0);
                for (axis, place) in row.iter().enumerate() {
                    from += place * piece.strides[axis];
                    to = to * shape[axis] + piece.at[axis] + place;
                }
                let len = piece.shape[piece.shape.len() - 1] * size;
                found[to * size..][..len].copy_from_slice(&piece.bytes[from..][..len]);
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// A box of the array as the C library decodes it.
    pub fn expected_box(&self, start: &[usize], shape: &[usize]) -> Vec<u8> {
        self.cut(start, shape, 0, self.decoded)
    }

    /// Reads what lies between the first and the last element of a box, and takes the box from it.
    fn span(
        &self,
        start: &[usize],
        shape: &[usize],
        read: impl FnOnce(usize, &mut [u8]) -> Result<(), Error>,
    ) -> Result<Vec<u8>, Error> {
        if shape.contains(&0) {
            return Ok(Vec::new());
        }
        let last: Vec<usize> = start.iter().zip(shape).map(|(first, n)| first + n - 1).collect();
        let first = self.place(start) * self.element_size;
        let mut span = vec![0xee; (self.place(&last) + 1) * self.element_size - first];
        read(first, &mut span)?;
        Ok(self.cut(start, shape, first, &span))
    }

    /// Takes a box of the array from `bytes`, which start at byte `first` of the array.
    fn cut(&self, start: &[usize], shape: &[usize], first: usize, bytes: &[u8]) -> Vec<u8> {
        let len = shape[shape.len() - 1] * self.element_size;
        let mut found = Vec::new();
        for row in rows(shape) {
            let row: Vec<usize> = row.iter().zip(start).map(|(n, first)| n + first).collect();
            found.extend_from_slice(&bytes[self.place(&row) * self.element_size - first..][..len]);
        }
        found
    }

    /// The number of an element in C order.
    fn place(&self, element: &[usize]) -> usize {
        element.iter().zip(self.shape).fold(0, |at, (n, extent)| at * extent + n)
    }
}

/// The first elements of the rows of a box, row-major.
fn rows(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let outer = &shape[..shape.len() - 1];
    let count = outer.iter().product::<usize>();
    (0..count).map(move |index| {
        let mut rest = index;
        let mut place = vec![0; outer.len() + 1];
        for axis in (0..outer.len()).rev() {
            place[axis] = rest % outer[axis];
            rest /= outer[axis];
        }
        place
    })
}

//! Finds structures of a file by their signature, edits them, and seals them again.
//!
//! A flipped byte seldom gets past a checksum. These edits do, so that what lies behind is tested too. The
//! checksum here is written from the format's description, apart from the one in the reader.

/// The offsets of a signature in a file.
pub fn find(file: &[u8], signature: &[u8; 4]) -> Vec<usize> {
    file.windows(4)
        .enumerate()
        .filter(|(_, window)| window == signature)
        .map(|(at, _)| at)
        .collect()
}

/// Overwrites bytes.
pub fn put(file: &mut [u8], at: usize, bytes: &[u8]) {
    file[at..at + bytes.len()].copy_from_slice(bytes);
}

/// A little-endian number of `width` bytes.
pub fn number(file: &[u8], at: usize, width: usize) -> u64 {
    file[at..at + width].iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// Writes the checksum of the structure at `start..end` behind it.
pub fn seal(file: &mut [u8], start: usize, end: usize) {
    let sum = lookup3(&file[start..end]);
    put(file, end, &sum.to_le_bytes());
}

/// Seals a version 2 object header.
pub fn seal_object_header(file: &mut [u8], start: usize) {
    let end = messages(file, start).1;
    seal(file, start, end);
}

/// Where the messages of a version 2 object header start and end.
pub fn messages(file: &[u8], start: usize) -> (usize, usize) {
    let flags = file[start + 5];
    let times = if flags & 0x20 != 0 { 16 } else { 0 };
    let phase = if flags & 0x10 != 0 { 4 } else { 0 };
    let width = 1 << (flags & 3);
    let first = start + 6 + times + phase + width;
    let size = number(file, first - width, width);
    (first, first + usize::try_from(size).expect("a header of a small file"))
}

/// The offsets of the data of all messages of one type in a version 2 object header.
pub fn messages_of_type(file: &[u8], start: usize, kind: u8) -> Vec<usize> {
    let order = if file[start + 5] & 4 != 0 { 2 } else { 0 };
    let (mut at, end) = messages(file, start);
    let mut found = Vec::new();
    while at + 4 + order <= end {
        if file[at] == kind {
            found.push(at + 4 + order);
        }
        at += 4 + order + usize::try_from(number(file, at + 1, 2)).expect("16 bits");
    }
    found
}

/// Bob Jenkins' lookup3 over bytes, as the format uses it.
pub fn lookup3(bytes: &[u8]) -> u32 {
    let start = 0xdead_beef_u32
        .wrapping_add(u32::try_from(bytes.len()).expect("a structure of a small file"));
    let [mut a, mut b, mut c] = [start; 3];
    let mut rest = bytes;
    while rest.len() > 12 {
        let (head, tail) = rest.split_at(12);
        [a, b, c] = add(head, [a, b, c]);
        [a, b, c] = mix([a, b, c]);
        rest = tail;
    }
    if rest.is_empty() {
        return c;
    }
    [a, b, c] = add(rest, [a, b, c]);
    last_mix([a, b, c])
}

fn add(bytes: &[u8], mut words: [u32; 3]) -> [u32; 3] {
    for (place, byte) in bytes.iter().enumerate() {
        words[place / 4] = words[place / 4].wrapping_add(u32::from(*byte) << (8 * (place % 4)));
    }
    words
}

fn mix([mut a, mut b, mut c]: [u32; 3]) -> [u32; 3] {
    macro_rules! step {
        ($x:ident, $y:ident, $z:ident, $turn:literal) => {
            $x = $x.wrapping_sub($z) ^ $z.rotate_left($turn);
            $z = $z.wrapping_add($y);
        };
    }
    step!(a, b, c, 4);
    step!(b, c, a, 6);
    step!(c, a, b, 8);
    step!(a, b, c, 16);
    step!(b, c, a, 19);
    step!(c, a, b, 4);
    [a, b, c]
}

fn last_mix([mut a, mut b, mut c]: [u32; 3]) -> u32 {
    macro_rules! step {
        ($x:ident, $y:ident, $turn:literal) => {
            $x = ($x ^ $y).wrapping_sub($y.rotate_left($turn));
        };
    }
    step!(c, b, 14);
    step!(a, c, 11);
    step!(b, a, 25);
    step!(c, b, 16);
    step!(a, c, 4);
    step!(b, a, 14);
    step!(c, b, 24);
    c
}

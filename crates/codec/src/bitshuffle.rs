//! Bit shuffle: the bits of all elements regrouped by their place in the element.
//!
//! Shuffled data is one row per bit of the element: row `8 j + k` holds bit `k` (from the least significant) of byte
//! `j` of every element, and bit `i mod 8` of its byte `i / 8` is that of element `i`. Only a multiple of 8 elements
//! takes part; what follows them keeps its place. HDF5's filter 32008 works this way on blocks of some KiB, Blosc2 on
//! its whole block.

use crate::shuffle;

/// Rows of one byte of the element, and elements in one byte of a row.
const BITS: usize = 8;

/// Elements that one step takes: as many as have a word in each row.
const STEP: usize = 64;

/// The bytes of `len` that take part, for elements of `element_size` bytes.
pub fn shuffled_bytes(element_size: usize, len: usize) -> usize {
    let stride = element_size.saturating_mul(BITS);
    len.checked_div(stride).map_or(0, |groups| groups * stride)
}

/// Regroups `source` into bit rows in `target`.
///
/// # Panics
/// If the two differ in length.
pub fn bitshuffle(element_size: usize, source: &[u8], target: &mut [u8]) {
    assert_eq!(source.len(), target.len(), "a bit shuffle keeps the length");
    let whole = shuffled_bytes(element_size, source.len());
    target[whole..].copy_from_slice(&source[whole..]);
    if whole == 0 {
        return;
    }
    let row = whole / (element_size * BITS);
    for (place, elements) in source[..whole].chunks(element_size * STEP).enumerate() {
        let columns = elements.len() / (element_size * BITS);
        for byte in 0..element_size {
            let mut plane = [0; STEP];
            for (to, element) in plane.iter_mut().zip(elements.chunks_exact(element_size)) {
                *to = element[byte];
            }
            for (bit, word) in rows_of(&plane).into_iter().enumerate() {
                let at = (byte * BITS + bit) * row + place * BITS;
                target[at..at + columns].copy_from_slice(&word[..columns]);
            }
        }
    }
}

/// Puts the bit rows of `source` together again in `target`.
///
/// # Panics
/// If the two differ in length.
pub fn bitunshuffle(element_size: usize, source: &[u8], target: &mut [u8]) {
    assert_eq!(source.len(), target.len(), "a bit shuffle keeps the length");
    let whole = shuffled_bytes(element_size, source.len());
    target[whole..].copy_from_slice(&source[whole..]);
    if whole == 0 {
        return;
    }
    let rows = Rows { bytes: &source[..whole], len: whole / (element_size * BITS) };
    for (place, elements) in target[..whole].chunks_mut(element_size * STEP).enumerate() {
        match element_size {
            1 => join([rows.plane(0, place)], elements),
            2 => join([rows.plane(0, place), rows.plane(1, place)], elements),
            4 => join(core::array::from_fn::<_, 4, _>(|byte| rows.plane(byte, place)), elements),
            8 => join(core::array::from_fn::<_, 8, _>(|byte| rows.plane(byte, place)), elements),
            _ => {
                for byte in 0..element_size {
                    let plane = rows.plane(byte, place);
                    for (element, from) in elements.chunks_exact_mut(element_size).zip(plane) {
                        element[byte] = from;
                    }
                }
            }
        }
    }
}

/// Bit rows, one after the other.
struct Rows<'a> {
    bytes: &'a [u8],
    /// Bytes of one row.
    len: usize,
}

impl Rows<'_> {
    /// Byte `byte` of each element of step `place`.
    fn plane(&self, byte: usize, place: usize) -> [u8; STEP] {
        let columns = (self.len - place * BITS).min(BITS);
        plane_of(core::array::from_fn(|bit| {
            let from = &self.bytes[(byte * BITS + bit) * self.len + place * BITS..][..columns];
            from.first_chunk().copied().unwrap_or_else(|| {
                let mut word = [0; BITS];
                word[..columns].copy_from_slice(from);
                word
            })
        }))
    }
}

/// Interleaves `N` planes; `target` may take fewer elements than they have.
fn join<const N: usize>(planes: [[u8; STEP]; N], target: &mut [u8]) {
    shuffle::join(planes.each_ref().map(|plane| &plane[..target.len() / N]), target);
}

/// Bit `m` of byte `c` of word `k` becomes bit `k` of byte `m` of word `c`.
fn plane_of(rows: [[u8; BITS]; BITS]) -> [u8; STEP] {
    let mut words = rows.map(u64::from_le_bytes);
    transpose::<1>(
        &mut words,
        [0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0f0f_0f0f_0f0f_0f0f],
    );
    transpose::<8>(
        &mut words,
        [0x00ff_00ff_00ff_00ff, 0x0000_ffff_0000_ffff, 0x0000_0000_ffff_ffff],
    );
    let mut plane = [0; STEP];
    for (to, word) in plane.as_chunks_mut().0.iter_mut().zip(words) {
        *to = word.to_le_bytes();
    }
    plane
}

/// Undoes [`plane_of`].
fn rows_of(plane: &[u8; STEP]) -> [[u8; BITS]; BITS] {
    let mut words = core::array::from_fn(|word| u64::from_le_bytes(plane.as_chunks().0[word]));
    transpose::<8>(
        &mut words,
        [0x00ff_00ff_00ff_00ff, 0x0000_ffff_0000_ffff, 0x0000_0000_ffff_ffff],
    );
    transpose::<1>(
        &mut words,
        [0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0f0f_0f0f_0f0f_0f0f],
    );
    words.map(u64::to_le_bytes)
}

/// Swaps the number of a word with a place in it, counted in units of `UNIT` bits: bits of a byte, or bytes.
///
/// Three rounds exchange one binary digit of the two each; the mask of a round has the places where that digit is 0.
fn transpose<const UNIT: u32>(words: &mut [u64; BITS], masks: [u64; 3]) {
    for (digit, mask) in masks.into_iter().enumerate() {
        let distance = 1 << digit;
        for low in (0..BITS).filter(|low| low & distance == 0) {
            let shift = UNIT << digit;
            let different = (words[low] >> shift ^ words[low + distance]) & mask;
            words[low] ^= different << shift;
            words[low + distance] ^= different;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn the_first_element_is_the_lowest_bit() {
        let mut elements = [0; 18];
        elements[0] = 0b0000_0001;
        elements[3] = 0b1000_0000;
        elements[17] = 9;
        let mut rows = [0; 18];
        bitshuffle(2, &elements, &mut rows);
        let mut expected = [0; 18];
        expected[0] = 0b01; // bit 0 of byte 0: element 0
        expected[15] = 0b10; // bit 7 of byte 1: element 1
        expected[17] = 9; // a ninth element takes no part
        assert_eq!(rows, expected);
    }

    #[test]
    fn fewer_than_eight_elements_stay() {
        let mut same = [0; 14];
        bitunshuffle(2, &[7; 14], &mut same);
        assert_eq!(same, [7; 14]);
    }

    proptest! {
        #[test]
        fn bitunshuffle_undoes_bitshuffle(data: Vec<u8>, element_size in 1_usize..20) {
            let (mut rows, mut back) = (vec![0; data.len()], vec![0; data.len()]);
            bitshuffle(element_size, &data, &mut rows);
            bitunshuffle(element_size, &rows, &mut back);
            prop_assert_eq!(back, data);
        }

        #[test]
        fn every_bit_finds_its_row(data: Vec<u8>, element_size in 1_usize..20) {
            let mut rows = vec![0; data.len()];
            bitshuffle(element_size, &data, &mut rows);
            let row = shuffled_bytes(element_size, data.len()) / (8 * element_size);
            for element in 0..8 * row {
                for bit in 0..8 * element_size {
                    let there = rows[bit * row + element / 8] >> (element % 8) & 1;
                    let here = data[element * element_size + bit / 8] >> (bit % 8) & 1;
                    prop_assert_eq!(there, here);
                }
            }
        }
    }
}

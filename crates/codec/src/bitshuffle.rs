//! Bit shuffle: the bits of all elements regrouped by their place in the element.
//!
//! Shuffled data is one row per bit of the element: row `8 j + k` holds bit `k` (from the least significant) of byte
//! `j` of every element, and bit `i mod 8` of its byte `i / 8` is that of element `i`. Only a multiple of 8 elements
//! takes part; what follows them keeps its place. HDF5's filter 32008 works this way on blocks of some KiB, Blosc2 on
//! its whole block.
//!
//! Bit rows and byte planes are one exchange of bits apart: in 8 rows, bit `m` of byte `c` of row `k` belongs to bit
//! `k` of element `8 c + m`. Exchanging `m` and `k` leaves 8 rows of whole bytes, which interleaved make the plane.

#![expect(clippy::inline_always, reason = "a kernel is vectorised where it is inlined")]

use crate::shuffle;
use crate::vectors::vectorized;

/// Rows that make up one byte of the element, and elements in one byte of a row.
const BITS: usize = 8;

/// Bytes of each row that one step takes, and the elements that they belong to.
const COLUMNS: usize = 64;
const STEP: usize = COLUMNS * BITS;

/// The 8 rows of one byte of the element, in one step, as words of 8 bytes.
type Rows = [[u64; COLUMNS / 8]; BITS];

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
    let row_len = whole / (element_size * BITS);
    vectorized(
        #[inline(always)]
        || {
            for (step, elements) in source[..whole].chunks(element_size * STEP).enumerate() {
                let columns = elements.len() / (element_size * BITS);
                for byte in 0..element_size {
                    let mut plane = [0; STEP];
                    for (to, element) in plane.iter_mut().zip(elements.chunks_exact(element_size)) {
                        *to = element[byte];
                    }
                    for (bit, row) in rows_of(&plane).iter().enumerate() {
                        let at = (byte * BITS + bit) * row_len + step * COLUMNS;
                        target[at..at + columns].copy_from_slice(&row[..columns]);
                    }
                }
            }
        },
    );
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
    let (source, target) = (&source[..whole], &mut target[..whole]);
    vectorized(
        #[inline(always)]
        || match element_size {
            1 => join::<1>(source, target),
            2 => join::<2>(source, target),
            4 => join::<4>(source, target),
            8 => join::<8>(source, target),
            _ => join_any(element_size, source, target),
        },
    );
}

/// Elements of `N` bytes from their bit rows.
#[inline(always)]
fn join<const N: usize>(source: &[u8], target: &mut [u8]) {
    let mut planes = [[0; STEP]; N];
    for (step, elements) in target.chunks_mut(N * STEP).enumerate() {
        for (byte, plane) in planes.iter_mut().enumerate() {
            read_plane(source, source.len() / (N * BITS), byte, step, plane);
        }
        let count = elements.len() / N;
        shuffle::join(planes.each_ref().map(|plane| &plane[..count]), elements);
    }
}

/// Elements of any other size from their bit rows.
fn join_any(element_size: usize, source: &[u8], target: &mut [u8]) {
    let mut plane = [0; STEP];
    for (step, elements) in target.chunks_mut(element_size * STEP).enumerate() {
        for byte in 0..element_size {
            read_plane(source, source.len() / (element_size * BITS), byte, step, &mut plane);
            for (element, from) in elements.chunks_exact_mut(element_size).zip(plane) {
                element[byte] = from;
            }
        }
    }
}

/// Reads byte `byte` of each element of a step. The last step may have fewer elements; what `plane` holds after them
/// means nothing.
#[inline(always)]
fn read_plane(source: &[u8], row_len: usize, byte: usize, step: usize, plane: &mut [u8; STEP]) {
    let mut rows = Rows::default();
    for (bit, row) in rows.iter_mut().enumerate() {
        let from = &source[(byte * BITS + bit) * row_len..][..row_len][step * COLUMNS..];
        let mut short = [0; COLUMNS];
        let columns = from.first_chunk().unwrap_or_else(|| {
            short[..from.len()].copy_from_slice(from);
            &short
        });
        read_words(columns, row);
    }
    exchange_bits(&mut rows);
    let mut columns = [[0; COLUMNS]; BITS];
    for (columns, row) in columns.iter_mut().zip(&rows) {
        write_words(row, columns);
    }
    shuffle::join(columns.each_ref().map(|columns| &columns[..]), plane);
}

/// The bit rows of the bytes of `plane`.
#[inline(always)]
fn rows_of(plane: &[u8; STEP]) -> [[u8; COLUMNS]; BITS] {
    let mut columns = [[0; COLUMNS]; BITS];
    for (column, elements) in plane.as_chunks::<BITS>().0.iter().enumerate() {
        for (row, byte) in columns.iter_mut().zip(elements) {
            row[column] = *byte;
        }
    }
    let mut rows = Rows::default();
    for (row, columns) in rows.iter_mut().zip(&columns) {
        read_words(columns, row);
    }
    exchange_bits(&mut rows);
    for (columns, row) in columns.iter_mut().zip(&rows) {
        write_words(row, columns);
    }
    columns
}

#[inline(always)]
fn read_words(columns: &[u8; COLUMNS], row: &mut [u64; COLUMNS / 8]) {
    for (word, bytes) in row.iter_mut().zip(columns.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
}

#[inline(always)]
fn write_words(row: &[u64; COLUMNS / 8], columns: &mut [u8; COLUMNS]) {
    for (bytes, word) in columns.as_chunks_mut().0.iter_mut().zip(row) {
        *bytes = word.to_le_bytes();
    }
}

/// Exchanges the number of the row with the place of the bit in its byte.
///
/// Each of the three rounds exchanges one binary digit of the two: bits where that digit is 1 of the row where it is 0,
/// with bits where it is 0 of the row where it is 1.
#[inline(always)]
fn exchange_bits(rows: &mut Rows) {
    const DIGIT_IS_0: [u64; 3] =
        [0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0f0f_0f0f_0f0f_0f0f];
    for (digit, mask) in DIGIT_IS_0.into_iter().enumerate() {
        let distance = 1 << digit;
        for low in 0..BITS {
            if low & distance == 0 {
                let [low, high] = rows.get_disjoint_mut([low, low + distance]).expect("two rows");
                for (low, high) in low.iter_mut().zip(high) {
                    let different = ((*low >> distance) ^ *high) & mask;
                    *low ^= different << distance;
                    *high ^= different;
                }
            }
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

//! Bit shuffle: the bits of all elements regrouped by their place in the element.
//!
//! Shuffled data is one row per bit of the element: row `8 j + k` holds bit `k` (from the least significant) of byte
//! `j` of every element, and bit `i mod 8` of its byte `i / 8` is that of element `i`. Only a multiple of 8 elements
//! takes part; what follows them keeps its place. HDF5's filter 32008 works this way on blocks of some KiB, Blosc2 on
//! its whole block.

/// Rows that one step transposes.
const BITS: usize = 8;

/// The bytes at the start of `len` that take part, for elements of `element_size` bytes.
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
    let row = whole.checked_div(element_size * BITS).unwrap_or(0);
    if row == 0 {
        return;
    }
    for (column, group) in source[..whole].chunks_exact(element_size * BITS).enumerate() {
        for byte in 0..element_size {
            let bytes = core::array::from_fn(|bit| group[bit * element_size + byte]);
            let rows = transpose_bits(u64::from_le_bytes(bytes)).to_le_bytes();
            for (bit, value) in rows.into_iter().enumerate() {
                target[(byte * BITS + bit) * row + column] = value;
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
    let row = whole.checked_div(element_size * BITS).unwrap_or(0);
    if row == 0 {
        return;
    }
    for (column, group) in target[..whole].chunks_exact_mut(element_size * BITS).enumerate() {
        for byte in 0..element_size {
            let bytes = core::array::from_fn(|bit| source[(byte * BITS + bit) * row + column]);
            let elements = transpose_bits(u64::from_le_bytes(bytes)).to_le_bytes();
            for (index, value) in elements.into_iter().enumerate() {
                group[index * element_size + byte] = value;
            }
        }
    }
}

/// Transposes the 8 x 8 bits of `matrix`: bit `8 r + c` becomes bit `8 c + r`.
fn transpose_bits(matrix: u64) -> u64 {
    let swap = |value: u64, shift: u32, mask: u64| {
        let different = (value ^ (value >> shift)) & mask;
        value ^ different ^ (different << shift)
    };
    let matrix = swap(matrix, 7, 0x00aa_00aa_00aa_00aa);
    let matrix = swap(matrix, 14, 0x0000_cccc_0000_cccc);
    swap(matrix, 28, 0x0000_0000_f0f0_f0f0)
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
        fn transposing_twice_changes_nothing(matrix: u64) {
            prop_assert_eq!(transpose_bits(transpose_bits(matrix)), matrix);
        }
    }
}

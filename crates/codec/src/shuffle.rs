//! Byte shuffle: the bytes of all elements regrouped by their place in the element.
//!
//! Shuffled data is one plane per byte of the element: first byte 0 of every element, then byte 1, and so on. Bytes
//! after the last whole element keep their place. HDF5 (filter 2) and Blosc2 (filter 1) agree on this.

#![expect(clippy::inline_always, reason = "a kernel is vectorised where it is inlined")]

use crate::vectors::vectorized;

/// Regroups `source` into byte planes in `target`.
///
/// # Panics
/// If the two differ in length.
pub fn shuffle(element_size: usize, source: &[u8], target: &mut [u8]) {
    assert_eq!(source.len(), target.len(), "a shuffle keeps the length");
    let count = whole_elements(element_size, source.len());
    if element_size <= 1 || count == 0 {
        target.copy_from_slice(source);
        return;
    }
    let (elements, rest) = source.split_at(count * element_size);
    let (planes, rest_target) = target.split_at_mut(count * element_size);
    rest_target.copy_from_slice(rest);
    for (byte, plane) in planes.chunks_exact_mut(count).enumerate() {
        for (to, element) in plane.iter_mut().zip(elements.chunks_exact(element_size)) {
            *to = element[byte];
        }
    }
}

/// Puts the byte planes of `source` together again in `target`.
///
/// # Panics
/// If the two differ in length.
pub fn unshuffle(element_size: usize, source: &[u8], target: &mut [u8]) {
    assert_eq!(source.len(), target.len(), "a shuffle keeps the length");
    let count = whole_elements(element_size, source.len());
    unshuffle_elements(element_size, source, 0, &mut target[..count * element_size]);
    target[count * element_size..].copy_from_slice(&source[count * element_size..]);
}

/// Puts some of the elements of the shuffled bytes `source` together: those from element `first` on that fill `target`.
///
/// # Panics
/// If `target` is not a whole number of elements, or reaches past the last whole element of `source`.
pub fn unshuffle_elements(element_size: usize, source: &[u8], first: usize, target: &mut [u8]) {
    if element_size <= 1 {
        target.copy_from_slice(&source[first..][..target.len()]);
        return;
    }
    let count = whole_elements(element_size, source.len());
    let wanted = target.len() / element_size;
    assert_eq!(wanted * element_size, target.len(), "the target holds whole elements");
    if wanted == 0 {
        // An element may claim to be far larger than the bytes; its planes would all be visited for nothing.
        return;
    }
    let plane = |byte: usize| &source[byte * count..][..count][first..][..wanted];
    vectorized(
        #[inline(always)]
        || match element_size {
            2 => join([plane(0), plane(1)], target),
            4 => join([plane(0), plane(1), plane(2), plane(3)], target),
            8 => join(core::array::from_fn::<_, 8, _>(plane), target),
            _ => {
                for byte in 0..element_size {
                    for (element, from) in target.chunks_exact_mut(element_size).zip(plane(byte)) {
                        element[byte] = *from;
                    }
                }
            }
        },
    );
}

/// Puts `N` byte planes, wherever they are, together in `target`: elements of 1, 2, 4 or 8 bytes.
///
/// # Panics
/// If a plane has fewer bytes than `target` has elements.
pub fn unshuffle_planes<const N: usize>(planes: [&[u8]; N], target: &mut [u8]) {
    vectorized(
        #[inline(always)]
        || join(planes, target),
    );
}

/// Elements that are joined at a time: enough to fill the widest vectors, few enough to stay in them.
const STEP: usize = 64;

/// Interleaves `N` planes, 1, 2, 4 or 8 of one length.
#[inline(always)]
pub(crate) fn join<const N: usize>(planes: [&[u8]; N], target: &mut [u8]) {
    let (elements, _) = target.as_chunks_mut::<N>();
    let (steps, rest) = elements.as_chunks_mut::<STEP>();
    let done = steps.len() * STEP;
    for (index, step) in steps.iter_mut().enumerate() {
        let part = |plane: usize| planes[plane].as_chunks::<STEP>().0[index];
        match N {
            2 => join_2(core::array::from_fn(part), step.as_flattened_mut()),
            4 => join_4(core::array::from_fn(part), step.as_flattened_mut()),
            8 => join_8(core::array::from_fn(part), step.as_flattened_mut()),
            _ => step.as_flattened_mut().copy_from_slice(&part(0)),
        }
    }
    for (index, element) in rest.iter_mut().enumerate() {
        *element = planes.map(|plane| plane[done + index]);
    }
}

// Pairs of planes are joined into planes of wider integers, which compilers know how to do with vectors; joining all
// planes at once is 2 to 10 times slower.

#[inline(always)]
fn join_2(planes: [[u8; STEP]; 2], target: &mut [u8]) {
    let [low, high] = planes;
    for (i, element) in target.as_chunks_mut().0.iter_mut().enumerate() {
        *element = [low[i], high[i]];
    }
}

#[inline(always)]
fn join_4(planes: [[u8; STEP]; 4], target: &mut [u8]) {
    let (low, high) = (pairs(planes[0], planes[1]), pairs(planes[2], planes[3]));
    for (i, element) in target.as_chunks_mut().0.iter_mut().enumerate() {
        *element = (u32::from(low[i]) | u32::from(high[i]) << 16).to_le_bytes();
    }
}

#[inline(always)]
fn join_8(planes: [[u8; STEP]; 8], target: &mut [u8]) {
    let quarter = |first: usize| pairs_of_pairs(core::array::from_fn(|i| planes[first + i]));
    let (low, high) = (quarter(0), quarter(4));
    for (i, element) in target.as_chunks_mut().0.iter_mut().enumerate() {
        *element = (u64::from(low[i]) | u64::from(high[i]) << 32).to_le_bytes();
    }
}

#[inline(always)]
fn pairs(low: [u8; STEP], high: [u8; STEP]) -> [u16; STEP] {
    core::array::from_fn(|i| u16::from_le_bytes([low[i], high[i]]))
}

#[inline(always)]
fn pairs_of_pairs(planes: [[u8; STEP]; 4]) -> [u32; STEP] {
    let (low, high) = (pairs(planes[0], planes[1]), pairs(planes[2], planes[3]));
    core::array::from_fn(|i| u32::from(low[i]) | u32::from(high[i]) << 16)
}

fn whole_elements(element_size: usize, len: usize) -> usize {
    len.checked_div(element_size).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn bytes_of_one_place_come_together() {
        let mut planes = [0; 7];
        shuffle(2, &[1, 2, 3, 4, 5, 6, 7], &mut planes);
        assert_eq!(planes, [1, 3, 5, 2, 4, 6, 7]);
    }

    #[test]
    fn some_elements() {
        let mut two = [0; 4];
        unshuffle_elements(2, &[1, 3, 5, 2, 4, 6, 7], 1, &mut two);
        assert_eq!(two, [3, 4, 5, 6]);
    }

    #[test]
    fn an_element_larger_than_the_data() {
        // The largest takes no time either: a file states it.
        for element_size in [8, usize::MAX] {
            let mut same = [0; 3];
            unshuffle(element_size, &[1, 2, 3], &mut same);
            assert_eq!(same, [1, 2, 3]);
        }
    }

    proptest! {
        #[test]
        fn unshuffle_undoes_shuffle(data: Vec<u8>, element_size in 1_usize..20) {
            let (mut planes, mut back) = (vec![0; data.len()], vec![0; data.len()]);
            shuffle(element_size, &data, &mut planes);
            unshuffle(element_size, &planes, &mut back);
            prop_assert_eq!(back, data);
        }
    }
}

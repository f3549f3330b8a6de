//! Byte shuffle: the bytes of all elements regrouped by their place in the element.
//!
//! Shuffled data is one plane per byte of the element: first byte 0 of every element, then byte 1, and so on. Bytes
//! after the last whole element keep their place. HDF5 (filter 2) and Blosc2 (filter 1) agree on this.

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
    match element_size {
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
    }
}

/// Interleaves `N` planes of one length.
pub(crate) fn join<const N: usize>(planes: [&[u8]; N], target: &mut [u8]) {
    let (elements, _) = target.as_chunks_mut::<N>();
    for (index, element) in elements.iter_mut().enumerate() {
        *element = planes.map(|plane| plane[index]);
    }
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

//! Delta: differences (exclusive or) from the first block of the chunk, and within it from one element to the next.

/// Turns the differences in `block` into elements, in place.
///
/// `reference` is the decoded first block, or `None` if `block` is that one. Bytes after the last whole element were
/// left as they are.
pub(crate) fn undo(element_size: usize, reference: Option<&[u8]>, block: &mut [u8]) {
    match element_size {
        1 => undo_wide::<1>(reference, block),
        2 => undo_wide::<2>(reference, block),
        4 => undo_wide::<4>(reference, block),
        size if size % 8 == 0 => undo_wide::<8>(reference, block),
        _ => undo_wide::<1>(reference, block),
    }
}

fn undo_wide<const N: usize>(reference: Option<&[u8]>, block: &mut [u8]) {
    let (elements, _) = block.as_chunks_mut::<N>();
    if let Some(reference) = reference {
        let (reference, _) = reference.as_chunks::<N>();
        for (element, reference) in elements.iter_mut().zip(reference) {
            *element = xor(*element, *reference);
        }
    } else {
        let mut last = [0; N];
        for element in elements {
            last = xor(*element, last);
            *element = last;
        }
    }
}

fn xor<const N: usize>(left: [u8; N], right: [u8; N]) -> [u8; N] {
    core::array::from_fn(|i| left[i] ^ right[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_block_runs_and_the_others_refer_to_it() {
        let mut first = [1, 2, 1, 0, 9];
        undo(2, None, &mut first);
        assert_eq!(first, [1, 2, 0, 2, 9]);
        let mut second = [1, 1, 1, 1, 9];
        undo(2, Some(&first), &mut second);
        assert_eq!(second, [0, 3, 1, 3, 9]);
    }

    #[test]
    fn elements_of_three_bytes_are_taken_by_bytes() {
        let mut first = [1, 2, 4];
        undo(3, None, &mut first);
        assert_eq!(first, [1, 3, 7]);
    }
}

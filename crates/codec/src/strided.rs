//! Copies boxes of elements between two places in memory, each with its own distance per axis.

#![warn(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

/// Bytes from one element to the next along each axis, for elements of a box of `shape` that lie in C order.
pub fn dense_strides(shape: &[usize], element_size: usize) -> alloc::vec::Vec<usize> {
    let mut strides = alloc::vec![element_size; shape.len()];
    let mut stride = element_size;
    for (place, n) in strides.iter_mut().zip(shape).rev() {
        *place = stride;
        stride = stride.saturating_mul(*n);
    }
    strides
}

/// Bytes of a box of `shape` when its elements lie in C order without gaps; `None` when they do not.
pub fn dense_len(shape: &[usize], strides: &[usize], element_size: usize) -> Option<usize> {
    let mut len = element_size;
    for (n, stride) in shape.iter().zip(strides).rev() {
        if *stride != len && *n != 1 {
            return None;
        }
        len = len.checked_mul(*n)?;
    }
    Some(len)
}

/// Byte offset of the element at `coord`.
pub fn offset_of(coord: &[usize], strides: &[usize]) -> Option<usize> {
    coord
        .iter()
        .zip(strides)
        .try_fold(0_usize, |sum, (at, stride)| sum.checked_add(at.checked_mul(*stride)?))
}

/// Copies a box of `shape` elements; both slices start at its first element, strides are in bytes.
///
/// `None` when the box leaves one of the slices; what was copied until then stays.
pub fn copy_box(
    shape: &[usize],
    (to, to_strides): (&mut [u8], &[usize]),
    (from, from_strides): (&[u8], &[usize]),
    element_size: usize,
) -> Option<()> {
    if shape.contains(&0) {
        return Some(());
    }
    let (run, outer) = longest_run(shape, to_strides, from_strides, element_size)?;
    let (shape, to_strides) = (shape.get(..outer)?, to_strides.get(..outer)?);
    copy_runs(shape, (to, to_strides), (from, from_strides.get(..outer)?), run)
}

/// Visits the longest runs of a box of `shape` elements that are adjacent on both sides: those of `to`, each with its
/// byte offset in a source of `from_strides`.
///
/// `None` when the box leaves `to`, or the visitor says so.
pub fn for_each_run(
    shape: &[usize],
    (to, to_strides): (&mut [u8], &[usize]),
    (from, from_strides): (usize, &[usize]),
    element_size: usize,
    visit: &mut impl FnMut(usize, &mut [u8]) -> Option<()>,
) -> Option<()> {
    if shape.contains(&0) {
        return Some(());
    }
    let (run, outer) = longest_run(shape, to_strides, from_strides, element_size)?;
    let (shape, to_strides) = (shape.get(..outer)?, to_strides.get(..outer)?);
    visit_runs(shape, (to, to_strides), (from, from_strides.get(..outer)?), run, visit)
}

/// Bytes that are adjacent on both sides, and the number of axes outside of such a run.
fn longest_run(
    shape: &[usize],
    to_strides: &[usize],
    from_strides: &[usize],
    element_size: usize,
) -> Option<(usize, usize)> {
    let mut run = element_size;
    let mut outer = shape.len();
    while let Some(axis) = outer.checked_sub(1) {
        let n = *shape.get(axis)?;
        if n != 1 && (*to_strides.get(axis)? != run || *from_strides.get(axis)? != run) {
            break;
        }
        run = run.checked_mul(n)?;
        outer = axis;
    }
    Some((run, outer))
}

fn visit_runs(
    shape: &[usize],
    (to, to_strides): (&mut [u8], &[usize]),
    (from, from_strides): (usize, &[usize]),
    run: usize,
    visit: &mut impl FnMut(usize, &mut [u8]) -> Option<()>,
) -> Option<()> {
    let ([n, shape @ ..], [to_stride, to_strides @ ..], [from_stride, from_strides @ ..]) =
        (shape, to_strides, from_strides)
    else {
        return visit(from, to.get_mut(..run)?);
    };
    for i in 0..*n {
        let to = to.get_mut(i.checked_mul(*to_stride)?..)?;
        let from = from.checked_add(i.checked_mul(*from_stride)?)?;
        visit_runs(shape, (to, to_strides), (from, from_strides), run, visit)?;
    }
    Some(())
}

/// As [`copy_box`], of a box whose elements are runs of `run` bytes.
fn copy_runs(
    shape: &[usize],
    (to, to_strides): (&mut [u8], &[usize]),
    (from, from_strides): (&[u8], &[usize]),
    run: usize,
) -> Option<()> {
    match (shape, to_strides, from_strides) {
        ([], ..) => {
            to.get_mut(..run)?.copy_from_slice(from.get(..run)?);
            Some(())
        }
        ([n], [to_stride], [from_stride]) => {
            copy_rows(*n, (to, *to_stride), (from, *from_stride), run)
        }
        ([n, shape @ ..], [to_stride, to_strides @ ..], [from_stride, from_strides @ ..]) => {
            for i in 0..*n {
                let to = to.get_mut(i.checked_mul(*to_stride)?..)?;
                let from = from.get(i.checked_mul(*from_stride)?..)?;
                copy_runs(shape, (to, to_strides), (from, from_strides), run)?;
            }
            Some(())
        }
        _ => None,
    }
}

/// The innermost loop: `n` rows of `run` bytes.
fn copy_rows(
    n: usize,
    (to, to_stride): (&mut [u8], usize),
    (from, from_stride): (&[u8], usize),
    run: usize,
) -> Option<()> {
    let gaps = n.checked_sub(1)?;
    let to = to.get_mut(..gaps.checked_mul(to_stride)?.checked_add(run)?)?;
    let from = from.get(..gaps.checked_mul(from_stride)?.checked_add(run)?)?;
    // Every piece is a row with the gap behind it; the last one is just the row. A length known to the
    // compiler makes the copy of a short row a few moves instead of a call.
    let rows = to.chunks_mut(to_stride.max(1)).zip(from.chunks(from_stride.max(1)));
    match run {
        1 => rows.for_each(|(to, from)| copy_fixed::<1>(to, from)),
        2 => rows.for_each(|(to, from)| copy_fixed::<2>(to, from)),
        4 => rows.for_each(|(to, from)| copy_fixed::<4>(to, from)),
        8 => rows.for_each(|(to, from)| copy_fixed::<8>(to, from)),
        16 => rows.for_each(|(to, from)| copy_fixed::<16>(to, from)),
        32 => rows.for_each(|(to, from)| copy_fixed::<32>(to, from)),
        64 => rows.for_each(|(to, from)| copy_fixed::<64>(to, from)),
        _ => rows.for_each(|(to, from)| {
            if let (Some(to), Some(from)) = (to.get_mut(..run), from.get(..run)) {
                to.copy_from_slice(from);
            }
        }),
    }
    Some(())
}

fn copy_fixed<const N: usize>(to: &mut [u8], from: &[u8]) {
    if let (Some(to), Some(from)) = (to.first_chunk_mut::<N>(), from.first_chunk::<N>()) {
        *to = *from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn copies_a_box_between_different_strides() {
        let from: Vec<u8> = (0..60).collect(); // 3 x 4 x 5
        let mut to = vec![0xff; 2 * 3 * 8];
        let first = offset_of(&[1, 1, 2], &[20, 5, 1]).unwrap();
        copy_box(&[2, 2, 3], (&mut to, &[24, 8, 1]), (&from[first..], &[20, 5, 1]), 1).unwrap();
        assert_eq!(to[..3], [27, 28, 29]);
        assert_eq!(to[8..11], [32, 33, 34]);
        assert_eq!(to[24..27], [47, 48, 49]);
        assert_eq!(to[3], 0xff);
    }

    #[test]
    fn takes_every_second_element() {
        let from: Vec<u8> = (0..16).collect(); // 2 x 4 elements of 2 bytes
        let mut to = vec![0; 8];
        copy_box(&[2, 2], (&mut to, &[4, 2]), (&from, &[8, 4]), 2).unwrap();
        assert_eq!(to, [0, 1, 4, 5, 8, 9, 12, 13]);
    }

    #[test]
    fn refuses_a_box_that_leaves_a_slice() {
        let mut to = vec![0; 7];
        assert_eq!(copy_box(&[2, 2], (&mut to, &[4, 2]), (&[0; 16], &[8, 4]), 2), None);
        assert_eq!(copy_box(&[2, 2], (&mut [0; 8], &[4, 2]), (&[0; 11], &[8, 4]), 2), None);
    }

    #[test]
    fn knows_what_is_dense() {
        assert_eq!(dense_strides(&[3, 4, 5], 2), [40, 10, 2]);
        assert_eq!(dense_len(&[3, 4, 5], &[40, 10, 2], 2), Some(120));
        assert_eq!(dense_len(&[1, 4, 5], &[999, 10, 2], 2), Some(40));
        assert_eq!(dense_len(&[3, 4, 5], &[48, 10, 2], 2), None);
    }
}

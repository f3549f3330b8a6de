//! Fills up an array along its edges.

use hdf5::{Array, Elements, F16};

/// `array` with `pads` elements of `fill` before and after it along each axis; `None` for what is not numeric.
pub(super) fn padded(array: Array, pads: &[[u64; 2]], fill: f64) -> Option<Array> {
    /// Casts to the element's type, as writers of such a value would.
    macro_rules! pad {
        ($(($variant:ident, $fill:expr)),*) => {
            match array.elements {
                $(Elements::$variant(values) => {
                    let (shape, values) = pad_values(&array.shape, &values, pads, $fill)?;
                    Some(Array { shape, elements: Elements::$variant(values) })
                })*
                _ => None,
            }
        };
    }
    if pads.iter().all(|pad| *pad == [0; 2]) {
        return Some(array);
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "fills saturate")]
    {
        pad!(
            (I8, fill as i8),
            (U8, fill as u8),
            (I16, fill as i16),
            (U16, fill as u16),
            (I32, fill as i32),
            (U32, fill as u32),
            (I64, fill as i64),
            (U64, fill as u64),
            (F16, F16::from_f64(fill)),
            (F32, fill as f32),
            (F64, fill)
        )
    }
}

fn pad_values<T: Copy>(
    shape: &[u64],
    values: &[T],
    pads: &[[u64; 2]],
    fill: T,
) -> Option<(Vec<u64>, Vec<T>)> {
    let extents = shape.iter().zip(pads).map(|(extent, pad)| extent + pad[0] + pad[1]);
    let extents: Vec<u64> = extents.collect();
    let count = extents.iter().try_fold(1_u64, |n, extent| n.checked_mul(*extent))?;
    let mut out = vec![fill; usize::try_from(count).ok()?];
    let row = usize::try_from(*shape.last()?).ok()?;
    let outer = shape.len() - 1;
    let mut place = vec![0; outer];
    for values in values.chunks_exact(row.max(1)) {
        let coordinates = place.iter().chain(&[0]).zip(pads).map(|(at, pad)| at + pad[0]);
        let at = coordinates.zip(&extents).fold(0, |at, (place, extent)| at * extent + place);
        let at = usize::try_from(at).ok()?;
        out.get_mut(at..at + row)?.copy_from_slice(values);
        for (at, extent) in place.iter_mut().zip(shape).rev() {
            *at += 1;
            if *at < *extent {
                break;
            }
            *at = 0;
        }
    }
    Some((extents, out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_places() {
        let array = Array { shape: vec![2, 2], elements: Elements::I16(vec![1, 2, 3, 4]) };
        let found = padded(array.clone(), &[[1, 0], [0, 2]], -7.0).unwrap();
        assert_eq!(found.shape, [3, 4]);
        let expected = vec![-7, -7, -7, -7, 1, 2, -7, -7, 3, 4, -7, -7];
        assert_eq!(found.elements, Elements::I16(expected));
        assert_eq!(padded(array.clone(), &[[0; 2]; 2], 0.0), Some(array));
        let text = Array { shape: vec![1], elements: Elements::Strings(vec![vec![]]) };
        assert_eq!(padded(text, &[[1, 1]], 0.0), None);
    }
}

//! The homogeneous matrix of an affine transform.

use std::fmt;

use hdf5::Dataset;

use crate::ReadError;
use crate::geometry::Affine;
use crate::values::{Matrix, floats};

/// Tolerance of an entry of the last row against its expected value, absolute and relative to it.
const LAST_ROW_TOLERANCE: (f64, f64) = (1e-9, 1e-5);

/// Why a matrix is no affine map.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AffineFlaw {
    /// Neither 3 × 3 nor 4 × 4.
    Shape(Vec<u64>),
    /// An entry is no finite number.
    NotFinite,
    /// The last row is not 0, …, 0, 1.
    LastRow(Vec<f64>),
}

impl fmt::Display for AffineFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(shape) => write!(f, "`matrix` has shape {shape:?}, not [3, 3] or [4, 4]"),
            Self::NotFinite => f.write_str("`matrix` has an entry that is not finite"),
            Self::LastRow(row) => write!(f, "the last row of `matrix` is {row:?}, not 0, …, 0, 1"),
        }
    }
}

/// The map that `matrix` states, or what is wrong with it. A singular matrix is a map.
///
/// # Errors
/// [`ReadError`] when its elements cannot be read as numbers.
pub(crate) fn affine_of(matrix: &Dataset) -> Result<Result<Affine, AffineFlaw>, ReadError> {
    let side = match matrix.shape() {
        [3, 3] => 3,
        [4, 4] => 4,
        shape => return Ok(Err(AffineFlaw::Shape(shape.to_vec()))),
    };
    let Some(values) = floats(&matrix.read()?.elements) else {
        return Err(ReadError::value(format!("{} is not numeric", matrix.path())));
    };
    Ok(homogeneous(side, &values))
}

fn homogeneous(side: usize, values: &[f64]) -> Result<Affine, AffineFlaw> {
    if !values.iter().all(|value| value.is_finite()) {
        return Err(AffineFlaw::NotFinite);
    }
    let rank = side - 1;
    let (upper, last) = values.split_at(rank * side);
    let expected = (0..side).map(|column| if column == rank { 1.0 } else { 0.0 });
    if !last.iter().zip(expected).all(|(found, expected)| is_close(*found, expected)) {
        return Err(AffineFlaw::LastRow(last.to_vec()));
    }
    let rows = upper.chunks_exact(side).map(|row| row.split_at(rank));
    let linear = rows.clone().flat_map(|(linear, _)| linear).copied().collect();
    let offset = rows.flat_map(|(_, offset)| offset).copied().collect();
    Ok(Affine { linear: Matrix { rows: rank, columns: rank, values: linear }, offset })
}

fn is_close(found: f64, expected: f64) -> bool {
    let (absolute, relative) = LAST_ROW_TOLERANCE;
    (found - expected).abs() <= absolute + relative * expected.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_the_linear_part_from_the_offset() {
        let affine = homogeneous(3, &[0.0, 2.0, 5.0, 1.0, 0.0, 6.0, 0.0, 0.0, 1.0]).unwrap();
        assert_eq!(affine.linear.values, [0.0, 2.0, 1.0, 0.0]);
        assert_eq!(affine.apply(&[3.0, 4.0]), [13.0, 9.0]);
    }

    #[test]
    fn the_last_row_has_a_tolerance() {
        let with_last = |a, b| homogeneous(3, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, a, 0.0, b]);
        assert!(with_last(1e-9, 1.000_01).is_ok());
        assert_eq!(with_last(1.1e-9, 1.0), Err(AffineFlaw::LastRow(vec![1.1e-9, 0.0, 1.0])));
        assert_eq!(with_last(0.0, f64::NAN), Err(AffineFlaw::NotFinite));
    }
}

//! Maps between index space and world space.

use crate::values::Matrix;

/// How far an entry of `DᵀD` may be from the identity.
const ORTHONORMAL_TOLERANCE: f64 = 1e-4;

/// An affine map of 2 or 3 coordinates: `linear · point + offset`.
#[derive(Debug, Clone, PartialEq)]
pub struct Affine {
    /// The square linear part.
    pub linear: Matrix,
    /// What is added.
    pub offset: Vec<f64>,
}

impl Affine {
    /// The image of `point`, which has one coordinate per axis.
    pub fn apply(&self, point: &[f64]) -> Vec<f64> {
        let row = |(row, offset): (&[f64], &f64)| dot(row, point) + offset;
        self.linear.rows().zip(&self.offset).map(row).collect()
    }
}

impl Matrix {
    /// Whether this is square with orthonormal columns, each entry of the Gram matrix within 1e-4; reflections are.
    pub fn is_orthonormal(&self) -> bool {
        let column = |c: usize| self.rows().filter_map(move |row| row.get(c));
        let entry = |a: usize, b: usize| column(a).zip(column(b)).map(|(x, y)| x * y).sum::<f64>();
        let is_close = |a: usize, b: usize| {
            let identity = if a == b { 1.0 } else { 0.0 };
            // Written so that NaN fails.
            (entry(a, b) - identity).abs() <= ORTHONORMAL_TOLERANCE
        };
        let side = self.columns;
        self.rows == side && (0..side).all(|a| (0..side).all(|b| is_close(a, b)))
    }

    /// The determinant of a 2 × 2 or 3 × 3 matrix.
    pub fn determinant(&self) -> Option<f64> {
        match (self.rows, &self.values[..]) {
            (2, &[x0, y0, x1, y1]) => Some(x0 * y1 - y0 * x1),
            (3, &[x0, y0, z0, x1, y1, z1, x2, y2, z2]) => {
                let (x, y, z) = (y1 * z2 - z1 * y2, x1 * z2 - z1 * x2, x1 * y2 - y1 * x2);
                Some(x0 * x - y0 * y + z0 * z)
            }
            _ => None,
        }
    }

    /// Its rows, from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.columns.max(1)).take(self.rows)
    }

    /// The matrix with rows and columns exchanged, times `vector`.
    pub(crate) fn transpose_times(&self, vector: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.columns];
        for (row, scale) in self.rows().zip(vector) {
            for (sum, value) in out.iter_mut().zip(row) {
                *sum += value * scale;
            }
        }
        out
    }

    /// The matrix times `vector`.
    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.rows().map(|row| dot(row, vector)).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(side: usize, values: &[f64]) -> Matrix {
        Matrix { rows: side, columns: side, values: values.to_vec() }
    }

    #[test]
    fn orthonormal_within_the_tolerance() {
        assert!(matrix(2, &[0.0, 1.0, -1.0, 0.0]).is_orthonormal());
        assert!(matrix(2, &[-1.0, 0.0, 0.0, 1.0]).is_orthonormal());
        assert!(matrix(2, &[1.000_049, 0.0, 0.0, 1.0]).is_orthonormal());
        assert!(!matrix(2, &[1.000_051, 0.0, 0.0, 1.0]).is_orthonormal());
        assert!(!matrix(2, &[f64::NAN, 0.0, 0.0, 1.0]).is_orthonormal());
    }

    #[test]
    fn determinants() {
        assert_eq!(matrix(2, &[1.0, 2.0, 3.0, 4.0]).determinant(), Some(-2.0));
        let reflection = matrix(3, &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
        assert_eq!(reflection.determinant(), Some(-1.0));
    }

    #[test]
    fn applies_rows_to_the_point() {
        let map = Affine { linear: matrix(2, &[0.0, 2.0, 1.0, 0.0]), offset: vec![10.0, 20.0] };
        assert_eq!(map.apply(&[3.0, 4.0]), [18.0, 23.0]);
    }
}

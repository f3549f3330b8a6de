//! Where voxels are: spacing, origin and direction in the world L, P, S (left, posterior, superior).

use medh5::geometry::{Axis, AxisKind, Grid};
use medh5::values::Matrix;

/// Where the voxels of an array are. Vectors have one value per spatial axis of the array, slowest first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placement {
    /// Distance between neighbours.
    pub(crate) spacing: Vec<f64>,
    /// Centre of the first voxel.
    pub(crate) origin: Vec<f64>,
    /// Unit vectors of the array's axes, as columns: row by row.
    pub(crate) direction: Vec<f64>,
    /// Unit of spacing and origin.
    pub(crate) units: &'static str,
}

/// How far two directions may be apart, and two places in voxels, to count as the same.
const TOLERANCE: f64 = 1e-3;

/// How far columns may be from orthonormal: what the format allows.
const ORTHONORMAL: f64 = 1e-4;

impl Placement {
    /// From the columns of an affine that maps indices to L, P, S: one per axis of the array, slowest first, and the offset.
    ///
    /// # Errors
    /// A sentence, when the columns are not at right angles: no spacing and direction say that.
    pub(crate) fn of_columns(
        columns: &[[f64; 3]],
        origin: [f64; 3],
        units: &'static str,
    ) -> Result<Self, String> {
        let length = |column: &[f64; 3]| column.iter().map(|part| part * part).sum::<f64>().sqrt();
        let spacing: Vec<f64> = columns.iter().map(length).collect();
        let is_sound = |value: &f64| value.is_finite() && *value > 0.0;
        if !spacing.iter().all(is_sound) || !origin.iter().all(|part| part.is_finite()) {
            return Err("its mapping to the world is degenerate: an axis without length".into());
        }
        let rows = 0..3;
        let direction: Vec<f64> = rows
            .flat_map(|row| {
                columns.iter().zip(&spacing).map(move |(column, spacing)| column[row] / spacing)
            })
            .collect();
        let placement = Self { spacing, origin: origin.to_vec(), direction, units };
        if placement.is_orthonormal() {
            Ok(placement)
        } else {
            Err("its mapping to the world is sheared, which a grid cannot say: resample it first"
                .into())
        }
    }

    fn is_orthonormal(&self) -> bool {
        let axes = self.spacing.len();
        let column = |at: usize| self.direction.iter().skip(at).step_by(axes.max(1));
        (0..axes).all(|a| {
            (0..axes).all(|b| {
                let dot: f64 = column(a).zip(column(b)).map(|(one, other)| one * other).sum();
                (dot - if a == b { 1.0 } else { 0.0 }).abs() <= ORTHONORMAL
            })
        })
    }

    /// The grid of an array of `shape` there; `series` is the axis before the spatial ones.
    pub(crate) fn grid(&self, shape: &[u64], series: Option<Axis>) -> Grid {
        let names: &[&str] = if self.spacing.len() == 2 { &["y", "x"] } else { &["z", "y", "x"] };
        let spatial = shape.get(shape.len().saturating_sub(names.len())..).unwrap_or_default();
        let spatial = names.iter().zip(spatial).map(|(name, extent)| Axis {
            name: (*name).to_owned(),
            kind: AxisKind::Spatial,
            extent: *extent,
        });
        let axes = self.spacing.len();
        Grid {
            axes: series.into_iter().chain(spatial).collect(),
            spacing: self.spacing.clone(),
            origin: self.origin.clone(),
            direction: Matrix { rows: axes, columns: axes, values: self.direction.clone() },
            coord_system: "LPS".into(),
            units: self.units.into(),
            time_values: None,
            time_units: None,
            frame_uid: None,
            timepoint: None,
            patch_hint: None,
            chunk_hint: None,
        }
    }

    /// What differs from another place, if anything does.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        if self.units != other.units {
            return Some(format!("units {} and {}", self.units, other.units));
        }
        let near = |a: &f64, b: &f64, scale: f64| (a - b).abs() <= TOLERANCE * scale;
        let spacings = || self.spacing.iter().zip(&other.spacing);
        if self.spacing.len() != other.spacing.len() || !spacings().all(|(a, b)| near(a, b, *a)) {
            return Some(format!("spacing {:?} and {:?}", self.spacing, other.spacing));
        }
        let smallest = self.spacing.iter().copied().fold(f64::INFINITY, f64::min);
        if !self.origin.iter().zip(&other.origin).all(|(a, b)| near(a, b, smallest)) {
            return Some(format!("origin {:?} and {:?}", self.origin, other.origin));
        }
        if !self.direction.iter().zip(&other.direction).all(|(a, b)| near(a, b, 1.0)) {
            return Some(format!("direction {:?} and {:?}", self.direction, other.direction));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_spacing_and_direction() {
        let columns = [[0.0, 0.0, 3.0], [0.0, -2.0, 0.0], [-0.5, 0.0, 0.0]];
        let placement = Placement::of_columns(&columns, [1.0, 2.0, 3.0], "mm").unwrap();
        assert_eq!(placement.spacing, [3.0, 2.0, 0.5]);
        assert_eq!(placement.direction, [0.0, 0.0, -1.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0]);
        let mut moved = placement.clone();
        assert_eq!(placement.difference(&moved), None);
        moved.origin[1] += 0.01;
        assert_eq!(
            placement.difference(&moved).unwrap(),
            "origin [1.0, 2.0, 3.0] and [1.0, 2.01, 3.0]"
        );
    }

    #[test]
    fn sheared_and_flat_mappings_are_refused() {
        let sheared = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.1, 0.0]];
        assert!(Placement::of_columns(&sheared, [0.0; 3], "mm").unwrap_err().contains("sheared"));
        let flat = [[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
        assert!(Placement::of_columns(&flat, [0.0; 3], "mm").unwrap_err().contains("degenerate"));
    }
}

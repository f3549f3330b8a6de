//! A grid that is known to be sound.

use super::{Affine, Axis, AxisKind, GridView};
use crate::ReadError;
use crate::validate::Code;
use crate::validate::codes::{E102, E103, E104, E109, E110};
use crate::values::Matrix;

/// Units of spacing and origin.
pub(crate) const UNITS: [&str; 4] = ["mm", "um", "m", "px"];
/// Units of time values.
pub(crate) const TIME_UNITS: [&str; 2] = ["s", "ms"];

/// A sound grid. Spacing, origin and direction concern the spatial axes, slowest first.
///
/// Which units are known is not judged here: a later minor version may add some.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// All axes, slowest first; the spatial ones are last.
    pub axes: Vec<Axis>,
    /// Distance between neighbours, in `units`, all positive.
    pub spacing: Vec<f64>,
    /// Centre of the first voxel, in `units`.
    pub origin: Vec<f64>,
    /// Unit vectors of the index axes in the world, as columns.
    pub direction: Matrix,
    /// Name of the world's axes, such as `LPS`.
    pub coord_system: String,
    /// Unit of spacing and origin.
    pub units: String,
    /// Times of the frames, if there is a time axis, in `time_units`.
    pub time_values: Option<Vec<f64>>,
    /// Unit of the time values.
    pub time_units: Option<String>,
    /// Identifier of its frame of reference.
    pub frame_uid: Option<String>,
    /// Identifier of its timepoint.
    pub timepoint: Option<String>,
    /// Patch shape that readers will ask for, in voxels of the spatial axes.
    pub patch_hint: Option<Vec<i64>>,
    /// Chunk shape that writers should use, in voxels of all axes.
    pub chunk_hint: Option<Vec<i64>>,
}

impl Grid {
    /// Reads a grid and requires that it is sound.
    ///
    /// # Errors
    /// [`ReadError::Value`] with the code of the first defect; [`ReadError::File`] when an attribute cannot be read.
    pub fn read(view: &GridView) -> Result<Self, ReadError> {
        let attributes = view.attributes();
        let axes = read_axes(view)?;
        let rank = axes.iter().filter(|axis| axis.kind == AxisKind::Spatial).count();
        let spacing = read_vector(view, "spacing", rank)?;
        require(!has_bad_spacing(&spacing), E104, view, "`spacing` is not positive")?;
        let origin = read_vector(view, "origin", rank)?;
        require(origin.iter().all(|v| v.is_finite()), E109, view, "`origin` is not finite")?;
        let direction = present(attributes.matrix("direction")?, view, "direction")?;
        let is_square = direction.rows == rank && direction.columns == rank;
        require(is_square, E109, view, "`direction` does not have one row and column per axis")?;
        require(direction.is_orthonormal(), E102, view, "`direction` is not orthonormal")?;
        Ok(Self {
            spacing,
            origin,
            direction,
            coord_system: present(attributes.text("coord_system")?, view, "coord_system")?,
            units: present(attributes.text("units")?, view, "units")?,
            time_values: read_time_values(view, &axes)?,
            time_units: attributes.text("time_units")?,
            frame_uid: view.frame_uid()?,
            timepoint: view.timepoint()?,
            patch_hint: read_hint(view, "patch_hint", rank)?,
            chunk_hint: read_chunk_hint(view, axes.len())?,
            axes,
        })
    }

    /// Number of voxels of each axis, slowest first.
    pub fn shape(&self) -> Vec<u64> {
        self.axes.iter().map(|axis| axis.extent).collect()
    }

    /// The spatial axes, slowest first.
    pub fn spatial_axes(&self) -> impl Iterator<Item = &Axis> {
        self.axes.iter().filter(|axis| axis.kind == AxisKind::Spatial)
    }

    /// Number of voxels of each spatial axis, slowest first.
    pub fn spatial_shape(&self) -> Vec<u64> {
        self.spatial_axes().map(|axis| axis.extent).collect()
    }

    /// The map from voxel indices (of the spatial axes, slowest first; voxel centres are integers) to the world, in `units`.
    ///
    /// Spec: MEDH5 1.0 §4.2.
    pub fn world_from_index(&self) -> Affine {
        let scaled = self.direction.rows().flat_map(|row| row.iter().zip(&self.spacing));
        let values = scaled.map(|(direction, spacing)| direction * spacing).collect();
        let linear = Matrix { rows: self.direction.rows, columns: self.direction.columns, values };
        Affine { linear, offset: self.origin.clone() }
    }

    /// The voxel coordinates of a point of the world, along the spatial axes.
    pub fn index_from_world(&self, point: &[f64]) -> Vec<f64> {
        let from_origin: Vec<f64> = point.iter().zip(&self.origin).map(|(p, o)| p - o).collect();
        // The columns of the direction are orthonormal, so its transpose is its inverse.
        let along_axes = self.direction.transpose_times(&from_origin);
        along_axes.iter().zip(&self.spacing).map(|(distance, spacing)| distance / spacing).collect()
    }
}

/// Whether some spacing is not a positive finite number.
pub(crate) fn has_bad_spacing(spacing: &[f64]) -> bool {
    spacing.iter().any(|&value| !value.is_finite() || value <= 0.0)
}

fn read_axes(view: &GridView) -> Result<Vec<Axis>, ReadError> {
    let shape = present(view.shape()?, view, "shape")?;
    let names = present(view.attributes().strings("axis_names")?, view, "axis_names")?;
    let kinds = present(view.known_axis_kinds()?, view, "axis_kinds")?;
    let is_even = names.len() == shape.len() && kinds.len() == shape.len();
    require(is_even, E109, view, "`shape`, `axis_names` and `axis_kinds` differ in length")?;
    let product = shape.iter().try_fold(1_i64, |n, &extent| n.checked_mul(extent));
    let is_sound = shape.iter().all(|&extent| extent > 0) && product.is_some();
    require(is_sound, E109, view, "`shape` is not positive, or too large")?;
    let spatial = AxisKind::Spatial.count_in(&kinds);
    let is_single = |kind: AxisKind| kind.count_in(&kinds) <= 1;
    let is_known =
        (2..=3).contains(&spatial) && is_single(AxisKind::Time) && is_single(AxisKind::Channel);
    require(is_known, E110, view, "`axis_kinds` has too few or too many axes of a kind")?;
    require(AxisKind::spatial_are_last(&kinds), E103, view, "the spatial axes are not last")?;
    let axis = |((name, kind), extent): ((String, AxisKind), i64)| Axis {
        name,
        kind,
        extent: extent.unsigned_abs(),
    };
    Ok(names.into_iter().zip(kinds).zip(shape).map(axis).collect())
}

fn read_vector(view: &GridView, name: &str, rank: usize) -> Result<Vec<f64>, ReadError> {
    let vector = present(view.attributes().floats(name)?, view, name)?;
    require(vector.len() == rank, E109, view, &format!("`{name}` does not have {rank} values"))?;
    Ok(vector)
}

fn read_time_values(view: &GridView, axes: &[Axis]) -> Result<Option<Vec<f64>>, ReadError> {
    let values = view.attributes().floats("time_values")?;
    if view.attributes().has("time_values")? {
        require(values.is_some(), E109, view, "`time_values` is not numeric")?;
    }
    let Some(axis) = axes.iter().find(|axis| axis.kind == AxisKind::Time) else {
        return Ok(values);
    };
    let count = values.as_ref().map(|values| values.len() as u64);
    require(count == Some(axis.extent), E109, view, "`time_values` does not match the time axis")?;
    Ok(values)
}

fn read_hint(view: &GridView, name: &str, count: usize) -> Result<Option<Vec<i64>>, ReadError> {
    if !view.attributes().has(name)? {
        return Ok(None);
    }
    let hint = present(view.attributes().integers(name)?, view, name)?;
    require(hint.len() == count, E109, view, &format!("`{name}` does not have {count} values"))?;
    Ok(Some(hint))
}

fn read_chunk_hint(view: &GridView, count: usize) -> Result<Option<Vec<i64>>, ReadError> {
    let hint = read_hint(view, "chunk_hint", count)?;
    let is_positive = hint.iter().flatten().all(|&extent| extent > 0);
    require(is_positive, E109, view, "`chunk_hint` is not positive")?;
    Ok(hint)
}

fn present<T>(value: Option<T>, view: &GridView, name: &str) -> Result<T, ReadError> {
    let message = || format!("{}: `{name}` is missing or of another type", view.path());
    value.ok_or_else(|| ReadError::coded(E109, message()))
}

fn require(
    holds: bool,
    code: &'static Code,
    view: &GridView,
    message: &str,
) -> Result<(), ReadError> {
    if holds { Ok(()) } else { Err(ReadError::coded(code, format!("{}: {message}", view.path()))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let axis = |name: &str, extent| Axis { name: name.into(), kind: AxisKind::Spatial, extent };
        Grid {
            axes: vec![axis("y", 4), axis("x", 6)],
            spacing: vec![2.0, 0.5],
            origin: vec![10.0, -1.0],
            direction: Matrix { rows: 2, columns: 2, values: vec![0.0, -1.0, 1.0, 0.0] },
            coord_system: "LPS".into(),
            units: "mm".into(),
            time_values: None,
            time_units: None,
            frame_uid: None,
            timepoint: None,
            patch_hint: None,
            chunk_hint: None,
        }
    }

    #[test]
    fn world_and_index_are_inverse() {
        let world = grid().world_from_index().apply(&[3.0, 2.0]);
        assert_eq!(world, [9.0, 5.0]);
        assert_eq!(grid().index_from_world(&world), [3.0, 2.0]);
        assert_eq!(grid().spatial_shape(), [4, 6]);
    }
}

//! Transforms of new samples. Spec: MEDH5 1.0 §10.

use hdf5::{NewAttribute, NewGroup, NumberType};

use super::layout::Layout;
use super::{NewArray, Storage, WriteError};
use crate::geometry::Grid;
use crate::storage::{Role, grid_chunk};
use crate::transforms::TransformKind;

/// A map from points of one frame to points of another.
#[derive(Debug, Clone)]
pub struct NewTransform {
    /// The frame it maps from.
    pub from_frame: String,
    /// The frame it maps to.
    pub to_frame: String,
    /// How it maps.
    pub map: Map,
    /// Units of its coordinates: those of the grids in both frames.
    pub units: String,
    /// A grid in the frame it maps from.
    pub from_grid: Option<String>,
    /// A grid in the frame it maps to.
    pub to_grid: Option<String>,
    /// Whether it has an inverse.
    pub invertible: Option<bool>,
    /// The transform that is its inverse.
    pub inverse_id: Option<String>,
    /// The activity that made it.
    pub prov: Option<String>,
    /// Its quality record.
    pub metrics: Option<String>,
}

/// How a transform maps points.
#[derive(Debug, Clone)]
pub enum Map {
    /// Not at all.
    Identity,
    /// By a homogeneous matrix, row by row.
    Affine(Vec<Vec<f64>>),
    /// By a displacement per voxel of a grid: an array of one component per spatial axis, then the grid's spatial axes.
    Displacement(Field),
    /// By displacements interpolated between control points.
    Bspline {
        /// The control points, laid out as a displacement field.
        points: Field,
        /// Order of the spline.
        order: i64,
    },
    /// By other transforms, the first one first.
    Composite(Vec<String>),
}

/// Displacements on a grid.
#[derive(Debug, Clone)]
pub struct Field {
    /// The displacements.
    pub values: NewArray,
    /// The grid that places them.
    pub grid: String,
    /// `world` or `index`.
    pub vector_space: String,
    /// `linear` or `cubic`; only of displacements per voxel.
    pub interpolation: Option<String>,
    /// `zero`, `nearest` or `error`; only of displacements per voxel.
    pub extrapolation: Option<String>,
}

impl NewTransform {
    /// The transform as it is stored; `grid` finds a grid by its name.
    pub(super) fn group(
        &self,
        grid: impl Fn(&str) -> Result<Grid, WriteError>,
        storage: Storage,
    ) -> Result<NewGroup, WriteError> {
        let mut group = NewGroup::new()
            .attribute("kind", NewAttribute::text(self.kind().name()))
            .attribute("from_frame", NewAttribute::text(&self.from_frame))
            .attribute("to_frame", NewAttribute::text(&self.to_frame))
            .attribute("units", NewAttribute::text(&self.units));
        let texts = [
            ("from_grid", &self.from_grid),
            ("to_grid", &self.to_grid),
            ("inverse_id", &self.inverse_id),
            ("prov", &self.prov),
            ("metrics", &self.metrics),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                group = group.attribute(name, NewAttribute::text(text));
            }
        }
        if let Some(invertible) = self.invertible {
            group = group.attribute("invertible", NewAttribute::boolean(invertible));
        }
        match &self.map {
            Map::Identity => Ok(group),
            Map::Affine(rows) => {
                let columns = rows.first().map_or(0, Vec::len) as u64;
                let bytes = rows.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
                let layout = Layout::of_tables(storage.profile);
                let matrix =
                    NewArray::numbers(NumberType::F64, &[rows.len() as u64, columns], bytes)?;
                Ok(group.dataset("matrix", layout.array(&matrix, None)))
            }
            Map::Displacement(field) => field.put(group, self.kind(), &grid(&field.grid)?, storage),
            Map::Bspline { points, order } => {
                let group = group.attribute("order", NewAttribute::integer(*order));
                points.put(group, self.kind(), &grid(&points.grid)?, storage)
            }
            Map::Composite(components) => {
                Ok(group.attribute("components", NewAttribute::texts(components)))
            }
        }
    }

    fn kind(&self) -> TransformKind {
        match &self.map {
            Map::Identity => TransformKind::Identity,
            Map::Affine(_) => TransformKind::Affine,
            Map::Displacement(_) => TransformKind::Displacement,
            Map::Bspline { .. } => TransformKind::Bspline,
            Map::Composite(_) => TransformKind::Composite,
        }
    }
}

impl Field {
    fn put(
        &self,
        mut group: NewGroup,
        kind: TransformKind,
        grid: &Grid,
        storage: Storage,
    ) -> Result<NewGroup, WriteError> {
        let names = kind.field().ok_or_else(|| WriteError::refused("this kind has no field"))?;
        group = group
            .attribute(names.grid_attribute, NewAttribute::text(&self.grid))
            .attribute("vector_space", NewAttribute::text(&self.vector_space));
        let words =
            [("interpolation", &self.interpolation), ("extrapolation", &self.extrapolation)];
        for (name, word) in words {
            if let Some(word) = word {
                group = group.attribute(name, NewAttribute::text(word));
            }
        }
        let size = u64::from(self.values.datatype().size);
        let chunk = grid_chunk(grid, 1, size, storage.budget);
        let chunk = crate::storage::fitted_chunk(&chunk, self.values.shape());
        let layout = Layout { profile: storage.profile, role: Role::Other };
        Ok(group.dataset(names.dataset, layout.array(&self.values, chunk.as_deref())))
    }
}

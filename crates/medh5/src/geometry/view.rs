//! A grid as stored, before it is known to be sound.

use super::{AxisKind, Grid};
use crate::ReadError;
use crate::attributes::Attributes;
use crate::sample::{Chapter, Child, Sample};
use crate::validate::Located;

/// A member of `grids` as stored.
#[derive(Debug, Clone)]
pub struct GridView {
    child: Child,
}

impl Sample {
    /// All grids, sorted by the bytes of their names; a dataset among them is listed too.
    ///
    /// # Errors
    /// As [`Sample::members`].
    pub fn grids(&self) -> Result<Vec<GridView>, ReadError> {
        Ok(self.children(Chapter::Grids)?.iter().cloned().map(GridView::new).collect())
    }

    /// The grid that `reference` names: a path relative to `grids` that leads to a group.
    ///
    /// # Errors
    /// As [`Sample::resolve`].
    pub fn grid(&self, reference: &str) -> Result<Option<GridView>, ReadError> {
        let child = self.resolve(Chapter::Grids, reference)?;
        Ok(child.filter(|child| child.group().is_some()).map(GridView::new))
    }

    /// The grid `ref`, or else that of the first image by name; `None` when there is neither.
    ///
    /// # Errors
    /// As [`Sample::resolve`].
    ///
    /// Spec: MEDH5 1.0 §3.2.
    pub fn reference_grid(&self) -> Result<Option<GridView>, ReadError> {
        if let Some(grid) = self.grid("ref")? {
            return Ok(Some(grid));
        }
        match self.images()?.first() {
            Some(image) => image.grid(),
            None => Ok(None),
        }
    }
}

impl Located for GridView {
    fn location(&self) -> &str {
        self.path()
    }
}

impl GridView {
    pub(crate) fn new(child: Child) -> Self {
        Self { child }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.child.name()
    }

    /// Where it is, from the root of the sample.
    pub fn path(&self) -> &str {
        self.child.path()
    }

    /// Whether it is a group, as it must be.
    pub fn is_group(&self) -> bool {
        self.child.group().is_some()
    }

    /// Its attributes.
    pub fn attributes(&self) -> &Attributes {
        self.child.attributes()
    }

    /// Number of voxels of each axis, slowest first; `None` when absent or not numeric.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn shape(&self) -> Result<Option<Vec<i64>>, ReadError> {
        self.attributes().integers("shape")
    }

    /// Whether a dataset of this shape fits the grid; a grid without a numeric shape has no axes.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn has_shape(&self, shape: &[u64]) -> Result<bool, ReadError> {
        let own = self.shape()?.unwrap_or_default();
        Ok(same_extents(shape, &own))
    }

    /// Kind of each axis as spelled; empty when absent.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn axis_kinds(&self) -> Result<Vec<String>, ReadError> {
        Ok(self.attributes().strings("axis_kinds")?.unwrap_or_default())
    }

    /// Kind of each axis; `None` when one of them is unknown.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn known_axis_kinds(&self) -> Result<Option<Vec<AxisKind>>, ReadError> {
        Ok(AxisKind::parse_all(&self.axis_kinds()?))
    }

    /// Extents of the spatial axes, slowest first; `None` when some axis is of an unknown kind.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn spatial_extents(&self) -> Result<Option<Vec<i64>>, ReadError> {
        let Some(kinds) = self.known_axis_kinds()? else { return Ok(None) };
        let shape = self.shape()?.unwrap_or_default();
        let spatial = kinds.iter().zip(shape).filter(|(kind, _)| **kind == AxisKind::Spatial);
        Ok(Some(spatial.map(|(_, extent)| extent).collect()))
    }

    /// Unit of spacing and origin; `mm` when absent.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn units(&self) -> Result<String, ReadError> {
        Ok(self.attributes().text("units")?.unwrap_or_else(|| "mm".into()))
    }

    /// Identifier of its frame of reference.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn frame_uid(&self) -> Result<Option<String>, ReadError> {
        self.attributes().text("frame_uid")
    }

    /// Identifier of its timepoint.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn timepoint(&self) -> Result<Option<String>, ReadError> {
        self.attributes().text("timepoint")
    }

    /// The sound grid behind it.
    ///
    /// # Errors
    /// As [`Grid::read`].
    pub fn grid(&self) -> Result<Grid, ReadError> {
        Grid::read(self)
    }
}

/// Whether extents of a dataset equal extents of a grid.
pub(crate) fn same_extents(found: &[u64], expected: &[i64]) -> bool {
    found.iter().map(|&extent| i64::try_from(extent).ok()).eq(expected.iter().copied().map(Some))
}

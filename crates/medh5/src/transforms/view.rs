//! A transform as stored, before it is known to be sound.

use hdf5::Dataset;

use super::{TransformKind, VectorSpace, affine_of};
use crate::ReadError;
use crate::attributes::Attributes;
use crate::geometry::Affine;
use crate::sample::{Chapter, Child, Sample};
use crate::validate::Located;

/// A member of `transforms` as stored.
#[derive(Debug, Clone)]
pub struct TransformView {
    child: Child,
}

impl Sample {
    /// All transforms, sorted by the bytes of their names; a dataset among them is listed too.
    ///
    /// # Errors
    /// As [`Sample::members`].
    pub fn transforms(&self) -> Result<Vec<TransformView>, ReadError> {
        Ok(self.children(Chapter::Transforms)?.iter().cloned().map(TransformView::new).collect())
    }

    /// The transform that `reference` names: a path relative to `transforms` that leads to a group.
    ///
    /// # Errors
    /// As [`Sample::resolve`].
    pub fn transform(&self, reference: &str) -> Result<Option<TransformView>, ReadError> {
        let child = self.resolve(Chapter::Transforms, reference)?;
        Ok(child.filter(|child| child.group().is_some()).map(TransformView::new))
    }
}

impl Located for TransformView {
    fn location(&self) -> &str {
        self.path()
    }
}

impl TransformView {
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

    /// The group or dataset that it is.
    pub fn child(&self) -> &Child {
        &self.child
    }

    /// Its attributes.
    pub fn attributes(&self) -> &Attributes {
        self.child.attributes()
    }

    /// Its kind; `None` when absent or unknown.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn kind(&self) -> Result<Option<TransformKind>, ReadError> {
        let name = self.attributes().text("kind")?;
        Ok(name.as_deref().and_then(TransformKind::parse))
    }

    /// The frames that it maps from and to; `None` when either is absent.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn frames(&self) -> Result<Option<(String, String)>, ReadError> {
        let from = self.attributes().text("from_frame")?;
        Ok(from.zip(self.attributes().text("to_frame")?))
    }

    /// The unit of its coordinates and displacements.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn units(&self) -> Result<Option<String>, ReadError> {
        self.attributes().text("units")
    }

    /// What its displacements are measured in, world when not stated; `None` when the word is unknown.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn vector_space(&self) -> Result<Option<VectorSpace>, ReadError> {
        let name = self.attributes().text("vector_space")?;
        Ok(name.map_or(Some(VectorSpace::World), |name| VectorSpace::parse(&name)))
    }

    /// The order of its splines, 3 when not stated as one integer.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn order(&self) -> Result<i64, ReadError> {
        Ok(self.attributes().integer("order")?.unwrap_or(3))
    }

    /// The names of the transforms that it chains, first applied first; `None` when absent.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn components(&self) -> Result<Option<Vec<String>>, ReadError> {
        self.attributes().strings("components")
    }

    /// The dataset of this name in it.
    ///
    /// # Errors
    /// As [`Child::member_dataset`].
    pub fn dataset(&self, name: &str) -> Result<Option<Dataset>, ReadError> {
        self.child.member_dataset(name)
    }

    /// The map from coordinates of its `from_frame` to coordinates of its `to_frame`, both in `units`.
    ///
    /// `None` for kinds that store no matrix.
    ///
    /// # Errors
    /// [`ReadError::Value`] when the matrix is absent or unsound, [`ReadError::File`] when it cannot be read.
    pub fn to_frame_from_frame(&self) -> Result<Option<Affine>, ReadError> {
        if self.kind()? != Some(TransformKind::Affine) {
            return Ok(None);
        }
        let affine = match self.dataset("matrix")? {
            Some(matrix) => affine_of(&matrix)?,
            None => return Err(ReadError::value(format!("{} has no `matrix`", self.path()))),
        };
        affine.map(Some).map_err(|flaw| ReadError::value(format!("{}: {flaw}", self.path())))
    }
}

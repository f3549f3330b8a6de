//! An annotation as stored.

use std::collections::BTreeSet;

use hdf5::{Array, Dataset};

use super::{Family, Kind};
use crate::ReadError;
use crate::attributes::Attributes;
use crate::geometry::GridView;
use crate::plausible::require_plausible_read;
use crate::sample::{Chapter, Child, Sample};
use crate::validate::Located;
use crate::values::{self, dtype_name};

/// The value that marks ignored voxels unless an annotation names another.
pub const DEFAULT_IGNORE_ID: i64 = 65_535;

/// A member of `annotations` as stored.
#[derive(Debug, Clone)]
pub struct AnnotationView {
    sample: Sample,
    child: Child,
}

impl Sample {
    /// All annotations, sorted by the bytes of their names.
    ///
    /// # Errors
    /// As [`Sample::members`].
    pub fn annotations(&self) -> Result<Vec<AnnotationView>, ReadError> {
        let view = |child: &Child| AnnotationView { sample: self.clone(), child: child.clone() };
        Ok(self.children(Chapter::Annotations)?.iter().map(view).collect())
    }

    /// The annotation of this name.
    ///
    /// # Errors
    /// As [`Sample::members`].
    pub fn annotation(&self, name: &str) -> Result<Option<AnnotationView>, ReadError> {
        let view = |child: &Child| AnnotationView { sample: self.clone(), child: child.clone() };
        Ok(self.child(Chapter::Annotations, name)?.map(view))
    }
}

impl Located for AnnotationView {
    fn location(&self) -> &str {
        self.path()
    }
}

impl AnnotationView {
    pub(super) fn sample(&self) -> &Sample {
        &self.sample
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.child.name()
    }

    /// Where it is, from the root of the sample.
    pub fn path(&self) -> &str {
        self.child.path()
    }

    /// Its attributes.
    pub fn attributes(&self) -> &Attributes {
        self.child.attributes()
    }

    /// Whether it is a group, as it must be to hold anything.
    pub fn is_group(&self) -> bool {
        self.child.group().is_some()
    }

    /// Its kind as spelled.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn kind_name(&self) -> Result<Option<String>, ReadError> {
        self.attributes().text("kind")
    }

    /// Its kind, if known.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn kind(&self) -> Result<Option<Kind>, ReadError> {
        Ok(self.kind_name()?.and_then(|name| Kind::parse(&name)))
    }

    /// Whether it says of voxels which classes they belong to.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn is_of_classes_of_voxels(&self) -> Result<bool, ReadError> {
        let kind = self.kind()?;
        Ok(kind.is_some_and(|kind| kind.family() == Family::Voxel && kind != Kind::Mask))
    }

    /// The classes that it can express, as stored; `None` when absent or not numeric.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn class_ids(&self) -> Result<Option<Vec<i64>>, ReadError> {
        self.attributes().integers("class_ids")
    }

    /// The classes that it can express; none when absent.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn class_set(&self) -> Result<BTreeSet<i64>, ReadError> {
        Ok(self.class_ids()?.unwrap_or_default().into_iter().collect())
    }

    /// The classes that were looked for, so that their absence means something; none when absent.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn annotated_class_set(&self) -> Result<BTreeSet<i64>, ReadError> {
        let ids = self.attributes().integers("annotated_class_ids")?;
        Ok(ids.unwrap_or_default().into_iter().collect())
    }

    /// The value of voxels that are to be ignored.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn ignore_id(&self) -> Result<i64, ReadError> {
        Ok(self.attributes().integer("ignore_id")?.unwrap_or(DEFAULT_IGNORE_ID))
    }

    /// The grid it names.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn grid_reference(&self) -> Result<Option<String>, ReadError> {
        self.attributes().text("grid")
    }

    /// Its grid; `None` when it names none, or none that exists.
    ///
    /// # Errors
    /// As [`Sample::grid`].
    pub fn grid(&self) -> Result<Option<GridView>, ReadError> {
        match self.grid_reference()? {
            Some(reference) => self.sample.grid(&reference),
            None => Ok(None),
        }
    }

    /// A dataset of this annotation; `None` when there is none of that name.
    ///
    /// # Errors
    /// [`ReadError::File`] when its header cannot be read.
    pub fn dataset(&self, name: &str) -> Result<Option<Dataset>, ReadError> {
        self.child.member_dataset(name)
    }

    /// The names of its datasets, sorted by their bytes; none when it is no group.
    ///
    /// # Errors
    /// [`ReadError::File`] when the group or a header cannot be read.
    pub fn dataset_names(&self) -> Result<Vec<String>, ReadError> {
        let Some(group) = self.child.group() else { return Ok(Vec::new()) };
        let mut names = Vec::new();
        for link in group.links()?.iter() {
            let name = link.name().into_owned();
            if self.dataset(&name)?.is_some() {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// Where a dataset of this annotation is, from the root of the sample.
    pub fn dataset_path(&self, name: &str) -> String {
        format!("{}/{name}", self.path())
    }

    /// A whole column with its shape; `None` when absent. Columns are small, unlike `data`.
    ///
    /// # Errors
    /// [`ReadError::File`] when it cannot be read.
    pub fn column(&self, name: &str) -> Result<Option<Array>, ReadError> {
        let Some(dataset) = self.dataset(name)? else { return Ok(None) };
        require_plausible_read(&dataset)?;
        Ok(Some(dataset.read()?))
    }

    /// A column of integers in C order, fractions cut off; `None` when absent.
    ///
    /// # Errors
    /// As [`AnnotationView::column`]; [`ReadError::Value`] for other elements than numbers.
    pub fn integers(&self, name: &str) -> Result<Option<Vec<i64>>, ReadError> {
        self.numbers(name, values::integers)
    }

    /// A column of unsigned integers in C order, fractions cut off, negative ones 0; `None` when absent.
    ///
    /// # Errors
    /// As [`AnnotationView::integers`].
    pub fn unsigned_integers(&self, name: &str) -> Result<Option<Vec<u64>>, ReadError> {
        self.numbers(name, values::unsigned_integers)
    }

    /// A column of doubles in C order; `None` when absent.
    ///
    /// # Errors
    /// As [`AnnotationView::integers`].
    pub fn floats(&self, name: &str) -> Result<Option<Vec<f64>>, ReadError> {
        self.numbers(name, values::floats)
    }

    fn numbers<T>(
        &self,
        name: &str,
        convert: impl Fn(&hdf5::Elements) -> Option<T>,
    ) -> Result<Option<T>, ReadError> {
        let Some(dataset) = self.dataset(name)? else { return Ok(None) };
        if dataset.datatype().number().is_none() {
            let found = dtype_name(dataset.datatype());
            let path = self.dataset_path(name);
            return Err(ReadError::value(format!("{path} holds {found}, not numbers")));
        }
        require_plausible_read(&dataset)?;
        Ok(convert(&dataset.read()?.elements))
    }
}

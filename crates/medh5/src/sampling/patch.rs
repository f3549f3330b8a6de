//! One drawn patch, and what lies in it.

use hdf5::{Array, Window};

use super::padding::padded;
use super::{PatchAxis, Strategy};
use crate::ReadError;
use crate::annotations::{AnnotationView, ClassMasks};
use crate::images::ImageView;

/// One drawn patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// Where it lies, along the spatial axes of its grid, slowest first.
    pub axes: Vec<PatchAxis>,
    /// How it was drawn: around a voxel of a class, or anywhere. Never [`Strategy::Balanced`].
    pub strategy: Strategy,
    /// The class of the voxel it was drawn around.
    pub class_id: Option<i64>,
    /// Whether that voxel came from the sampling index, or from a look through the labels; `None` where the question does not
    /// arise.
    pub used_index: Option<bool>,
    /// The grid whose voxels it counts.
    pub grid: String,
}

impl Patch {
    /// Its extents with the padding, in voxels, slowest axis first.
    pub fn shape(&self) -> Vec<u64> {
        let extent = |axis: &PatchAxis| axis.stop - axis.start + axis.pad[0] + axis.pad[1];
        self.axes.iter().map(extent).collect()
    }

    /// Reads the stored values of an image on its grid. Axes that are not spatial come first and whole; what lies outside
    /// the volume is `fill`.
    ///
    /// # Errors
    /// [`ReadError::Value`] when the image is on another grid or holds no numbers, [`ReadError::File`] when it cannot be read.
    pub fn image(&self, image: &ImageView, fill: f64) -> Result<Array, ReadError> {
        self.require_grid(image.path(), image.grid_reference()?)?;
        let lacks = || ReadError::value(format!("{} has no values", image.path()));
        let data = image.data()?.ok_or_else(lacks)?;
        let leading = data.shape().len().checked_sub(self.axes.len()).ok_or_else(lacks)?;
        let leading = data.shape().get(..leading).unwrap_or_default();
        let start: Vec<u64> =
            leading.iter().map(|_| 0).chain(self.axes.iter().map(|axis| axis.start)).collect();
        let extents = self.axes.iter().map(|axis| axis.stop - axis.start);
        let shape: Vec<u64> = leading.iter().copied().chain(extents).collect();
        let array = data.read_window(&Window::new(&start, &shape))?;
        let pads: Vec<[u64; 2]> =
            leading.iter().map(|_| [0; 2]).chain(self.axes.iter().map(|axis| axis.pad)).collect();
        padded(array, &pads, fill)
            .ok_or_else(|| ReadError::value(format!("{} holds no numbers", image.path())))
    }

    /// Reads which voxels belong to each declared class, or to those of `classes`; none do outside the volume.
    ///
    /// # Errors
    /// As [`AnnotationView::class_masks`]; [`ReadError::Value`] when the annotation is on another grid.
    pub fn labels(
        &self,
        annotation: &AnnotationView,
        classes: Option<&[i64]>,
    ) -> Result<ClassMasks, ReadError> {
        self.require_grid(annotation.path(), annotation.grid_reference()?)?;
        let region: Vec<_> = self.axes.iter().map(|axis| axis.start..axis.stop).collect();
        let masks = annotation.class_masks(&region, classes)?;
        let pads: Vec<[u64; 2]> = self.axes.iter().map(|axis| axis.pad).collect();
        let class_ids = masks.class_ids.clone();
        Ok(ClassMasks { class_ids, shape: self.shape(), values: masks.padded(&pads) })
    }

    fn require_grid(&self, path: &str, found: Option<String>) -> Result<(), ReadError> {
        let found = found.unwrap_or_default();
        if found == self.grid {
            return Ok(());
        }
        let wanted = &self.grid;
        Err(ReadError::value(format!("{path} is on grid `{found}`, the patch on `{wanted}`")))
    }
}

impl ClassMasks {
    fn padded(self, pads: &[[u64; 2]]) -> Vec<u8> {
        let classes = self.class_ids.len() as u64;
        let shape = std::iter::once(classes).chain(self.shape).collect();
        let array = Array { shape, elements: hdf5::Elements::U8(self.values) };
        let pads: Vec<[u64; 2]> = std::iter::once([0; 2]).chain(pads.iter().copied()).collect();
        match padded(array, &pads, 0.0).map(|array| array.elements) {
            Some(hdf5::Elements::U8(values)) => values,
            _ => Vec::new(),
        }
    }
}

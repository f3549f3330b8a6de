//! Annotations of voxels as one mask per class, whatever their encoding. Spec: MEDH5 1.0 §7.1 to §7.7.

use std::ops::Range;

use hdf5::{Array, Dataset, Elements, F16, NumberType, Window};

use super::instance_masks::Instances;
use super::{AnnotationView, Kind};
use crate::ReadError;
use crate::values;

/// Probability from which a voxel belongs to a class, unless the map names another.
const DEFAULT_THRESHOLD: f64 = 0.5;

/// A box of voxels along the spatial axes, slowest first.
pub type Region = [Range<u64>];

/// Which voxels of a region belong to each class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassMasks {
    /// The classes, in the order in which the annotation declares them.
    pub class_ids: Vec<i64>,
    /// Extents of the region, in voxels, slowest axis first.
    pub shape: Vec<u64>,
    /// For each class, for each voxel in C order: 1 where it belongs to the class, else 0.
    pub values: Vec<u8>,
}

impl ClassMasks {
    /// All zero. `max` is the most bytes that they may be: a file may declare 65,535 classes.
    pub(super) fn empty(class_ids: Vec<i64>, region: &Region, max: u64) -> Result<Self, ReadError> {
        let shape: Vec<u64> =
            region.iter().map(|range| range.end.saturating_sub(range.start)).collect();
        let bytes =
            shape.iter().fold(class_ids.len() as u64, |n, extent| n.saturating_mul(*extent));
        let what = || format!("bytes of the masks of {} classes", class_ids.len());
        within_read(what, bytes, max)?;
        let values = vec![0; usize::try_from(bytes).unwrap_or(usize::MAX)];
        Ok(Self { class_ids, shape, values })
    }

    /// The masks, class by class.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &[u8])> {
        let voxels = self.values.len() / self.class_ids.len().max(1);
        self.class_ids.iter().copied().zip(self.values.chunks_exact(voxels.max(1)))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (i64, &mut [u8])> {
        let voxels = self.values.len() / self.class_ids.len().max(1);
        self.class_ids.iter().copied().zip(self.values.chunks_exact_mut(voxels.max(1)))
    }
}

impl AnnotationView {
    /// Extents of the voxels that it annotates, slowest axis first; `None` for annotations that are not of voxels.
    ///
    /// # Errors
    /// [`ReadError::File`] when a header or the grid cannot be read.
    pub fn spatial_shape(&self) -> Result<Option<Vec<u64>>, ReadError> {
        let Some(kind) = self.kind()? else { return Ok(None) };
        if let Some(data) = self.dataset("data")? {
            let stacked = usize::from(kind.is_stacked());
            return Ok(data.shape().get(stacked..).map(<[u64]>::to_vec));
        }
        let extents = match self.grid()? {
            Some(grid) if kind == Kind::Instances => grid.spatial_extents()?,
            _ => None,
        };
        Ok(extents.map(|all| all.iter().map(|extent| (*extent).max(0).unsigned_abs()).collect()))
    }

    /// Reads which voxels of `region` belong to each declared class, or to those of `classes` only.
    ///
    /// # Errors
    /// [`ReadError::Value`] for annotations that are not of voxels and regions that are not inside them, [`ReadError::File`] when
    /// the data cannot be read.
    ///
    /// Spec: MEDH5 1.0 §7.1 to §7.5.
    pub fn class_masks(
        &self,
        region: &Region,
        classes: Option<&[i64]>,
    ) -> Result<ClassMasks, ReadError> {
        let mut class_ids = self.class_ids()?.unwrap_or_default();
        if let Some(classes) = classes {
            class_ids.retain(|class| classes.contains(class));
        }
        let max = self.max_read_bytes();
        let mut masks = ClassMasks::empty(class_ids, region, max)?;
        match self.kind()? {
            Some(Kind::Labelmap) => self.paint_labelmap(region, &mut masks)?,
            Some(Kind::Layers) => self.paint_layers(region, &mut masks)?,
            Some(Kind::Bitmask) => self.paint_bitmask(region, &mut masks)?,
            Some(Kind::Probmap) => self.paint_probmap(region, &mut masks)?,
            Some(Kind::Instances) => Instances::read(self)?.paint(region, &mut masks, max)?,
            _ => return Err(self.wrong_kind("has no classes of voxels")),
        }
        Ok(masks)
    }

    /// Reads which voxels of `region` a mask covers: 1 where it does, else 0, in C order.
    ///
    /// # Errors
    /// As [`AnnotationView::class_masks`], for annotations of another kind than `mask`.
    pub fn mask(&self, region: &Region) -> Result<Vec<u8>, ReadError> {
        if self.kind()? != Some(Kind::Mask) {
            return Err(self.wrong_kind("is no mask"));
        }
        let values = labels(&self.data()?, region, None)?;
        Ok(values.iter().map(|value| u8::from(*value != 0)).collect())
    }

    fn paint_labelmap(&self, region: &Region, masks: &mut ClassMasks) -> Result<(), ReadError> {
        let labels = labels(&self.data()?, region, None)?;
        for (class, mask) in masks.iter_mut() {
            mark_equal(&labels, class, mask);
        }
        Ok(())
    }

    fn paint_layers(&self, region: &Region, masks: &mut ClassMasks) -> Result<(), ReadError> {
        let data = self.data()?;
        let table = self.column("layer_class_ids")?.ok_or_else(|| self.lacks("layer_class_ids"))?;
        let classes = values::integers(&table.elements).unwrap_or_default();
        let per_layer =
            classes.len() / data.shape().first().map_or(1, |rows| to_count(*rows)).max(1);
        for (layer, classes) in classes.chunks(per_layer.max(1)).enumerate() {
            if !masks.class_ids.iter().any(|class| classes.contains(class)) {
                continue;
            }
            let labels = labels(&data, region, Some(layer as u64))?;
            for (class, mask) in masks.iter_mut().filter(|(class, _)| classes.contains(class)) {
                mark_equal(&labels, class, mask);
            }
        }
        Ok(())
    }

    fn paint_bitmask(&self, region: &Region, masks: &mut ClassMasks) -> Result<(), ReadError> {
        const WORD: usize = 64;

        let data = self.data()?;
        let bits = self.integers("bit_class_ids")?.ok_or_else(|| self.lacks("bit_class_ids"))?;
        for (plane, classes) in bits.chunks(WORD).enumerate() {
            if !masks.class_ids.iter().any(|class| classes.contains(class)) {
                continue;
            }
            let words = window(&data, region, Some(plane as u64))?;
            let words = values::unsigned_integers(&words.elements).unwrap_or_default();
            for (class, mask) in masks.iter_mut() {
                let Some(bit) = classes.iter().position(|listed| *listed == class) else {
                    continue;
                };
                for (voxel, word) in mask.iter_mut().zip(&words) {
                    *voxel = u8::from(word >> bit & 1 == 1);
                }
            }
        }
        Ok(())
    }

    fn paint_probmap(&self, region: &Region, masks: &mut ClassMasks) -> Result<(), ReadError> {
        let data = self.data()?;
        let threshold = self.stored_threshold(&data)?;
        let planes = self.class_ids()?.unwrap_or_default();
        for (class, mask) in masks.iter_mut() {
            let Some(plane) = planes.iter().position(|listed| *listed == class) else { continue };
            let found = window(&data, region, Some(plane as u64))?;
            let found = values::floats(&found.elements).unwrap_or_default();
            for (voxel, value) in mask.iter_mut().zip(found) {
                *voxel = u8::from(value >= threshold);
            }
        }
        Ok(())
    }

    /// The probability from which a voxel of `data` belongs to a class, at the precision of what is stored.
    pub(super) fn stored_threshold(&self, data: &Dataset) -> Result<f64, ReadError> {
        let threshold = self.attributes().float("threshold")?.unwrap_or(DEFAULT_THRESHOLD);
        #[expect(clippy::cast_possible_truncation, reason = "rounded to what was stored")]
        Ok(match data.datatype().number() {
            Some(NumberType::F16) => f64::from(F16::from_f64(threshold).to_f32()),
            Some(NumberType::F32) => f64::from(threshold as f32),
            _ => threshold,
        })
    }

    /// The most bytes that one call may return.
    pub(super) fn max_read_bytes(&self) -> u64 {
        self.sample().root().limits().max_read_bytes
    }

    pub(super) fn data(&self) -> Result<Dataset, ReadError> {
        self.dataset("data")?.ok_or_else(|| self.lacks("data"))
    }

    pub(super) fn lacks(&self, dataset: &str) -> ReadError {
        ReadError::value(format!("{} has no `{dataset}`", self.path()))
    }

    pub(super) fn wrong_kind(&self, what: &str) -> ReadError {
        ReadError::value(format!("{} {what}", self.path()))
    }
}

/// Refuses what one call must not come to.
pub(super) fn within_read(
    what: impl FnOnce() -> String,
    found: u64,
    max: u64,
) -> Result<(), ReadError> {
    if found <= max {
        return Ok(());
    }
    Err(ReadError::Limit { what: what(), found, limit: "max_read_bytes", max })
}

pub(super) fn labels(
    data: &Dataset,
    region: &Region,
    plane: Option<u64>,
) -> Result<Vec<u16>, ReadError> {
    let array = window(data, region, plane)?;
    Ok(match array.elements {
        Elements::U8(values) => values.into_iter().map(u16::from).collect(),
        Elements::U16(values) => values,
        other => {
            let narrow = |value: &u64| u16::try_from(*value).unwrap_or(0);
            values::unsigned_integers(&other).unwrap_or_default().iter().map(narrow).collect()
        }
    })
}

fn window(data: &Dataset, region: &Region, plane: Option<u64>) -> Result<Array, ReadError> {
    let starts = plane.into_iter().chain(region.iter().map(|range| range.start));
    let extents = region.iter().map(|range| range.end.saturating_sub(range.start));
    let start: Vec<u64> = starts.collect();
    let shape: Vec<u64> = plane.map(|_| 1).into_iter().chain(extents).collect();
    Ok(data.read_window(&Window::new(&start, &shape))?)
}

fn mark_equal(labels: &[u16], class: i64, mask: &mut [u8]) {
    let Ok(class) = u16::try_from(class) else { return };
    for (voxel, label) in mask.iter_mut().zip(labels) {
        *voxel |= u8::from(*label == class);
    }
}

fn to_count(extent: u64) -> usize {
    usize::try_from(extent).unwrap_or(usize::MAX)
}

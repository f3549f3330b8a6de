//! Voxels about which an annotation says nothing. Spec: MEDH5 1.0 §7.8.

use super::class_masks::{Region, labels};
use super::{AnnotationView, Kind};
use crate::ReadError;
use crate::sample::Chapter;

impl AnnotationView {
    /// The name of the mask of what is to be ignored, if it names one.
    ///
    /// # Errors
    /// As [`crate::attributes::Attributes::value`].
    pub fn ignore_mask(&self) -> Result<Option<String>, ReadError> {
        self.attributes().text("ignore_mask")
    }

    /// Which voxels of `region` are to be ignored: 1 where the mask it names says so, or a label is the ignored value; in C
    /// order. `None` when it ignores none.
    ///
    /// # Errors
    /// As [`AnnotationView::class_masks`].
    pub fn ignored(&self, region: &Region) -> Result<Option<Vec<u8>>, ReadError> {
        let mut ignored: Option<Vec<u8>> = None;
        if let Some(name) = self.ignore_mask()?
            && self.sample().child(Chapter::Annotations, &name)?.is_some()
            && let Some(mask) = self.sample().annotation(&name)?
        {
            ignored = Some(mask.mask(region)?);
        }
        let Ok(value) = u16::try_from(self.ignore_id()?) else { return Ok(ignored) };
        // All layers in one read, which the limits bound: a file may claim 2^60 of them.
        let layers = match self.kind()? {
            Some(Kind::Labelmap) => None,
            Some(Kind::Layers) => Some(0..self.data()?.shape().first().copied().unwrap_or(0)),
            _ => return Ok(ignored),
        };
        let whole: Vec<_> = layers.into_iter().chain(region.iter().cloned()).collect();
        let labels = labels(&self.data()?, &whole, None)?;
        if labels.contains(&value) {
            let voxels =
                region.iter().fold(1, |n, range| n * range.end.saturating_sub(range.start));
            let voxels = usize::try_from(voxels).unwrap_or(usize::MAX);
            let all = ignored.get_or_insert_with(|| vec![0; voxels]);
            for plane in labels.chunks(voxels) {
                for (voxel, label) in all.iter_mut().zip(plane) {
                    *voxel |= u8::from(*label == value);
                }
            }
        }
        Ok(ignored)
    }
}

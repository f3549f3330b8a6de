//! Instances as voxels: boxes, and inside them masks of one bit per voxel. Spec: MEDH5 1.0 §7.4.

use std::ops::Range;

use super::class_masks::{ClassMasks, Region, within_read};
use super::{AnnotationView, Bound, boxes_of};
use crate::ReadError;

/// First voxel of a box along one axis: the one that holds its low bound, counted from voxel edges.
#[expect(clippy::cast_possible_truncation, reason = "bounds beyond 2^63 saturate")]
fn voxel_of(bound: f64) -> i64 {
    (bound + 0.5).floor() as i64
}

/// Number of voxels that a box covers along one axis.
pub(crate) fn crop_extent([low, high]: Bound) -> i64 {
    voxel_of(high).saturating_sub(voxel_of(low))
}

/// The instances of an annotation, with their masks.
#[derive(Debug)]
pub(super) struct Instances {
    boxes: Vec<Vec<Bound>>,
    classes: Vec<i64>,
    bits: Option<Bits>,
}

impl Instances {
    pub(super) fn read(view: &AnnotationView) -> Result<Self, ReadError> {
        let boxes = boxes_of(view)?.ok_or_else(|| view.lacks("boxes"))?;
        let classes = view.integers("class_ids")?.ok_or_else(|| view.lacks("class_ids"))?;
        Ok(Self { boxes, classes, bits: Bits::read(view)? })
    }

    /// Marks the voxels of all instances inside `region`, `max` at most: a million boxes may cover all of it each. An instance
    /// without a mask fills its box.
    pub(super) fn paint(
        &self,
        region: &Region,
        masks: &mut ClassMasks,
        max: u64,
    ) -> Result<(), ReadError> {
        let voxels = |bounds: &Vec<Bound>| {
            let axes = bounds.iter().zip(region).map(|(bound, range)| Axis::of(*bound, range));
            axes.fold(1_u64, |n, axis| n.saturating_mul(axis.count().unsigned_abs()))
        };
        let all = self.boxes.iter().fold(0_u64, |n, bounds| n.saturating_add(voxels(bounds)));
        within_read(|| format!("voxels of {} instances", self.boxes.len()), all, max)?;
        for (class, mask) in masks.iter_mut() {
            self.paint_class(class, region, mask);
        }
        Ok(())
    }

    /// The same for one class.
    pub(super) fn paint_class(&self, class: i64, region: &Region, mask: &mut [u8]) {
        for (index, bounds) in self.of(class) {
            paint(bounds, self.bits.as_ref().map(|bits| bits.of(index)), region, mask);
        }
    }

    /// The part of `region` that the boxes of some classes reach into; `None` when they do not.
    pub(super) fn reach(&self, classes: &[i64], region: &Region) -> Option<Vec<Range<u64>>> {
        let mut reach: Option<Vec<Range<u64>>> = None;
        for (_, bounds) in classes.iter().flat_map(|class| self.of(*class)) {
            let axes = bounds.iter().zip(region).map(|(bound, range)| Axis::of(*bound, range));
            let unsigned = |place: i64| place.max(0).unsigned_abs();
            let part: Vec<Range<u64>> =
                axes.map(|axis| unsigned(axis.start)..unsigned(axis.end)).collect();
            if part.iter().any(Range::is_empty) {
                continue;
            }
            reach = Some(match reach {
                None => part,
                Some(all) => all
                    .iter()
                    .zip(&part)
                    .map(|(all, part)| all.start.min(part.start)..all.end.max(part.end))
                    .collect(),
            });
        }
        reach
    }

    fn of(&self, class: i64) -> impl Iterator<Item = (usize, &Vec<Bound>)> {
        let all = self.boxes.iter().zip(&self.classes).enumerate();
        all.filter(move |(_, (_, own))| **own == class).map(|(index, (bounds, _))| (index, bounds))
    }
}

/// The packed masks of all instances, the first voxel in the highest bit.
#[derive(Debug)]
struct Bits {
    offsets: Vec<i64>,
    bytes: Vec<u8>,
}

impl Bits {
    fn read(view: &AnnotationView) -> Result<Option<Self>, ReadError> {
        let (Some(offsets), Some(bytes)) =
            (view.integers("mask_offsets")?, view.integers("mask_data")?)
        else {
            return Ok(None);
        };
        let bytes = bytes.into_iter().map(|byte| u8::try_from(byte).unwrap_or(0)).collect();
        Ok(Some(Self { offsets, bytes }))
    }

    fn of(&self, index: usize) -> &[u8] {
        let at = |index: usize| usize::try_from(*self.offsets.get(index)?).ok();
        let range = at(index).zip(at(index + 1));
        range.and_then(|(start, end)| self.bytes.get(start..end)).unwrap_or_default()
    }
}

fn paint(bounds: &[Bound], bits: Option<&[u8]>, region: &Region, mask: &mut [u8]) {
    let is_set = |voxel: usize| {
        bits.is_none_or(|bits| {
            bits.get(voxel / 8).is_some_and(|byte| byte >> (7 - voxel % 8) & 1 == 1)
        })
    };
    let axes: Vec<Axis> =
        bounds.iter().zip(region).map(|(bound, range)| Axis::of(*bound, range)).collect();
    if axes.iter().any(|axis| axis.extent <= 0) {
        return;
    }
    // Voxels are taken inside both the box and the region, so that a box beyond the grid costs nothing.
    let counts: Vec<i64> = axes.iter().map(Axis::count).collect();
    let total = counts.iter().fold(1_i64, |n, count| n.saturating_mul(*count));
    for step in 0..total {
        let (mut rest, mut in_box, mut in_region, mut box_stride, mut region_stride) =
            (step, 0, 0, 1, 1);
        for (axis, count) in axes.iter().zip(&counts).rev() {
            let place = axis.start + rest % count;
            rest /= count;
            // A box may be of any size; what does not fit is beyond every mask.
            let from_box = place.saturating_sub(axis.box_start).saturating_mul(box_stride);
            in_box = from_box.saturating_add(in_box);
            in_region += (place - axis.region_start) * region_stride;
            box_stride = axis.extent.saturating_mul(box_stride);
            region_stride *= axis.region_extent;
        }
        let place = usize::try_from(in_region).ok().and_then(|place| mask.get_mut(place));
        if let (Some(voxel), Ok(bit)) = (place, usize::try_from(in_box))
            && is_set(bit)
        {
            *voxel = 1;
        }
    }
}

/// Box and region along one axis, in voxels.
struct Axis {
    box_start: i64,
    extent: i64,
    region_start: i64,
    region_extent: i64,
    /// Where both are.
    start: i64,
    end: i64,
}

impl Axis {
    fn of(bound: Bound, region: &Range<u64>) -> Self {
        let signed = |place: u64| i64::try_from(place).unwrap_or(i64::MAX);
        let (region_start, region_end) = (signed(region.start), signed(region.end));
        let (box_start, extent) = (voxel_of(bound[0]), crop_extent(bound));
        let start = box_start.max(region_start);
        let end = voxel_of(bound[1]).min(region_end).max(start);
        let region_extent = region_end - region_start;
        Self { box_start, extent, region_start, region_extent, start, end }
    }

    /// Voxels that are in both.
    fn count(&self) -> i64 {
        self.end - self.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_run_from_the_highest() {
        // A box of 2 × 3 voxels from (1, 1); the mask is 101 / 010.
        let bounds = [[0.5, 2.5], [0.5, 3.5]];
        let mut mask = [0; 16];
        paint(&bounds, Some(&[0b1010_1000]), &[0..4, 0..4], &mut mask);
        assert_eq!(mask, [0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn regions_cut_boxes() {
        let bounds = [[-2.5, 1.5], [0.5, 9.5]];
        let mut mask = [0; 4];
        paint(&bounds, None, &[1..3, 0..2], &mut mask);
        assert_eq!(mask, [0, 1, 0, 0]);
    }

    #[test]
    fn boxes_of_any_size_are_painted() {
        let bounds = [[-1e300, 1e300], [f64::NEG_INFINITY, 1.5]];
        let mut mask = [0; 6];
        paint(&bounds, None, &[0..2, 0..3], &mut mask);
        assert_eq!(mask, [1, 1, 0, 1, 1, 0]);
        paint(&[[f64::NAN, 5.0], [9e18, 1e19]], None, &[0..2, 0..3], &mut mask);
        assert_eq!(mask, [1, 1, 0, 1, 1, 0]);
    }

    #[test]
    fn instances_that_cover_one_another_without_end_are_refused() {
        let instances =
            Instances { boxes: vec![vec![[-0.5, 9.5]; 2]; 50], classes: vec![1; 50], bits: None };
        let region = [0..10, 0..10];
        let mut masks = ClassMasks::empty(vec![1], &region, 100).unwrap();
        let error = instances.paint(&region, &mut masks, 4_999).unwrap_err();
        assert!(error.to_string().contains("5000 is over the limit `max_read_bytes`"), "{error}");
        assert_eq!(instances.paint(&region, &mut masks, 5_000), Ok(()));
        assert!(ClassMasks::empty(vec![1, 2], &region, 100).is_err());
    }

    #[test]
    fn extents_count_voxels() {
        assert_eq!(crop_extent([1.5, 5.5]), 4);
        assert_eq!(crop_extent([2.0, 2.0]), 0);
        assert_eq!(crop_extent([0.0, f64::INFINITY]), i64::MAX);
    }
}

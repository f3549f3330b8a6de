//! One object per class: its box, and inside it one bit per voxel. Spec: MEDH5 1.0 §7.4.

use hdf5::NumberType;

use super::Choice;
use crate::annotations::Kind;
use crate::write::shapes::{f32s, i32s, instance_ids, u16s};
use crate::write::{Header, NewAnnotation, NewArray, WriteError};

/// An object and its mask.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Its class.
    pub class_id: u16,
    /// Which physical object it is; the same at every timepoint.
    pub instance_id: u64,
    /// Its first voxel along each axis.
    pub start: Vec<u64>,
    /// Extent of its mask along each axis, in voxels.
    pub shape: Vec<u64>,
    /// Its mask, one byte per voxel, in C order.
    pub mask: Vec<u8>,
    /// How sure it is.
    pub score: Option<f64>,
}

impl Choice<'_> {
    pub(super) fn instances(
        &self,
        header: Header,
        first_instance: u64,
    ) -> Result<NewAnnotation, WriteError> {
        let mut objects = Vec::new();
        let classes = self.masks.classes.iter().zip(&self.survey.bounds).enumerate();
        for (at, (class, bounds)) in classes {
            let Some(bounds) = bounds else { continue };
            let start: Vec<u64> = bounds.iter().map(|[low, _]| *low).collect();
            let shape: Vec<u64> = bounds.iter().map(|[low, high]| high - low + 1).collect();
            let mask = self.masks.read(at, &start, &shape)?;
            let instance_id = first_instance + objects.len() as u64;
            objects.push(Instance {
                class_id: *class,
                instance_id,
                start,
                shape,
                mask,
                score: None,
            });
        }
        NewAnnotation::instances(header, self.masks.shape().len(), &objects)
    }
}

impl NewAnnotation {
    /// Objects with masks, on a grid of `axes` spatial axes.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when a mask is not of its shape, or only some objects have a score.
    pub fn instances(
        header: Header,
        axes: usize,
        objects: &[Instance],
    ) -> Result<Self, WriteError> {
        let count = objects.len() as u64;
        let (mut offsets, mut bits) = (vec![0_u64], Vec::new());
        for object in objects {
            let voxels = object.shape.iter().product::<u64>();
            if object.mask.len() as u64 != voxels
                || object.start.len() != axes
                || object.shape.len() != axes
            {
                let id = object.instance_id;
                return Err(WriteError::refused(format!(
                    "the mask of instance {id} is not of its shape"
                )));
            }
            bits.extend(object.mask.chunks(8).map(packed));
            offsets.push(bits.len() as u64);
        }
        #[expect(clippy::cast_precision_loss, reason = "the format stores single precision")]
        let bounds = objects.iter().flat_map(|object| {
            let axes = object.start.iter().zip(&object.shape);
            axes.flat_map(|(start, extent)| [*start as f64 - 0.5, (start + extent) as f64 - 0.5])
        });
        let classes: Vec<u16> = objects.iter().map(|object| object.class_id).collect();
        let ids: Vec<u64> = objects.iter().map(|object| object.instance_id).collect();
        let shapes = objects.iter().flat_map(|object| &object.shape);
        let shapes = shapes.map(|extent| i32::try_from(*extent).unwrap_or(i32::MAX));
        let offset_bytes = offsets.iter().flat_map(|offset| offset.to_le_bytes()).collect();
        let bit_count = bits.len() as u64;
        let mut one = Self::of(Kind::Instances, header)
            .column("boxes", f32s(&[count, axes as u64, 2], bounds)?)
            .column("class_ids", u16s(&classes)?)
            .column("instance_ids", instance_ids(&ids)?)
            .column("mask_offsets", NewArray::numbers(NumberType::U64, &[count + 1], offset_bytes)?)
            .column("mask_shapes", i32s(&[count, axes as u64], shapes)?)
            .column("mask_data", NewArray::numbers(NumberType::U8, &[bit_count], bits)?);
        let scores: Vec<f64> = objects.iter().filter_map(|object| object.score).collect();
        if scores.len() == objects.len() && !scores.is_empty() {
            one = one.column("scores", f32s(&[count], scores.into_iter())?);
        } else if !scores.is_empty() {
            return Err(WriteError::refused("some instances have a score, others none"));
        }
        Ok(one.declare(classes))
    }
}

/// Up to eight voxels in a byte, the first in its highest bit.
fn packed(marks: &[u8]) -> u8 {
    marks.iter().enumerate().fold(0, |byte, (at, mark)| byte | u8::from(*mark != 0) << (7 - at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn voxels_are_packed_from_the_highest_bit() {
        assert_eq!(packed(&[1, 0, 1, 0, 1, 0]), 0b1010_1000);
        assert_eq!(packed(&[0, 0, 0, 0, 0, 0, 0, 9]), 1);
    }

    #[test]
    fn masks_must_have_their_shape() {
        let object = Instance {
            class_id: 3,
            instance_id: 7,
            start: vec![1, 2],
            shape: vec![2, 2],
            mask: vec![1; 3],
            score: None,
        };
        let refused = NewAnnotation::instances(Header::default(), 2, &[object]).unwrap_err();
        assert_eq!(refused.to_string(), "the mask of instance 7 is not of its shape");
        assert!(NewAnnotation::instances(Header::default(), 2, &[]).is_ok());
    }
}

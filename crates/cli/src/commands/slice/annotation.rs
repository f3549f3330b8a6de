//! A plane of an annotation.

use hdf5::{Array, Elements};
use medh5::ReadError;
use medh5::annotations::{AnnotationView, Kind, Region};
use medh5::labels::LabelSet;

use super::picture::Picture;
use super::space::Space;
use super::{Place, Plane};
use crate::class;
use crate::exit::Failure;

/// The plane that is asked for.
///
/// # Errors
/// [`Failure::Usage`] when an option does not fit this annotation, [`Failure::Failed`] when it cannot be read.
pub(super) fn plane(
    annotation: &AnnotationView,
    labels: Option<&LabelSet>,
    wanted: &Place,
) -> Result<Plane, Failure> {
    let path = annotation.path();
    if let Some(option) = image_option(wanted) {
        return Err(Failure::Usage(format!("{option} is for images, {path} is an annotation")));
    }
    let no_voxels = || Failure::Usage(format!("{path} is not an annotation of voxels"));
    let shape = annotation.spatial_shape()?.ok_or_else(no_voxels)?;
    let class =
        wanted.class.as_ref().map(|name| one_class(name, annotation, labels)).transpose()?;
    let space = Space::of(annotation.grid()?.as_ref(), &shape)?;
    let across = space.plane(wanted)?;
    let mut region: Vec<_> = shape.iter().map(|&extent| 0..extent).collect();
    let mut extents = shape.clone();
    if shape.len() > 2 {
        if let Some(range) = region.get_mut(across.axis) {
            *range = across.index..across.index + 1;
        }
        extents.remove(across.axis);
    }
    let ids = class_ids(annotation, &region, class)?;
    let picture = Picture::of_classes(&extents, &ids, labels);
    let values = Array { shape: extents, elements: Elements::U16(ids) };
    Ok(Plane { values, picture, scale: space.scale(&across) })
}

/// An option that says nothing about annotations.
fn image_option(wanted: &Place) -> Option<&'static str> {
    let given = [
        ("--outer", !wanted.outer.is_empty()),
        ("--level", wanted.level.is_some()),
        ("--center", wanted.center.is_some()),
    ];
    given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
}

/// The class by its id or key, if the annotation declares it.
fn one_class(
    name: &str,
    annotation: &AnnotationView,
    labels: Option<&LabelSet>,
) -> Result<i64, Failure> {
    let id = class::id(name, labels)?;
    let declared = annotation.class_set()?;
    if declared.contains(&id) {
        return Ok(id);
    }
    let known: Vec<_> = declared.into_iter().map(|id| class::name(id, labels)).collect();
    let known = if known.is_empty() { "none".into() } else { known.join(", ") };
    Err(Failure::Usage(format!("{} has no class `{name}` (it has: {known})", annotation.path())))
}

/// The class of each voxel, 0 for none; where classes overlap, the one declared last.
fn class_ids(
    annotation: &AnnotationView,
    region: &Region,
    class: Option<i64>,
) -> Result<Vec<u16>, ReadError> {
    if annotation.kind()? == Some(Kind::Mask) {
        return Ok(annotation.mask(region)?.into_iter().map(u16::from).collect());
    }
    let masks = annotation.class_masks(region, class.as_ref().map(std::slice::from_ref))?;
    let voxels: u64 = masks.shape.iter().product();
    let mut ids = vec![0; usize::try_from(voxels).unwrap_or(0)];
    for (class, mask) in masks.iter() {
        let class = u16::try_from(class).unwrap_or(0);
        for (id, &inside) in ids.iter_mut().zip(mask) {
            if inside != 0 {
                *id = class;
            }
        }
    }
    Ok(ids)
}

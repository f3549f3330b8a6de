//! A plane of an image.

use hdf5::Dataset;
use medh5::geometry::{AxisKind, GridView};
use medh5::images::{ImageView, PlaneIndex};
use medh5::{ReadError, Sample, values};

use super::picture::Picture;
use super::space::{Space, places};
use super::{Place, Plane};
use crate::exit::Failure;

/// The plane that is asked for.
///
/// # Errors
/// [`Failure::Usage`] when an option does not fit this image, [`Failure::Failed`] when it cannot be read.
pub(super) fn plane(sample: &Sample, image: &ImageView, wanted: &Place) -> Result<Plane, Failure> {
    if wanted.class.is_some() {
        let message = format!("--class is for annotations, {} is an image", image.path());
        return Err(Failure::Usage(message));
    }
    let number = wanted.level.unwrap_or(0);
    let shape = level(image, number)?.shape().to_vec();
    let grid = image.grid()?;
    let kinds = grid.as_ref().map(GridView::known_axis_kinds).transpose()?.flatten();
    outer(&wanted.outer, &kinds.unwrap_or_default(), &shape)?;
    let space = Space::of(level_grid(sample, image, number)?.or(grid).as_ref(), &shape)?;
    let across = space.plane(wanted)?;
    let index = PlaneIndex { axis: across.axis, index: across.index, outer: wanted.outer.clone() };
    let values = image.plane(number, &index)?;
    let (slope, intercept) = image.rescale()?;
    let stored = values::floats(&values.elements)
        .ok_or_else(|| ReadError::value(format!("{} holds no numbers", image.path())))?;
    let rescaled: Vec<f64> = stored.iter().map(|value| value * slope + intercept).collect();
    let window = wanted.center.zip(wanted.width);
    let window = if window.is_some() { window } else { image.display_window()? };
    let picture = Picture::of_image(&values.shape, &rescaled, window);
    Ok(Plane { values, picture, scale: space.scale(&across) })
}

fn level(image: &ImageView, number: usize) -> Result<Dataset, Failure> {
    if let Some(data) = image.level(number)? {
        return Ok(data);
    }
    if !image.is_pyramid() {
        let message = format!("--level {number}: {} is no pyramid, it has one level", image.path());
        return Err(Failure::Usage(message));
    }
    let mut known: Vec<_> = image.stored_levels()?.into_iter().map(|(name, _)| name).collect();
    known.sort_by_key(|name| (name.len(), name.clone()));
    Err(Failure::Usage(format!(
        "--level {number}: {} has no such level (known: {})",
        image.path(),
        known.join(", ")
    )))
}

/// The grid of a coarser level.
fn level_grid(
    sample: &Sample,
    image: &ImageView,
    number: usize,
) -> Result<Option<GridView>, ReadError> {
    let names = if number == 0 { None } else { image.level_grids()? };
    match names.as_ref().and_then(|names| names.get(number)) {
        Some(name) => sample.grid(name),
        None => Ok(None),
    }
}

/// Checks the places along the axes that are neither spatial nor of channels.
fn outer(wanted: &[u64], kinds: &[AxisKind], shape: &[u64]) -> Result<(), Failure> {
    let is_outer = |kind: &AxisKind| matches!(kind, AxisKind::Time | AxisKind::Other);
    let extents: Vec<u64> =
        kinds.iter().zip(shape).filter(|(kind, _)| is_outer(kind)).map(|(_, n)| *n).collect();
    if wanted.len() > extents.len() {
        return Err(Failure::Usage(match extents.len() {
            0 => "--outer: there is no axis besides those of space and channels".into(),
            count => format!("--outer: there are {count} axes besides those of space and channels"),
        }));
    }
    for (place, &extent) in wanted.iter().zip(&extents) {
        if *place >= extent {
            let known = places(extent);
            return Err(Failure::Usage(format!("--outer {place}: that axis has {known}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outer_places_must_exist() {
        use AxisKind::{Channel, Spatial, Time};
        let kinds = [Time, Channel, Spatial, Spatial];
        let check = |wanted: &[u64]| outer(wanted, &kinds, &[4, 3, 10, 10]);
        assert!(check(&[]).is_ok() && check(&[3]).is_ok());
        assert!(matches!(check(&[4]), Err(Failure::Usage(message)) if message.contains("0 to 3")));
        assert!(matches!(check(&[0, 0]), Err(Failure::Usage(_))));
        assert!(matches!(outer(&[0], &[Spatial; 3], &[4; 3]), Err(Failure::Usage(_))));
    }
}

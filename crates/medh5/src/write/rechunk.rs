//! Which chunks stored data would get if it were written now: by the grid that it lies on. Spec: MEDH5 1.0 §14.1.

use hdf5::Dataset;

use crate::ReadError;
use crate::geometry::Grid;
use crate::sample::Sample;
use crate::storage::{ChunkBudget, fitted_chunk, grid_chunk, guessed_chunk};
use crate::transforms::TransformKind;

/// The chunk for the dataset at `path` of a sample.
///
/// Data that does not lie on a sound grid gets the guess for data without one.
///
/// # Errors
/// [`ReadError::File`] when attributes on the way cannot be read.
pub(super) fn chunk_for(
    sample: &Sample,
    path: &str,
    dataset: &Dataset,
    budget: ChunkBudget,
) -> Result<Vec<u64>, ReadError> {
    let (shape, size) = (dataset.shape(), u64::from(dataset.datatype().size));
    let place = place_of(sample, path)?;
    let found = match &place {
        Some(Place::Whole(grid)) => {
            let stacked = shape.len().checked_sub(grid.axes.len());
            stacked.map(|stacked| grid_chunk(grid, stacked, size, budget))
        }
        Some(Place::Components(grid)) => {
            let spatial = grid_chunk(grid, 0, size, budget);
            let spatial = spatial.get(grid.axes.len() - grid.spatial_shape().len()..);
            let chunk = [&[1], spatial.unwrap_or_default()].concat();
            (chunk.len() == shape.len()).then_some(chunk)
        }
        None => None,
    };
    let fitted = found.and_then(|chunk| fitted_chunk(&chunk, shape));
    Ok(fitted.unwrap_or_else(|| guessed_chunk(shape, size)))
}

/// How data lies on a grid.
enum Place {
    /// Along all its axes, perhaps with others before them.
    Whole(Grid),
    /// One component after the other, each along its spatial axes.
    Components(Grid),
}

fn place_of(sample: &Sample, path: &str) -> Result<Option<Place>, ReadError> {
    let parts: Vec<&str> = path.split('/').collect();
    let (reference, is_whole) = match parts[..] {
        ["images", name] => (image_grid(sample, name, None)?, true),
        ["images", name, level] => (image_grid(sample, name, level.parse().ok())?, true),
        ["annotations", name, "data"] => (annotation_grid(sample, name)?, true),
        ["index", name, "occupancy"] => (annotation_grid(sample, name)?, false),
        ["transforms", name, dataset] => (transform_grid(sample, name, dataset)?, false),
        _ => (None, false),
    };
    let Some(view) = reference.map(|name| sample.grid(&name)).transpose()?.flatten() else {
        return Ok(None);
    };
    match view.grid() {
        Ok(grid) if is_whole => Ok(Some(Place::Whole(grid))),
        Ok(grid) => Ok(Some(Place::Components(grid))),
        Err(ReadError::Value { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The grid of an image, or of a level of a pyramid.
fn image_grid(
    sample: &Sample,
    name: &str,
    level: Option<usize>,
) -> Result<Option<String>, ReadError> {
    let Some(image) = sample.image(name)? else { return Ok(None) };
    match level {
        None => image.grid_reference(),
        Some(level) => Ok(image.level_grids()?.and_then(|grids| grids.get(level).cloned())),
    }
}

fn annotation_grid(sample: &Sample, name: &str) -> Result<Option<String>, ReadError> {
    sample.annotation(name)?.map_or(Ok(None), |annotation| annotation.grid_reference())
}

fn transform_grid(sample: &Sample, name: &str, dataset: &str) -> Result<Option<String>, ReadError> {
    let Some(transform) = sample.transform(name)? else { return Ok(None) };
    match transform.kind()?.and_then(TransformKind::field) {
        Some(field) if field.dataset == dataset => {
            transform.attributes().text(field.grid_attribute)
        }
        _ => Ok(None),
    }
}

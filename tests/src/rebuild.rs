//! A sample taken apart by our readers and put together again by our writer: the same content, so the same `content_id`.

mod annotations;
mod clinical;

use std::path::Path;

use medh5::geometry::Grid;
use medh5::images::ImageView;
use medh5::json::{self, Value};
use medh5::sample::Chapter;
use medh5::transforms::TransformView;
use medh5::write::{Field, Levels, Map, NewArray, NewImage, NewSample, NewTransform};
use medh5::{Opened, Sample};

/// What cannot be put together; a sentence.
pub type Reason = String;

/// Opens the sample at `path`.
///
/// # Panics
/// When it is none.
pub fn open(path: &Path) -> Sample {
    let source = hdf5::FileSource::open(path).expect("a file");
    match medh5::open(source).unwrap_or_else(|error| panic!("{}: {error}", path.display())) {
        Opened::Sample(sample) => sample,
        Opened::Collection(_) => panic!("{}: a collection", path.display()),
    }
}

/// The same sample, to be written.
///
/// # Errors
/// Why it holds something that the builder does not offer.
pub fn rebuild(sample: &Sample) -> Result<NewSample, Reason> {
    let text = sample.document_text().map_err(said)?.ok_or("no document")?;
    let Value::Object(document) = json::parse(&text).map_err(said)? else {
        return Err("the document is no object".into());
    };
    let mut new = NewSample::new("sample", "subject");
    new.document = document;
    new.profiles = sample.attributes().strings("medh5_profiles").map_err(said)?.unwrap_or_default();
    for grid in sample.grids().map_err(said)? {
        new.grids.insert(grid.name().to_owned(), Grid::read(&grid).map_err(said)?);
    }
    for image in sample.images().map_err(said)? {
        new.images.insert(image.name().to_owned(), rebuild_image(&image)?);
    }
    for annotation in sample.annotations().map_err(said)? {
        let built = annotations::rebuild(&annotation)?;
        new.annotations.insert(annotation.name().to_owned(), built);
    }
    for transform in sample.transforms().map_err(said)? {
        new.transforms.insert(transform.name().to_owned(), rebuild_transform(&transform)?);
    }
    if !sample.indexed_annotations().map_err(said)?.is_empty() {
        new.index = Some(medh5::index::IndexOptions::default());
    }
    new.history = sample
        .history()
        .map_err(said)?
        .map(|history| clinical::rebuild(sample, history))
        .transpose()?;
    Ok(new)
}

fn rebuild_image(image: &ImageView) -> Result<NewImage, Reason> {
    let attributes = image.attributes();
    let grid = image.grid_reference().map_err(said)?.ok_or("an image without a grid")?;
    let modality = image.modality().map_err(said)?.unwrap_or_default();
    let level = |at: usize| -> Result<NewArray, Reason> {
        let data = image.level(at).map_err(said)?.ok_or("a level without values")?;
        NewArray::try_from(data.read().map_err(said)?).map_err(said)
    };
    let mut new = NewImage::new(&grid, &modality, level(0)?);
    new.value_type = image.value_type().map_err(said)?.unwrap_or_default();
    new.channel_names = image.channel_names().map_err(said)?;
    new.value_units = image.value_units().map_err(said)?;
    new.rescale_slope = attributes.float("rescale_slope").map_err(said)?;
    new.rescale_intercept = attributes.float("rescale_intercept").map_err(said)?;
    new.window_center = attributes.floats("window_center").map_err(said)?;
    new.window_width = attributes.floats("window_width").map_err(said)?;
    new.valid_mask = attributes.text("valid_mask").map_err(said)?;
    new.prov = attributes.text("prov").map_err(said)?;
    if let Some(grids) = image.level_grids().map_err(said)? {
        let factors = image.downsample_factors().map_err(said)?.ok_or("no factors")?;
        new.levels = Levels::Pyramid {
            levels: (0..grids.len()).map(level).collect::<Result<_, _>>()?,
            factors: factors.values.chunks(factors.columns).map(<[f64]>::to_vec).collect(),
            method: attributes.text("downsample_method").map_err(said)?.unwrap_or_default(),
            grids,
        };
    }
    Ok(new)
}

fn rebuild_transform(transform: &TransformView) -> Result<NewTransform, Reason> {
    let attributes = transform.attributes();
    let text = |name: &str| attributes.text(name).map_err(said);
    let dataset = |name: &str| -> Result<hdf5::Array, Reason> {
        let found = transform.dataset(name).map_err(said)?.ok_or("a transform without its data")?;
        found.read().map_err(said)
    };
    let field = |name: &str, grid: &str| -> Result<Field, Reason> {
        Ok(Field {
            values: NewArray::try_from(dataset(name)?).map_err(said)?,
            grid: text(grid)?.unwrap_or_default(),
            vector_space: text("vector_space")?.unwrap_or_default(),
            interpolation: text("interpolation")?,
            extrapolation: text("extrapolation")?,
        })
    };
    let map = match text("kind")?.as_deref() {
        Some("identity") => Map::Identity,
        Some("affine") => {
            let matrix = dataset("matrix")?;
            let values = medh5::values::floats(&matrix.elements).ok_or("a matrix of no numbers")?;
            let columns = usize::try_from(matrix.shape[1]).map_err(said)?;
            Map::Affine(values.chunks(columns).map(<[f64]>::to_vec).collect())
        }
        Some("displacement") => Map::Displacement(field("field", "field_grid")?),
        Some("bspline") => {
            let order = attributes.integer("order").map_err(said)?.unwrap_or(3);
            Map::Bspline { points: field("control_points", "cp_grid")?, order }
        }
        Some("composite") => {
            Map::Composite(attributes.strings("components").map_err(said)?.unwrap_or_default())
        }
        other => return Err(format!("the transform kind {other:?}")),
    };
    Ok(NewTransform {
        from_frame: text("from_frame")?.unwrap_or_default(),
        to_frame: text("to_frame")?.unwrap_or_default(),
        map,
        units: text("units")?.unwrap_or_default(),
        from_grid: text("from_grid")?,
        to_grid: text("to_grid")?,
        invertible: attributes.boolean("invertible").map_err(said)?,
        inverse_id: text("inverse_id")?,
        prov: text("prov")?,
        metrics: text("metrics")?,
    })
}

/// The members of a chapter, to tell what a sample covers.
///
/// # Panics
/// When it cannot be read.
pub fn kinds(sample: &Sample, chapter: Chapter) -> Vec<String> {
    let children = sample.children(chapter).expect("a sound sample");
    children.iter().filter_map(|child| child.attributes().text("kind").ok().flatten()).collect()
}

fn said(error: impl std::fmt::Display) -> Reason {
    error.to_string()
}

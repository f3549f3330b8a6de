//! Images, one by one.

use hdf5::{Dataset, Dataspace, NumberType};

use crate::ReadError;
use crate::geometry::{AxisKind, GridView};
use crate::images::{ImageView, VALUE_TYPES};
use crate::sample::{Chapter, ChapterState};
use crate::validate::scan::ElementTest;
use crate::validate::{Context, Findings, Level, Rule, codes};
use crate::values::{ElementKind, dtype_name};

pub(in crate::validate) const RULE: Rule = Rule::new("check_images", Level::Structural, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let images = context.sample.images()?;
    some_image(context, &images, out)?;
    out.each(&images, |image, out| check_image(context, image, out))
}

fn check_image(
    context: &Context<'_>,
    image: &ImageView,
    out: &mut Findings,
) -> Result<(), ReadError> {
    numeric_data(image, out)?;
    required_attributes(image, out)?;
    value_type(context, image, out)?;
    let Some(grid) = grid(image, out)? else { return Ok(()) };
    let Some(data) = data(image, out)? else { return Ok(()) };
    shape(image, &data, &grid, out)?;
    channel_names(image, &grid, out)?;
    integral_floats(context, image, &data, out)
}

/// E201: `images` holds an image.
fn some_image(
    context: &Context<'_>,
    images: &[ImageView],
    out: &mut Findings,
) -> Result<(), ReadError> {
    if let ChapterState::Group(_) = context.sample.chapter(Chapter::Images)?
        && images.is_empty()
    {
        out.report(codes::E201, "/images", "no image");
    }
    Ok(())
}

/// E001: the data are numbers, at every level.
fn numeric_data(image: &ImageView, out: &mut Findings) -> Result<(), ReadError> {
    let mut numeric = |path: String, data: &Dataset| {
        if ElementKind::of(data.datatype()) != ElementKind::Numeric {
            let found = dtype_name(data.datatype());
            out.report(codes::E001, path, format!("values of type {found}, numbers are due"));
        }
    };
    if image.is_pyramid() {
        for (name, level) in image.stored_levels()? {
            numeric(format!("{}/{name}", image.path()), &level);
        }
    } else if let Some(data) = image.data()? {
        numeric(image.path().to_owned(), &data);
    }
    Ok(())
}

/// E205: what no image may lack.
fn required_attributes(image: &ImageView, out: &mut Findings) -> Result<(), ReadError> {
    for name in ["grid", "modality", "value_type"] {
        if !image.attributes().has(name)? {
            out.report(codes::E205, image.path(), format!("no `{name}`"));
        }
    }
    Ok(())
}

/// E203: the values are of a known meaning.
fn value_type(
    context: &Context<'_>,
    image: &ImageView,
    out: &mut Findings,
) -> Result<(), ReadError> {
    if let Some(found) = image.value_type()?
        && !VALUE_TYPES.contains(&found.as_str())
    {
        let message = format!("`value_type` is {found:?} (known: {VALUE_TYPES:?})");
        out.report(context.unless_projection(codes::E203), image.path(), message);
    }
    Ok(())
}

/// E101: the grid exists.
fn grid(image: &ImageView, out: &mut Findings) -> Result<Option<GridView>, ReadError> {
    let Some(reference) = image.grid_reference()? else { return Ok(None) };
    let grid = image.grid()?;
    if grid.is_none() {
        out.report(codes::E101, image.path(), format!("no grid {reference:?}"));
    }
    Ok(grid)
}

/// E105: a pyramid has its finest level.
fn data(image: &ImageView, out: &mut Findings) -> Result<Option<Dataset>, ReadError> {
    let data = image.data()?;
    if data.is_none() {
        out.report(codes::E105, image.path(), "no level `0`");
    }
    Ok(data)
}

/// E202: the data have the shape of their grid.
fn shape(
    image: &ImageView,
    data: &Dataset,
    grid: &GridView,
    out: &mut Findings,
) -> Result<(), ReadError> {
    if !grid.has_shape(data.shape())? {
        let expected = grid.shape()?.unwrap_or_default();
        let message = format!("{:?} voxels, grid {} has {expected:?}", data.shape(), grid.name());
        out.report(codes::E202, image.path(), message);
    }
    Ok(())
}

/// E204: one name per channel.
fn channel_names(image: &ImageView, grid: &GridView, out: &mut Findings) -> Result<(), ReadError> {
    if !image.attributes().has("channel_names")? {
        return Ok(());
    }
    let (kinds, shape) = (grid.axis_kinds()?, grid.shape()?.unwrap_or_default());
    let mut axes = kinds.iter().zip(shape);
    let channels = axes.find(|(kind, _)| *kind == AxisKind::Channel.name());
    let Some((_, extent)) = channels else {
        out.report(codes::E204, image.path(), "`channel_names` without a channel axis");
        return Ok(());
    };
    let names = image.channel_names()?.unwrap_or_default();
    if i64::try_from(names.len()) != Ok(extent) {
        let message = format!("{} names for {extent} channels", names.len());
        out.report(codes::E204, image.path(), message);
    }
    Ok(())
}

/// W907: floats that 16-bit integers would hold.
fn integral_floats(
    context: &Context<'_>,
    image: &ImageView,
    data: &Dataset,
    out: &mut Findings,
) -> Result<(), ReadError> {
    /// Larger images are not looked through.
    const MOST_ELEMENTS: u64 = 4_000_000;

    let is_float = matches!(
        data.datatype().number(),
        Some(NumberType::F16 | NumberType::F32 | NumberType::F64)
    );
    if is_float && *data.dataspace() == Dataspace::Null {
        return Err(ReadError::value(format!("{} has no extent at all", image.data_path())));
    }
    let elements = data.dataspace().element_count().unwrap_or(u64::MAX);
    if is_float
        && (1..=MOST_ELEMENTS).contains(&elements)
        && !context.scans.any(context, data, ElementTest::NotInt16)?
    {
        let found = dtype_name(data.datatype());
        let message = format!("every value of this {found} image is an integer of 16 bits");
        out.report(codes::W907, image.path(), message);
    }
    Ok(())
}

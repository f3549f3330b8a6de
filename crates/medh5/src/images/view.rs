//! An image as stored: one dataset, or a pyramid of them.

use hdf5::{Dataset, Object};

use crate::ReadError;
use crate::attributes::Attributes;
use crate::geometry::GridView;
use crate::sample::{Chapter, Child, Sample};
use crate::validate::Located;
use crate::values::Matrix;

/// What the values of an image may mean.
pub const VALUE_TYPES: [&str; 6] =
    ["intensity", "quantitative", "rgb", "probability", "displacement", "mask"];

/// A member of `images` as stored.
#[derive(Debug, Clone)]
pub struct ImageView {
    sample: Sample,
    child: Child,
}

impl Sample {
    /// All images, sorted by the bytes of their names.
    ///
    /// # Errors
    /// As [`Sample::members`].
    pub fn images(&self) -> Result<Vec<ImageView>, ReadError> {
        let view = |child: &Child| ImageView { sample: self.clone(), child: child.clone() };
        Ok(self.children(Chapter::Images)?.iter().map(view).collect())
    }

    /// The image of this name.
    ///
    /// # Errors
    /// As [`Sample::members`].
    pub fn image(&self, name: &str) -> Result<Option<ImageView>, ReadError> {
        let view = |child: &Child| ImageView { sample: self.clone(), child: child.clone() };
        Ok(self.child(Chapter::Images, name)?.map(view))
    }
}

impl Located for ImageView {
    fn location(&self) -> &str {
        self.path()
    }
}

impl ImageView {
    /// Its name.
    pub fn name(&self) -> &str {
        self.child.name()
    }

    /// Where it is, from the root of the sample.
    pub fn path(&self) -> &str {
        self.child.path()
    }

    /// Its attributes.
    pub fn attributes(&self) -> &Attributes {
        self.child.attributes()
    }

    /// Whether it is a group of levels, the finest being `0`.
    pub fn is_pyramid(&self) -> bool {
        self.child.group().is_some()
    }

    /// One level; level 0 of an image that is no pyramid is the image.
    ///
    /// # Errors
    /// [`ReadError::File`] when its header cannot be read.
    pub fn level(&self, level: usize) -> Result<Option<Dataset>, ReadError> {
        match self.child.object() {
            Object::Dataset(dataset) if level == 0 => Ok(Some(dataset.clone())),
            Object::Group(_) => self.child.member_dataset(&level.to_string()),
            _ => Ok(None),
        }
    }

    /// The values at full resolution; `None` for a pyramid without level 0.
    ///
    /// # Errors
    /// As [`ImageView::level`].
    pub fn data(&self) -> Result<Option<Dataset>, ReadError> {
        self.level(0)
    }

    /// Where the values at full resolution are, from the root of the sample.
    pub fn data_path(&self) -> String {
        if self.is_pyramid() { format!("{}/0", self.path()) } else { self.path().to_owned() }
    }

    /// Every dataset that is a level by its name, an unsigned number, with that name.
    ///
    /// # Errors
    /// [`ReadError::File`] when a header cannot be read.
    pub fn stored_levels(&self) -> Result<Vec<(String, Dataset)>, ReadError> {
        let Some(group) = self.child.group() else { return Ok(Vec::new()) };
        let mut levels = Vec::new();
        for link in group.links()?.iter() {
            let name = link.name().into_owned();
            if name.parse::<u64>().is_ok()
                && let Some(dataset) = self.child.member_dataset(&name)?
            {
                levels.push((name, dataset));
            }
        }
        Ok(levels)
    }

    /// The grid it names.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn grid_reference(&self) -> Result<Option<String>, ReadError> {
        self.attributes().text("grid")
    }

    /// The grid of its full resolution; `None` when it names none, or none that exists.
    ///
    /// # Errors
    /// As [`Sample::grid`].
    pub fn grid(&self) -> Result<Option<GridView>, ReadError> {
        match self.grid_reference()? {
            Some(reference) => self.sample.grid(&reference),
            None => Ok(None),
        }
    }

    /// The grids of its levels, the finest first, as named; `None` when absent.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn level_grids(&self) -> Result<Option<Vec<String>>, ReadError> {
        self.attributes().strings("grid_levels")
    }

    /// Spacing of each level relative to the finest: one row per level, one column per spatial axis.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn downsample_factors(&self) -> Result<Option<Matrix>, ReadError> {
        self.attributes().matrix("downsample_factors")
    }

    /// How it was made, such as `CT`.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn modality(&self) -> Result<Option<String>, ReadError> {
        self.attributes().text("modality")
    }

    /// What its values mean, one of [`VALUE_TYPES`] in a sound file.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn value_type(&self) -> Result<Option<String>, ReadError> {
        self.attributes().text("value_type")
    }

    /// Names of the channels, if it has a channel axis and names them.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn channel_names(&self) -> Result<Option<Vec<String>>, ReadError> {
        self.attributes().strings("channel_names")
    }

    /// Unit of its rescaled values.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn value_units(&self) -> Result<Option<String>, ReadError> {
        self.attributes().text("value_units")
    }

    /// Slope and intercept from stored to rescaled values; 1 and 0 when absent.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn rescale(&self) -> Result<(f64, f64), ReadError> {
        let slope = self.attributes().float("rescale_slope")?.unwrap_or(1.0);
        Ok((slope, self.attributes().float("rescale_intercept")?.unwrap_or(0.0)))
    }

    /// Centre and width, in rescaled values, of the range that is usually shown.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn display_window(&self) -> Result<Option<(f64, f64)>, ReadError> {
        let centre = self.attributes().floats("window_center")?;
        let width = self.attributes().floats("window_width")?;
        let first = |values: Option<Vec<f64>>| values.and_then(|values| values.first().copied());
        Ok(first(centre).zip(first(width)))
    }
}

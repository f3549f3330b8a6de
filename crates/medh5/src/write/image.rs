//! Images of new samples. Spec: MEDH5 1.0 §4.

use hdf5::{NewAttribute, NewGroup, NewLink};

use super::layout::Layout;
use super::{NewArray, WriteError};
use crate::geometry::Grid;
use crate::storage::{ChunkBudget, Profile, Role, grid_chunk};

/// An image: one array on one grid, or a pyramid of them.
#[derive(Debug, Clone)]
pub struct NewImage {
    /// The grid of its full resolution.
    pub grid: String,
    /// How it was made, such as `CT`.
    pub modality: String,
    /// What its values mean: one of [`crate::images::VALUE_TYPES`].
    pub value_type: String,
    /// Its values.
    pub levels: Levels,
    /// Names of the channels, if it has a channel axis.
    pub channel_names: Option<Vec<String>>,
    /// From stored to rescaled values.
    pub rescale_slope: Option<f64>,
    /// From stored to rescaled values.
    pub rescale_intercept: Option<f64>,
    /// Unit of its rescaled values.
    pub value_units: Option<String>,
    /// Centres of the ranges that are usually shown.
    pub window_center: Option<Vec<f64>>,
    /// Widths of the ranges that are usually shown.
    pub window_width: Option<Vec<f64>>,
    /// The annotation that says where it holds data.
    pub valid_mask: Option<String>,
    /// The activity that made it.
    pub prov: Option<String>,
}

/// The values of an image.
#[derive(Debug, Clone)]
pub enum Levels {
    /// At one resolution.
    Single(NewArray),
    /// At several, the finest first.
    Pyramid {
        /// The values of each level.
        levels: Vec<NewArray>,
        /// The grid of each level.
        grids: Vec<String>,
        /// Spacing of each level relative to the finest, per spatial axis.
        factors: Vec<Vec<f64>>,
        /// How coarser levels were made: `mean`, `nearest`, `gaussian` or `max`.
        method: String,
    },
}

/// How the objects of a sample are stored.
#[derive(Debug, Clone, Copy)]
pub struct Storage {
    /// How bulk data are compressed.
    pub profile: Profile,
    /// How large chunks become.
    pub budget: ChunkBudget,
}

impl NewImage {
    /// An image of intensities at one resolution.
    pub fn new(grid: &str, modality: &str, data: NewArray) -> Self {
        Self {
            grid: grid.to_owned(),
            modality: modality.to_owned(),
            value_type: "intensity".to_owned(),
            levels: Levels::Single(data),
            channel_names: None,
            rescale_slope: None,
            rescale_intercept: None,
            value_units: None,
            window_center: None,
            window_width: None,
            valid_mask: None,
            prov: None,
        }
    }

    /// The image as it is stored; `grid` finds a grid by its name.
    pub(super) fn link(
        &self,
        grid: impl Fn(&str) -> Result<Grid, WriteError>,
        storage: Storage,
    ) -> Result<NewLink, WriteError> {
        let attributes = self.attributes();
        let put = |data: &NewArray, name: &str| -> Result<_, WriteError> {
            let layout = Layout { profile: storage.profile, role: Role::Image };
            let size = u64::from(data.datatype().size);
            let chunk = grid_chunk(&grid(name)?, 0, size, storage.budget);
            let chunk = (chunk.len() == data.shape().len()).then_some(chunk);
            Ok(layout.array(data, chunk.as_deref()))
        };
        match &self.levels {
            Levels::Single(data) => {
                let mut dataset = put(data, &self.grid)?;
                dataset.attributes.extend(attributes);
                Ok(dataset.into())
            }
            Levels::Pyramid { levels, grids, factors, method } => {
                let mut group = NewGroup::new();
                group.attributes.extend(attributes);
                let axes = factors.first().map_or(0, Vec::len) as u64;
                let dims = [factors.len() as u64, axes];
                let count = i64::try_from(levels.len()).unwrap_or(i64::MAX);
                group = group
                    .attribute("levels", NewAttribute::integer(count))
                    .attribute("grid_levels", NewAttribute::texts(grids))
                    .attribute(
                        "downsample_factors",
                        NewAttribute::float_array(&dims, &factors.concat()),
                    )
                    .attribute("downsample_method", NewAttribute::text(method));
                for (at, (data, name)) in levels.iter().zip(grids).enumerate() {
                    group = group.dataset(&at.to_string(), put(data, name)?);
                }
                Ok(group.into())
            }
        }
    }

    fn attributes(&self) -> Vec<(Vec<u8>, NewAttribute)> {
        let mut all = vec![
            ("grid", NewAttribute::text(&self.grid)),
            ("modality", NewAttribute::text(&self.modality)),
            ("value_type", NewAttribute::text(&self.value_type)),
        ];
        let texts = [
            ("value_units", &self.value_units),
            ("valid_mask", &self.valid_mask),
            ("prov", &self.prov),
        ];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name, text.as_ref()?)));
        all.extend(texts.map(|(name, text)| (name, NewAttribute::text(text))));
        let numbers =
            [("rescale_slope", self.rescale_slope), ("rescale_intercept", self.rescale_intercept)];
        let numbers = numbers.into_iter().filter_map(|(name, value)| Some((name, value?)));
        all.extend(numbers.map(|(name, value)| (name, NewAttribute::float(value))));
        let lists = [("window_center", &self.window_center), ("window_width", &self.window_width)];
        let lists = lists.into_iter().filter_map(|(name, list)| Some((name, list.as_ref()?)));
        all.extend(lists.map(|(name, list)| (name, NewAttribute::floats(list))));
        if let Some(names) = &self.channel_names {
            all.push(("channel_names", NewAttribute::texts(names)));
        }
        all.into_iter().map(|(name, value)| (name.as_bytes().to_vec(), value)).collect()
    }
}

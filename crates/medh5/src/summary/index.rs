//! The sampling index as values.

use serde::Serialize;

use crate::index::{Draw, IndexEntry};
use crate::labels::LabelSet;
use crate::validate::Silent;
use crate::{ReadError, Sample};

/// One entry of the sampling index.
#[derive(Debug, Clone, Serialize)]
pub struct IndexSummary {
    /// The annotation it is about.
    pub annotation: String,
    /// Whether it was computed from the annotation as it is now.
    pub current: bool,
    /// Most coordinates stored per class.
    pub max_coords: Option<i64>,
    /// Seed of the selection of coordinates.
    pub seed: Option<i64>,
    /// Its classes, in stored order.
    pub classes: Vec<IndexedClassSummary>,
    /// A foreground voxel, if one was asked for and there is one.
    pub draw: Option<DrawSummary>,
}

/// A class of an entry.
#[derive(Debug, Clone, Serialize)]
pub struct IndexedClassSummary {
    /// Its id.
    pub class_id: i64,
    /// Its key in the label set.
    pub key: Option<String>,
    /// Voxels of this class.
    pub voxel_count: i64,
    /// Coordinates stored for it.
    pub stored_coordinates: u64,
    /// First and last voxel per axis, half a voxel outside; `None` when it has no voxel.
    pub bounding_box: Option<Vec<[f64; 2]>>,
}

/// A drawn foreground voxel.
#[derive(Debug, Clone, Serialize)]
pub struct DrawSummary {
    /// Row of the class's coordinate table.
    pub row: u64,
    /// The voxel, slowest axis first.
    pub voxel: Vec<i64>,
}

impl From<Draw> for DrawSummary {
    fn from(draw: Draw) -> Self {
        Self { row: draw.row, voxel: draw.coordinate }
    }
}

impl IndexSummary {
    /// Summarises `entry` of `sample`; keys of classes come from `labels`.
    ///
    /// # Errors
    /// [`ReadError::File`] when a table of the entry cannot be read.
    pub fn of(
        entry: &IndexEntry,
        sample: &Sample,
        labels: Option<&LabelSet>,
    ) -> Result<Self, ReadError> {
        let key = |id| labels.and_then(|labels| labels.class(id)).map(|class| class.key.clone());
        let classes = entry.classes()?.into_iter().map(|class| IndexedClassSummary {
            class_id: class.class_id,
            key: key(class.class_id),
            voxel_count: class.voxel_count,
            stored_coordinates: class.stored_coordinates,
            bounding_box: class.bounding_box,
        });
        Ok(Self {
            annotation: entry.annotation().to_owned(),
            current: entry.is_current(sample, &Silent)?,
            max_coords: entry.max_coords()?,
            seed: entry.seed()?,
            classes: classes.collect(),
            draw: None,
        })
    }
}

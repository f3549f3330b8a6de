//! Annotations of new samples: what all kinds have in common. Spec: MEDH5 1.0 §6.2.

use std::collections::BTreeMap;

use hdf5::{NewAttribute, NewDataset, NewGroup};

use super::layout::Layout;
use super::{NewArray, Storage, WriteError};
use crate::annotations::{DEFAULT_IGNORE_ID, Kind};
use crate::geometry::Grid;
use crate::storage::{Role, grid_chunk};

/// What an annotation says about itself, whatever its kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Header {
    /// `segmentation`, `detection`, `classification`, `registration` or `other`; what goes with the kind, if `None`.
    pub task: Option<String>,
    /// The grid it is defined on.
    pub grid: Option<String>,
    /// Of shapes: `index` or `world`.
    pub space: Option<String>,
    /// Of shapes: the number of axes of coordinates, for when there are none to tell; 3, if `None`.
    pub axes: Option<usize>,
    /// Of shapes in the world: the frame that coordinates live in.
    pub frame_uid: Option<String>,
    /// The classes that it can express; those that occur in it, if empty.
    pub class_ids: Vec<u16>,
    /// The classes that were looked for; all that it can express, if `None`.
    pub annotated_class_ids: Option<Vec<u16>>,
    /// Whether a class implies its ancestors; it does not, if `false`.
    pub implicit_closure: bool,
    /// The timepoints it is about, where its grid does not say so.
    pub timepoints: Vec<String>,
    /// The value of ignored voxels, unless it is 65535.
    pub ignore_id: Option<u16>,
    /// The mask of ignored voxels.
    pub ignore_mask: Option<String>,
    /// The activity that made it.
    pub prov: Option<String>,
    /// Its quality record.
    pub quality: Option<String>,
    /// The annotations it was computed from.
    pub derived_from: Vec<String>,
}

/// An annotation, ready to be stored.
#[derive(Debug, Clone)]
pub struct NewAnnotation {
    /// Its kind.
    pub kind: Kind,
    /// What it says about itself.
    pub header: Header,
    /// Further attributes of its kind.
    pub(super) attributes: Vec<(&'static str, NewAttribute)>,
    /// Its datasets.
    pub(super) columns: BTreeMap<&'static str, NewColumn>,
}

/// A dataset of an annotation.
#[derive(Debug, Clone)]
pub(super) enum NewColumn {
    Numbers(NewArray),
    Texts(Vec<String>),
}

impl NewAnnotation {
    pub(super) fn of(kind: Kind, header: Header) -> Self {
        Self { kind, header, attributes: Vec::new(), columns: BTreeMap::new() }
    }

    pub(super) fn column(mut self, name: &'static str, array: NewArray) -> Self {
        self.columns.insert(name, NewColumn::Numbers(array));
        self
    }

    pub(super) fn texts(mut self, name: &'static str, texts: &[String]) -> Self {
        self.columns.insert(name, NewColumn::Texts(texts.to_vec()));
        self
    }

    pub(super) fn with(mut self, name: &'static str, attribute: NewAttribute) -> Self {
        self.attributes.push((name, attribute));
        self
    }

    /// What its task is, given or by its kind.
    pub(super) fn task(&self) -> &str {
        let by_kind = match self.kind {
            Kind::Mask | Kind::Polylines => "other",
            Kind::Boxes | Kind::Obb | Kind::Keypoints | Kind::Points => "detection",
            Kind::Classification => "classification",
            _ => "segmentation",
        };
        self.header.task.as_deref().unwrap_or(by_kind)
    }

    /// The annotation as it is stored. `grid` is its grid, if it has one.
    pub(super) fn group(&self, grid: Option<&Grid>, storage: Storage) -> NewGroup {
        let mut group = NewGroup::new();
        for (name, attribute) in self.header_attributes().into_iter().chain(self.attributes.clone())
        {
            group = group.attribute(name, attribute);
        }
        for (name, column) in &self.columns {
            group = group.dataset(name, self.dataset(name, column, grid, storage));
        }
        group
    }

    fn dataset(
        &self,
        name: &str,
        column: &NewColumn,
        grid: Option<&Grid>,
        storage: Storage,
    ) -> NewDataset {
        let array = match column {
            NewColumn::Texts(texts) => return NewDataset::texts(texts),
            NewColumn::Numbers(array) => array,
        };
        let layout = Layout { profile: storage.profile, role: Role::Other };
        let chunk = grid.filter(|_| name == "data").map(|grid| {
            let stacked = usize::from(self.kind.is_stacked());
            let size = u64::from(array.datatype().size);
            // Labels have the spatial axes of their grid only.
            let chunk = grid_chunk(grid, stacked, size, storage.budget);
            let spatial = grid.spatial_shape().len();
            let spatial = chunk.get(chunk.len().saturating_sub(spatial)..).unwrap_or_default();
            std::iter::repeat_n(1, stacked).chain(spatial.iter().copied()).collect::<Vec<_>>()
        });
        let fits = chunk.filter(|chunk| chunk.len() == array.shape().len());
        layout.array(array, fits.as_deref())
    }

    fn header_attributes(&self) -> Vec<(&'static str, NewAttribute)> {
        let header = &self.header;
        let closure = if header.implicit_closure { "implicit" } else { "explicit" };
        let annotated = header.annotated_class_ids.as_ref().unwrap_or(&header.class_ids);
        let mut all = vec![
            ("kind", NewAttribute::text(self.kind.name())),
            ("task", NewAttribute::text(self.task())),
            ("closure", NewAttribute::text(closure)),
            ("annotated_class_ids", NewAttribute::u16s(annotated)),
        ];
        if self.kind != Kind::Mask {
            all.push(("class_ids", NewAttribute::u16s(&header.class_ids)));
        }
        let texts = [
            ("grid", &header.grid),
            ("space", &header.space),
            ("frame_uid", &header.frame_uid),
            ("ignore_mask", &header.ignore_mask),
            ("prov", &header.prov),
            ("quality", &header.quality),
        ];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name, text.as_ref()?)));
        all.extend(texts.map(|(name, text)| (name, NewAttribute::text(text))));
        let lists = [("timepoints", &header.timepoints), ("derived_from", &header.derived_from)];
        let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
        all.extend(lists.map(|(name, list)| (name, NewAttribute::texts(list))));
        if let Some(id) = header.ignore_id.filter(|id| i64::from(*id) != DEFAULT_IGNORE_ID) {
            all.push(("ignore_id", NewAttribute::integer(id.into())));
        }
        all
    }

    /// Fills in what the header leaves to the data.
    pub(super) fn declare(mut self, occurring: impl IntoIterator<Item = u16>) -> Self {
        let mut ids: Vec<u16> = self.header.class_ids.iter().copied().chain(occurring).collect();
        ids.sort_unstable();
        ids.dedup();
        self.header.class_ids = ids;
        self
    }
}

/// A boolean volume without classes: a field of view, an ignored region.
impl NewAnnotation {
    /// A mask. Every number but 0 is inside.
    ///
    /// # Errors
    /// [`WriteError::Refused`] for anything but truth values and bytes.
    pub fn mask(header: Header, mask: NewArray) -> Result<Self, WriteError> {
        let mut header = header;
        header.annotated_class_ids = Some(Vec::new());
        if mask.datatype().size != 1 {
            return Err(WriteError::refused("a mask holds truth values or bytes"));
        }
        Ok(Self::of(Kind::Mask, header).column("data", mask))
    }
}

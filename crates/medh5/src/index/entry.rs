//! One entry of the index: the tables about one annotation. Each lookup reads one row.

use hdf5::{Dataset, Group, Object, Window};

use super::draw::SplitMix64;
use super::freshness::is_fresh;
use crate::ReadError;
use crate::attributes::Attributes;
use crate::sample::{ChapterState, Sample};
use crate::validate::Observer;
use crate::values::{floats, integers};

/// Name of the index's group.
pub(super) const INDEX: &str = "index";

/// The entry of one annotation.
#[derive(Debug, Clone)]
pub struct IndexEntry {
    annotation: String,
    group: Group,
    attributes: Attributes,
    class_ids: Vec<i64>,
}

/// What the index knows of one class.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexedClass {
    /// The class.
    pub class_id: i64,
    /// Voxels of the class in the whole annotation.
    pub voxel_count: i64,
    /// Voxels whose coordinates are stored: all, or a sample of at most `max_coords`.
    pub stored_coordinates: u64,
    /// Smallest box around the class, in voxels along the spatial axes, slowest first; voxel centres are integers, so a
    /// single voxel spans half a voxel on either side. `None` for a class without voxels.
    pub bounding_box: Option<Vec<[f64; 2]>>,
}

/// One foreground voxel that was drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    /// Its place among the stored coordinates of its class.
    pub row: u64,
    /// Its index along the spatial axes, slowest first.
    pub coordinate: Vec<i64>,
}

/// Which blocks of a grid hold a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occupancy {
    /// Number of blocks along the spatial axes, slowest first.
    pub shape: Vec<u64>,
    /// Whether each block holds the class, in C order.
    pub blocks: Vec<bool>,
}

impl Sample {
    /// The names of the entries of the sampling index, sorted by bytes; none when there is no index.
    ///
    /// # Errors
    /// [`ReadError::File`] when the index cannot be read.
    pub fn indexed_annotations(&self) -> Result<Vec<String>, ReadError> {
        let ChapterState::Group(index) = ChapterState::of(self.root(), INDEX)? else {
            return Ok(Vec::new());
        };
        Ok(index.links()?.iter().map(|link| link.name().into_owned()).collect())
    }

    /// Opens the entry of an annotation; reads its list of classes. `None` when there is no such group.
    ///
    /// # Errors
    /// [`ReadError::File`] when it cannot be read, [`ReadError::Value`] when it has no list of classes.
    pub fn index_entry(&self, annotation: &str) -> Result<Option<IndexEntry>, ReadError> {
        let ChapterState::Group(index) = ChapterState::of(self.root(), INDEX)? else {
            return Ok(None);
        };
        match index.get(annotation)? {
            Some(Object::Group(group)) => IndexEntry::open(annotation, group).map(Some),
            _ => Ok(None),
        }
    }
}

impl IndexEntry {
    fn open(annotation: &str, group: Group) -> Result<Self, ReadError> {
        let attributes = Attributes::of(Object::Group(group.clone()));
        let class_ids = dataset(&group, "class_ids")?;
        let class_ids = numbers(&class_ids, integers(&class_ids.read()?.elements))?;
        Ok(Self { annotation: annotation.to_owned(), group, attributes, class_ids })
    }

    /// The annotation that it is about.
    pub fn annotation(&self) -> &str {
        &self.annotation
    }

    /// The most coordinates that were stored per class.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn max_coords(&self) -> Result<Option<i64>, ReadError> {
        self.attributes.integer("max_coords")
    }

    /// The seed with which coordinates were chosen when there were too many.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn seed(&self) -> Result<Option<i64>, ReadError> {
        self.attributes.integer("seed")
    }

    /// Whether it still describes the annotation of `sample`; what is not current must not be used.
    ///
    /// # Errors
    /// [`ReadError::File`] when what it must be compared with cannot be read.
    pub fn is_current(&self, sample: &Sample, observer: &dyn Observer) -> Result<bool, ReadError> {
        is_fresh(sample, &self.annotation, Some(Object::Group(self.group.clone())), observer)
    }

    /// The indexed classes, in the order of the annotation.
    pub fn class_ids(&self) -> &[i64] {
        &self.class_ids
    }

    /// What is known of every indexed class. Reads the counts and the boxes whole, of the coordinates only how many.
    ///
    /// # Errors
    /// [`ReadError::File`] when a table cannot be read, [`ReadError::Value`] when one is absent or not numeric.
    pub fn classes(&self) -> Result<Vec<IndexedClass>, ReadError> {
        let counts = self.voxel_counts()?;
        let boxes = dataset(&self.group, "class_bboxes")?;
        let bounds = numbers(&boxes, floats(&boxes.read()?.elements))?;
        let per_class = bounds.len() / self.class_ids.len().max(1);
        let mut boxes = bounds.chunks(per_class.max(1));
        let mut classes = Vec::new();
        for (class_id, voxel_count) in self.class_ids.iter().zip(counts) {
            classes.push(IndexedClass {
                class_id: *class_id,
                voxel_count,
                stored_coordinates: self.stored_coordinates(*class_id)?,
                bounding_box: boxes.next().and_then(bounding_box),
            });
        }
        Ok(classes)
    }

    /// The number of voxels of each class, in the order of [`IndexEntry::class_ids`].
    ///
    /// # Errors
    /// As [`IndexEntry::classes`].
    pub fn voxel_counts(&self) -> Result<Vec<i64>, ReadError> {
        let counts = dataset(&self.group, "voxel_counts")?;
        numbers(&counts, integers(&counts.read()?.elements))
    }

    /// The box around a class; `None` when it is not indexed or has no voxels. Reads one row.
    ///
    /// # Errors
    /// As [`IndexEntry::classes`].
    pub fn bounding_box(&self, class_id: i64) -> Result<Option<Vec<[f64; 2]>>, ReadError> {
        let Some(row) = self.place(class_id) else { return Ok(None) };
        let boxes = dataset(&self.group, "class_bboxes")?;
        let bounds = numbers(&boxes, floats(&read_row(&boxes, row)?.elements))?;
        Ok(bounding_box(&bounds))
    }

    /// How many coordinates of a class are stored. Reads no coordinate.
    ///
    /// # Errors
    /// As [`IndexEntry::classes`].
    pub fn stored_coordinates(&self, class_id: i64) -> Result<u64, ReadError> {
        Ok(self.coordinate_table(class_id)?.map_or(0, |table| table.rows()))
    }

    /// Draws one voxel of a class: row ⌊x·n / 2⁶⁴⌋ of its `n` stored coordinates, with `x` the first number of
    /// [`SplitMix64`] from `seed`. `None` when the class is not indexed or has no voxels. Reads one row.
    ///
    /// # Errors
    /// As [`IndexEntry::classes`].
    pub fn draw(&self, class_id: i64, seed: u64) -> Result<Option<Draw>, ReadError> {
        let Some(table) = self.coordinate_table(class_id)? else { return Ok(None) };
        if table.rows() == 0 {
            return Ok(None);
        }
        let row = SplitMix64::new(seed).below(table.rows());
        Ok(Some(Draw { row, coordinate: table.row(row)? }))
    }

    /// Which blocks hold a class; `None` when it is not indexed or the entry has no map. Reads one row.
    ///
    /// # Errors
    /// As [`IndexEntry::classes`].
    pub fn occupancy(&self, class_id: i64) -> Result<Option<Occupancy>, ReadError> {
        let Some(row) = self.place(class_id) else { return Ok(None) };
        let Some(Object::Dataset(map)) = self.group.get("occupancy")? else { return Ok(None) };
        let blocks = numbers(&map, integers(&read_row(&map, row)?.elements))?;
        let shape = map.shape().get(1..).unwrap_or_default().to_vec();
        Ok(Some(Occupancy { shape, blocks: blocks.into_iter().map(|mark| mark != 0).collect() }))
    }

    fn place(&self, class_id: i64) -> Option<u64> {
        self.class_ids.iter().position(|indexed| *indexed == class_id).map(|place| place as u64)
    }

    /// The stored coordinates of a class; `None` when it is not indexed. Reads none of them.
    ///
    /// # Errors
    /// As [`IndexEntry::classes`].
    pub(crate) fn coordinate_table(
        &self,
        class_id: i64,
    ) -> Result<Option<CoordinateTable>, ReadError> {
        if self.place(class_id).is_none() {
            return Ok(None);
        }
        dataset(&self.group, &format!("fg_coords/{class_id}")).map(CoordinateTable).map(Some)
    }
}

/// The stored coordinates of one class, opened once for many draws.
#[derive(Debug, Clone)]
pub(crate) struct CoordinateTable(Dataset);

impl CoordinateTable {
    /// How many there are.
    pub(crate) fn rows(&self) -> u64 {
        self.0.shape().first().copied().unwrap_or(0)
    }

    /// One of them.
    pub(crate) fn row(&self, row: u64) -> Result<Vec<i64>, ReadError> {
        numbers(&self.0, integers(&read_row(&self.0, row)?.elements))
    }
}

fn dataset(group: &Group, name: &str) -> Result<Dataset, ReadError> {
    match group.get(name)? {
        Some(Object::Dataset(dataset)) => Ok(dataset),
        _ => Err(ReadError::value(format!("{} has no dataset `{name}`", group.path()))),
    }
}

fn numbers<T>(dataset: &Dataset, values: Option<Vec<T>>) -> Result<Vec<T>, ReadError> {
    values.ok_or_else(|| ReadError::value(format!("{} is not numeric", dataset.path())))
}

/// Reads one place of the first axis, everything of the others.
fn read_row(dataset: &Dataset, row: u64) -> Result<hdf5::Array, ReadError> {
    let mut window = Window::all(dataset.shape());
    match (window.start.first_mut(), window.shape.first_mut()) {
        (Some(start), Some(extent)) => (*start, *extent) = (row, 1),
        _ => return Err(ReadError::value(format!("{} has no rows", dataset.path()))),
    }
    Ok(dataset.read_window(&window)?)
}

/// Pairs the bounds of each axis; a class without voxels has none.
fn bounding_box(bounds: &[f64]) -> Option<Vec<[f64; 2]>> {
    let (pairs, _) = bounds.as_chunks::<2>();
    let is_known = !pairs.is_empty() && !pairs.as_flattened().iter().any(|bound| bound.is_nan());
    is_known.then(|| pairs.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_class_has_no_box() {
        assert_eq!(bounding_box(&[-0.5, 3.5, 1.5, 2.5]), Some(vec![[-0.5, 3.5], [1.5, 2.5]]));
        assert_eq!(bounding_box(&[f64::NAN; 4]), None);
        assert_eq!(bounding_box(&[]), None);
    }
}

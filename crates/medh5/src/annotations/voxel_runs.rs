//! The voxels of each class as runs along the fastest axis, whatever the encoding: what counting and searching need.

use std::ops::Range;

use hdf5::{Dataset, NumberType, Window};

use super::class_masks::{ClassMasks, Region};
use super::instance_masks::Instances;
use super::{AnnotationView, Kind};
use crate::ReadError;
use crate::plausible::require_plausible_scan;
use crate::values::{self, for_each_float};

/// Marks a label that stands for no class of ours.
const NO_CLASS: u16 = u16::MAX;

/// Bits of one word of a bit mask.
const WORD_BITS: usize = 64;

/// An annotation of voxels, ready to be searched box by box.
#[derive(Debug)]
pub(crate) struct VoxelRuns {
    shape: Vec<u64>,
    class_ids: Vec<i64>,
    planes: Vec<Plane>,
    /// Classes that are found in several places, whose runs may overlap: they go through a mask.
    painted: Vec<Painted>,
    painter: Painter,
}

/// Neighbours along the fastest axis that belong to one class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    /// Place of the class among [`VoxelRuns::class_ids`].
    pub(crate) class: usize,
    /// The first voxel.
    pub(crate) start: &'a [u64],
    /// Number of voxels.
    pub(crate) length: u64,
}

/// Memory that one thread keeps between boxes.
#[derive(Debug, Default)]
pub(crate) struct RunScratch {
    bytes: Vec<u8>,
    marks: Vec<u8>,
}

/// One volume of stored values.
#[derive(Debug)]
struct Plane {
    data: Dataset,
    /// Its place along the first axis of `data`, if that axis is not one of voxels.
    at: Option<u64>,
    number: NumberType,
    meaning: Meaning,
}

/// What the values of a plane say.
#[derive(Debug)]
enum Meaning {
    /// Each is a label: the place of its class, by label.
    Labels(Vec<u16>),
    /// Each bit is a class: the place of its class, by bit.
    Bits(Vec<Option<usize>>),
    /// From this value on, a voxel belongs to the class at this place.
    AtLeast(f64, usize),
}

/// A class whose voxels are those of several labels, layers or objects.
#[derive(Debug)]
struct Painted {
    /// Place of the class among ours.
    place: usize,
    /// The classes whose voxels are its own: itself, and under implicit closure what it is an ancestor of.
    members: Vec<i64>,
}

/// What masks of classes are painted from.
#[derive(Debug)]
enum Painter {
    Instances(Instances),
    View(AnnotationView),
}

impl AnnotationView {
    /// Prepares a search through the voxels of the declared classes, or of those among them that `classes` lists.
    ///
    /// # Errors
    /// [`ReadError::Value`] for annotations that are not of classes of voxels or lack a dataset, [`ReadError::File`] when a
    /// table cannot be read.
    pub(crate) fn voxel_runs(&self, classes: Option<&[i64]>) -> Result<VoxelRuns, ReadError> {
        let mut class_ids = Vec::new();
        for class in self.class_ids()?.unwrap_or_default() {
            let is_wanted = classes.is_none_or(|classes| classes.contains(&class));
            if is_wanted && !class_ids.contains(&class) {
                class_ids.push(class);
            }
        }
        let kind = self.kind()?.filter(|kind| *kind != Kind::Mask);
        let shape = self.spatial_shape()?.filter(|_| kind.is_some());
        let (Some(kind), Some(shape)) = (kind, shape) else {
            return Err(self.wrong_kind("has no classes of voxels"));
        };
        let painter = match kind {
            Kind::Instances => Painter::Instances(Instances::read(self)?),
            _ => Painter::View(self.clone()),
        };
        let painted = self.ancestors(&class_ids)?;
        let mut runs = VoxelRuns { shape, class_ids, planes: Vec::new(), painted, painter };
        match kind {
            Kind::Labelmap => {
                let table = runs.class_ids.clone();
                runs.add_plane(&self.data()?, None, |runs| Meaning::Labels(runs.labels(&table)))?;
            }
            Kind::Layers => self.add_layers(&mut runs)?,
            Kind::Bitmask => self.add_bits(&mut runs)?,
            Kind::Probmap => self.add_probabilities(&mut runs)?,
            _ => runs.paint(|_| true),
        }
        Ok(runs)
    }

    /// Of `classes` those that other declared classes imply, with these.
    ///
    /// Spec: MEDH5 1.0 §5.4.
    fn ancestors(&self, classes: &[i64]) -> Result<Vec<Painted>, ReadError> {
        if self.attributes().text("closure")?.as_deref() != Some("implicit") {
            return Ok(Vec::new());
        }
        let labels = self.sample().document()?.and_then(|document| document.label_set);
        let Some(labels) = labels else { return Ok(Vec::new()) };
        let declared = self.class_set()?;
        let painted = classes.iter().enumerate().map(|(place, class)| {
            let implies = |other: &&i64| labels.ancestors(**other).contains(class);
            let others = declared.iter().filter(implies).copied();
            Painted { place, members: std::iter::once(*class).chain(others).collect() }
        });
        Ok(painted.filter(|painted| painted.members.len() > 1).collect())
    }

    fn add_layers(&self, runs: &mut VoxelRuns) -> Result<(), ReadError> {
        let data = self.data()?;
        let table =
            self.integers("layer_class_ids")?.ok_or_else(|| self.lacks("layer_class_ids"))?;
        let layers = data.shape().first().copied().unwrap_or(0);
        let per_layer = table.len() / usize::try_from(layers).unwrap_or(usize::MAX).max(1);
        let rows: Vec<&[i64]> = table.chunks(per_layer.max(1)).collect();
        let times = |class: &i64| rows.iter().filter(|row| row.contains(class)).count();
        runs.paint(|class| times(class) > 1);
        for (layer, row) in (0..layers).zip(rows) {
            runs.add_plane(&data, Some(layer), |runs| Meaning::Labels(runs.labels(row)))?;
        }
        Ok(())
    }

    fn add_bits(&self, runs: &mut VoxelRuns) -> Result<(), ReadError> {
        let data = self.data()?;
        let bits = self.integers("bit_class_ids")?.ok_or_else(|| self.lacks("bit_class_ids"))?;
        for (plane, row) in (0..).zip(bits.chunks(WORD_BITS)) {
            runs.add_plane(&data, Some(plane), |runs| {
                Meaning::Bits(row.iter().map(|class| runs.place(*class)).collect())
            })?;
        }
        Ok(())
    }

    fn add_probabilities(&self, runs: &mut VoxelRuns) -> Result<(), ReadError> {
        let data = self.data()?;
        let threshold = self.stored_threshold(&data)?;
        for (plane, class) in (0..).zip(self.class_ids()?.unwrap_or_default()) {
            if let Some(place) = runs.place(class) {
                runs.add_plane(&data, Some(plane), |_| Meaning::AtLeast(threshold, place))?;
            }
        }
        Ok(())
    }
}

impl VoxelRuns {
    /// Extents of the voxels, slowest axis first.
    pub(crate) fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The classes that runs are given of, each once, in the order in which the annotation declares them.
    pub(crate) fn class_ids(&self) -> &[i64] {
        &self.class_ids
    }

    /// Extents of a stored chunk along the voxels' axes, and bytes of one element; what boxes should follow.
    pub(crate) fn chunking(&self) -> (Option<&[u64]>, u64) {
        let Some(plane) = self.planes.first() else { return (None, 1) };
        let stacked = usize::from(plane.at.is_some());
        let chunk = plane.data.chunk_dims().and_then(|dims| dims.get(stacked..));
        (chunk, u64::from(plane.data.datatype().size))
    }

    /// Visits the runs of every class inside `region`. Those of one class come in C order and do not overlap.
    ///
    /// # Errors
    /// [`ReadError::File`] when the values cannot be read.
    pub(crate) fn visit(
        &self,
        region: &Region,
        scratch: &mut RunScratch,
        visit: &mut dyn FnMut(Run<'_>),
    ) -> Result<(), ReadError> {
        for plane in &self.planes {
            plane.visit(region, scratch, visit)?;
        }
        for painted in &self.painted {
            self.visit_painted(painted, region, scratch, visit)?;
        }
        Ok(())
    }

    /// Has the classes that pass `test` painted, unless they are already.
    fn paint(&mut self, test: impl Fn(&i64) -> bool) {
        for (place, class) in self.class_ids.iter().enumerate() {
            if test(class) && !self.painted.iter().any(|painted| painted.place == place) {
                self.painted.push(Painted { place, members: vec![*class] });
            }
        }
    }

    fn visit_painted(
        &self,
        Painted { place, members }: &Painted,
        region: &Region,
        scratch: &mut RunScratch,
        visit: &mut dyn FnMut(Run<'_>),
    ) -> Result<(), ReadError> {
        let mut found = |row: &[u64], mask: &[u8]| {
            row_runs::<1>(mask, |at, length, [mark]| {
                if mark != 0 {
                    give(row, at, length, *place, visit);
                }
            });
        };
        match &self.painter {
            Painter::Instances(instances) => {
                let Some(reach) = instances.reach(members, region) else { return Ok(()) };
                scratch.marks.clear();
                scratch.marks.resize(voxels_of(&reach)?, 0);
                for class in members {
                    instances.paint_class(*class, &reach, &mut scratch.marks);
                }
                for_each_row(&reach, 1, &scratch.marks, found);
            }
            Painter::View(view) => {
                let masks: ClassMasks = view.class_masks(region, Some(members))?;
                scratch.marks.clear();
                scratch.marks.resize(voxels_of(region)?, 0);
                for (_, mask) in masks.iter() {
                    for (all, mark) in scratch.marks.iter_mut().zip(mask) {
                        *all |= mark;
                    }
                }
                for_each_row(region, 1, &scratch.marks, &mut found);
            }
        }
        Ok(())
    }

    /// The place of a class that is not painted.
    fn place(&self, class: i64) -> Option<usize> {
        let place = self.class_ids.iter().position(|own| *own == class)?;
        (!self.painted.iter().any(|painted| painted.place == place)).then_some(place)
    }

    /// By label, the place of its class; a class whose mask is painted has none.
    fn labels(&self, classes: &[i64]) -> Vec<u16> {
        let mut places = vec![NO_CLASS; usize::from(u16::MAX) + 1];
        for (at, class) in self.class_ids.iter().enumerate() {
            let label = usize::try_from(*class).ok().filter(|label| *label != 0);
            let is_painted = self.painted.iter().any(|painted| painted.place == at);
            let is_ours = classes.contains(class) && !is_painted;
            if let Some(place) = label.and_then(|label| places.get_mut(label))
                && is_ours
            {
                *place = u16::try_from(at).unwrap_or(NO_CLASS);
            }
        }
        places
    }

    fn add_plane(
        &mut self,
        data: &Dataset,
        at: Option<u64>,
        meaning: impl FnOnce(&Self) -> Meaning,
    ) -> Result<(), ReadError> {
        let Some(number) = data.datatype().number() else {
            return Err(ReadError::value(format!("{} holds no numbers", data.path())));
        };
        require_plausible_scan(data)?;
        let meaning = meaning(self);
        if meaning.says_something() {
            self.planes.push(Plane { data: data.clone(), at, number, meaning });
        }
        Ok(())
    }
}

impl Meaning {
    fn says_something(&self) -> bool {
        match self {
            Self::Labels(places) => places.iter().any(|place| *place != NO_CLASS),
            Self::Bits(places) => places.iter().any(Option::is_some),
            Self::AtLeast(..) => true,
        }
    }
}

impl Plane {
    fn visit(
        &self,
        region: &Region,
        scratch: &mut RunScratch,
        visit: &mut dyn FnMut(Run<'_>),
    ) -> Result<(), ReadError> {
        self.read(region, &mut scratch.bytes)?;
        let bytes = &scratch.bytes;
        match (&self.meaning, self.number) {
            (Meaning::Labels(places), NumberType::U8) => {
                let visit = &mut *visit;
                for_each_row(region, 1, bytes, |row, labels| {
                    row_runs::<1>(labels, |at, length, [label]| {
                        give_label(places, row, at, length, label.into(), visit);
                    });
                });
            }
            (Meaning::Labels(places), NumberType::U16) => {
                for_each_row(region, 2, bytes, |row, labels| {
                    row_runs::<2>(labels, |at, length, label| {
                        give_label(places, row, at, length, u16::from_le_bytes(label), visit);
                    });
                });
            }
            (Meaning::Bits(places), NumberType::U64) => {
                for_each_row(region, 8, bytes, |row, words| {
                    row_runs::<8>(words, |at, length, word| {
                        give_bits(places, row, at, length, u64::from_le_bytes(word), visit);
                    });
                });
            }
            (meaning, number) => {
                meaning.visit_numbers(number, region, bytes, &mut scratch.marks, visit);
            }
        }
        Ok(())
    }

    fn read(&self, region: &Region, bytes: &mut Vec<u8>) -> Result<(), ReadError> {
        let starts = self.at.into_iter().chain(region.iter().map(|range| range.start));
        let extents = region.iter().map(|range| range.end.saturating_sub(range.start));
        let start: Vec<u64> = starts.collect();
        let shape: Vec<u64> = self.at.map(|_| 1).into_iter().chain(extents).collect();
        let element_bytes = self.data.datatype().size as usize;
        bytes.resize(voxels_of(region)?.saturating_mul(element_bytes), 0);
        Ok(self.data.read_bytes(&Window::new(&start, &shape), bytes)?)
    }
}

impl Meaning {
    /// The same for types that labels and bits should not have, and for probabilities: by way of labels and marks.
    fn visit_numbers(
        &self,
        number: NumberType,
        region: &Region,
        bytes: &[u8],
        marks: &mut Vec<u8>,
        visit: &mut dyn FnMut(Run<'_>),
    ) {
        marks.clear();
        match self {
            Self::AtLeast(threshold, class) => {
                for_each_float(number, bytes, |value| marks.push(u8::from(value >= *threshold)));
                for_each_row(region, 1, marks, |row, marks| {
                    row_runs::<1>(marks, |at, length, [mark]| {
                        if mark != 0 {
                            give(row, at, length, *class, visit);
                        }
                    });
                });
            }
            Self::Labels(places) => {
                for_each_float(number, bytes, |value| {
                    marks.extend(values::as_label(value).to_le_bytes());
                });
                for_each_row(region, 2, marks, |row, labels| {
                    row_runs::<2>(labels, |at, length, label| {
                        give_label(places, row, at, length, u16::from_le_bytes(label), visit);
                    });
                });
            }
            // The format allows one type for words of bits; another holds none.
            Self::Bits(_) => {}
        }
    }
}

fn give_label(
    places: &[u16],
    row: &[u64],
    at: u64,
    length: u64,
    label: u16,
    visit: &mut dyn FnMut(Run<'_>),
) {
    match places.get(usize::from(label)) {
        None | Some(&NO_CLASS) => {}
        Some(&class) => give(row, at, length, class.into(), visit),
    }
}

fn give_bits(
    places: &[Option<usize>],
    row: &[u64],
    at: u64,
    length: u64,
    mut word: u64,
    visit: &mut dyn FnMut(Run<'_>),
) {
    while word != 0 {
        let bit = word.trailing_zeros() as usize;
        word &= word - 1;
        if let Some(&Some(class)) = places.get(bit) {
            give(row, at, length, class, visit);
        }
    }
}

fn give(row: &[u64], at: u64, length: u64, class: usize, visit: &mut dyn FnMut(Run<'_>)) {
    /// Grids have two or three spatial axes; what has more is not valid and loses its slowest ones here.
    const AXES: usize = 8;

    let mut start = [0; AXES];
    let row = row.get(row.len().saturating_sub(AXES)..).unwrap_or_default();
    if let Some(start) = start.get_mut(..row.len()) {
        start.copy_from_slice(row);
        if let Some(last) = start.last_mut() {
            *last += at;
        }
        visit(Run { class, start, length });
    }
}

/// Number of voxels of a region.
fn voxels_of(region: &[Range<u64>]) -> Result<usize, ReadError> {
    let extents = region.iter().map(|range| range.end.saturating_sub(range.start));
    let voxels = extents.fold(1_u64, u64::saturating_mul);
    usize::try_from(voxels)
        .ok()
        .filter(|voxels| *voxels < usize::MAX / 8)
        .ok_or_else(|| ReadError::value("a region of voxels is too large"))
}

/// Calls `visit` with each row of `region` along its last axis: its first voxel and its elements.
fn for_each_row(
    region: &Region,
    element_bytes: usize,
    bytes: &[u8],
    mut visit: impl FnMut(&[u64], &[u8]),
) {
    let Some((along, outer)) = region.split_last() else { return };
    let extent = usize::try_from(along.end.saturating_sub(along.start)).unwrap_or(usize::MAX);
    let row_bytes = extent.saturating_mul(element_bytes);
    if row_bytes == 0 {
        return;
    }
    let mut start: Vec<u64> = region.iter().map(|range| range.start).collect();
    for row in bytes.chunks_exact(row_bytes) {
        visit(&start, row);
        for (place, range) in start.iter_mut().zip(outer).rev() {
            *place += 1;
            if *place < range.end {
                break;
            }
            *place = range.start;
        }
    }
}

/// Calls `found` with the place, length and value of every run of equal elements; runs of zeros are passed over.
fn row_runs<const SIZE: usize>(row: &[u8], mut found: impl FnMut(u64, u64, [u8; SIZE])) {
    /// Elements compared at once where neighbours are mostly alike.
    const BLOCK: usize = 32;

    let (elements, _) = row.as_chunks::<SIZE>();
    let mut at = 0;
    while let Some(first) = elements.get(at) {
        let rest = elements.get(at..).unwrap_or_default();
        let is_alike = |block: &&[[u8; SIZE]]| {
            block.iter().fold(0_u32, |others, one| others + u32::from(one != first)) == 0
        };
        let alike = rest.chunks_exact(BLOCK).take_while(is_alike).count() * BLOCK;
        let tail = rest.get(alike..).unwrap_or_default();
        let length = alike + tail.iter().take_while(|one| *one == first).count();
        if first.iter().any(|byte| *byte != 0) {
            found(at as u64, length as u64, *first);
        }
        at += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_without_zeros() {
        let mut row = vec![0, 0, 3, 3, 3, 4];
        row.extend([4; 70]);
        row.extend([0, 7]);
        let mut seen = Vec::new();
        row_runs::<1>(&row, |at, length, [value]| seen.push((at, length, value)));
        assert_eq!(seen, [(2, 3, 3), (5, 71, 4), (77, 1, 7)]);
    }

    #[test]
    fn rows_are_counted_like_an_odometer() {
        let mut starts = Vec::new();
        for_each_row(&[1..3, 4..6, 0..2], 1, &[0; 8], |start, row| {
            assert_eq!(row.len(), 2);
            starts.push(start.to_vec());
        });
        assert_eq!(starts, [[1, 4, 0], [1, 5, 0], [2, 4, 0], [2, 5, 0]]);
    }

    #[test]
    fn each_bit_is_a_run() {
        let mut seen = Vec::new();
        let places = [Some(1), None, Some(0)];
        give_bits(&places, &[5, 2], 3, 4, 0b111, &mut |run| {
            seen.push((run.class, run.start.to_vec(), run.length));
        });
        assert_eq!(seen, [(1, vec![5, 5], 4), (0, vec![5, 5], 4)]);
    }
}

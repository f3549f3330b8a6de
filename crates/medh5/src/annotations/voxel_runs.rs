//! The voxels of each class as runs along the fastest axis, whatever the encoding: what counting and searching need.

mod plane;
mod rows;

use hdf5::Dataset;

use super::class_masks::{ClassMasks, Region};
use super::instance_masks::Instances;
use super::{AnnotationView, Kind};
use crate::ReadError;
use crate::plausible::require_plausible_scan;

use plane::{Meaning, NO_CLASS, Plane};
use rows::{for_each_row, give, row_runs, voxels_of};

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

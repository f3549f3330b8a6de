//! Draws patches from one sample.

use super::choice::Candidate;
use super::foreground::Foreground;
use super::{Edge, Patch, PatchAxis, SamplingError, SamplingOptions, Strategy};
use crate::ReadError;
use crate::annotations::AnnotationView;
use crate::index::SplitMix64;
use crate::sample::Sample;
use crate::validate::Observer;

/// Draws patches from one sample: the volume is known, and what there is to know about its classes was looked up once.
#[derive(Debug)]
pub struct PatchSampler {
    strategy: Strategy,
    foreground_probability: f64,
    edge: Edge,
    grid: String,
    shape: Vec<u64>,
    patch: Vec<u64>,
    annotation: Option<String>,
    foreground: Option<Foreground>,
}

/// What a draw decided before voxels are looked up.
struct Plan {
    numbers: SplitMix64,
    voxel: Option<(Candidate, u64)>,
}

impl PatchSampler {
    /// Prepares draws from `sample`.
    ///
    /// `annotation` is what foreground draws are of: the first one of voxels by name, masks aside, if `None`; on `grid`, if one
    /// is named. Patches are measured on the annotation's grid, or else on `grid`, or else on the reference grid. Without a
    /// current index the labels are looked through here, once, in memory that does not grow with the volume.
    ///
    /// # Errors
    /// [`SamplingError::Options`] when the options make no sense or do not fit the sample, [`SamplingError::Read`] when it cannot be
    /// read.
    pub fn open(
        sample: &Sample,
        annotation: Option<&str>,
        grid: Option<&str>,
        options: &SamplingOptions,
        observer: &dyn Observer,
    ) -> Result<Self, SamplingError> {
        options.check()?;
        let annotation = match annotation {
            Some(name) => Some(named(sample, name)?),
            None => first_of_voxels(sample, grid)?,
        };
        let (grid, shape) = match &annotation {
            Some(annotation) => grid_of(annotation, grid)?,
            None => volume(sample, grid)?,
        };
        let patch = options.patch_of(shape.len())?;
        let foreground = match &annotation {
            Some(annotation) if options.strategy != Strategy::Uniform => {
                Foreground::open(sample, annotation, options, observer)?
            }
            _ => None,
        };
        Ok(Self {
            strategy: options.strategy,
            foreground_probability: options.foreground_probability,
            edge: options.edge,
            grid,
            shape,
            patch,
            annotation: annotation.map(|annotation| annotation.name().to_owned()),
            foreground,
        })
    }

    /// The annotation that foreground draws are of.
    pub fn annotation(&self) -> Option<&str> {
        self.annotation.as_deref()
    }

    /// Draws number `draws.start` to `draws.end` of `seed`. The stream is part of the interface: see [the module](super).
    ///
    /// # Errors
    /// [`ReadError::File`] when the index or the labels cannot be read.
    pub fn draws(&self, seed: u64, draws: std::ops::Range<u64>) -> Result<Vec<Patch>, ReadError> {
        let plans: Vec<Plan> =
            draws.map(|draw| self.plan(SplitMix64::nth(seed, draw))).collect::<Result<_, _>>()?;
        let choices: Vec<(Candidate, u64)> = plans.iter().filter_map(|plan| plan.voxel).collect();
        let mut voxels = match &self.foreground {
            Some(foreground) => foreground.voxels(&choices)?,
            None => Vec::new(),
        }
        .into_iter();
        Ok(plans
            .into_iter()
            .map(|plan| match plan.voxel {
                Some((candidate, _)) => {
                    self.around(candidate.class_id, &voxels.next().unwrap_or_default())
                }
                None => self.anywhere(plan.numbers),
            })
            .collect())
    }

    fn plan(&self, seed: u64) -> Result<Plan, ReadError> {
        let mut numbers = SplitMix64::new(seed);
        let is_foreground = match self.strategy {
            Strategy::Uniform => false,
            Strategy::Foreground => true,
            Strategy::Balanced => numbers.fraction() < self.foreground_probability,
        };
        let voxel = match &self.foreground {
            Some(foreground) if is_foreground => choose(foreground, &mut numbers)?,
            _ => None,
        };
        Ok(Plan { numbers, voxel })
    }

    fn around(&self, class: i64, voxel: &[u64]) -> Patch {
        let axes = voxel.iter().zip(&self.patch).zip(&self.shape);
        let axes = axes
            .map(|((center, size), extent)| PatchAxis::around(*center, *size, *extent, self.edge))
            .collect();
        self.patch(axes, Strategy::Foreground, Some(class))
    }

    fn anywhere(&self, mut numbers: SplitMix64) -> Patch {
        let axes = self.patch.iter().zip(&self.shape);
        let axes =
            axes.map(|(size, extent)| PatchAxis::anywhere(*size, *extent, &mut numbers)).collect();
        self.patch(axes, Strategy::Uniform, None)
    }

    fn patch(&self, axes: Vec<PatchAxis>, strategy: Strategy, class_id: Option<i64>) -> Patch {
        let foreground = self.foreground.as_ref().filter(|_| class_id.is_some());
        Patch {
            axes,
            strategy,
            class_id,
            used_index: foreground.map(Foreground::used_index),
            grid: self.grid.clone(),
        }
    }
}

/// A class and the place of one of its voxels; `None` when there is nothing to draw.
fn choose(
    foreground: &Foreground,
    numbers: &mut SplitMix64,
) -> Result<Option<(Candidate, u64)>, ReadError> {
    let Some(candidate) = foreground.candidates().draw(numbers) else { return Ok(None) };
    match foreground.choices(candidate)? {
        0 => Ok(None),
        choices => Ok(Some((candidate, numbers.below(choices)))),
    }
}

fn named(sample: &Sample, name: &str) -> Result<AnnotationView, SamplingError> {
    let found = sample.annotation(name)?;
    let annotation =
        found.ok_or_else(|| SamplingError::options(format!("there is no annotation `{name}`")))?;
    if annotation.is_of_classes_of_voxels()? {
        return Ok(annotation);
    }
    Err(SamplingError::options(format!("annotation `{name}` has no classes of voxels")))
}

fn first_of_voxels(
    sample: &Sample,
    grid: Option<&str>,
) -> Result<Option<AnnotationView>, ReadError> {
    for annotation in sample.annotations()? {
        let is_there = grid.is_none() || annotation.grid_reference()?.as_deref() == grid;
        if is_there && annotation.is_of_classes_of_voxels()? {
            return Ok(Some(annotation));
        }
    }
    Ok(None)
}

/// The grid of an annotation and its extents; `wanted` must be the same grid.
fn grid_of(
    annotation: &AnnotationView,
    wanted: Option<&str>,
) -> Result<(String, Vec<u64>), SamplingError> {
    let name = annotation.name();
    let grid = annotation.grid_reference()?.unwrap_or_default();
    if let Some(wanted) = wanted.filter(|wanted| *wanted != grid) {
        let reason = format!("annotation `{name}` is on grid `{grid}`, not on `{wanted}`");
        return Err(SamplingError::options(reason));
    }
    let shape = annotation.spatial_shape()?.filter(|shape| !shape.contains(&0));
    let shape = shape
        .ok_or_else(|| SamplingError::options(format!("annotation `{name}` has no voxels")))?;
    Ok((grid, shape))
}

/// The named grid, or the reference grid, with its spatial extents.
fn volume(sample: &Sample, wanted: Option<&str>) -> Result<(String, Vec<u64>), SamplingError> {
    let grid = match wanted {
        Some(name) => sample.grid(name)?,
        None => sample.reference_grid()?,
    };
    let missing = || match wanted {
        Some(name) => SamplingError::options(format!("there is no grid `{name}`")),
        None => SamplingError::options("the sample has no grid to draw on"),
    };
    let grid = grid.ok_or_else(missing)?;
    Ok((grid.name().to_owned(), grid.grid()?.spatial_shape()))
}

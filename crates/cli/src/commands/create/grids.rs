//! The grids of images: one for all that lie alike.

use std::collections::BTreeMap;

use medh5::geometry::{Axis, AxisKind, Grid};

use super::{Create, Named, Report};
use crate::arrays::{ArrayFile, Placement};
use crate::exit::Failure;

/// Grids as they come, with where they are.
pub(super) struct Grids {
    list: Vec<Placed>,
    /// Where arrays are that do not say so.
    said: Option<Placement>,
    fourth_axis: String,
}

struct Placed {
    name: String,
    placement: Placement,
    grid: Grid,
}

impl Grids {
    pub(super) fn of(options: &Create) -> Result<Self, Failure> {
        let said = placement(&options.spacing, &options.origin, &options.direction)?;
        Ok(Self { list: Vec::new(), said, fourth_axis: options.fourth_axis.clone() })
    }

    /// The grid of an image; a new one, if it lies like none before.
    pub(super) fn place(
        &mut self,
        image: &Named,
        file: &ArrayFile,
        report: &mut Report,
    ) -> Result<String, Failure> {
        let misfit = |why: String| Failure::misfit(image.path.display(), why);
        let shape = file.values.shape();
        let placement = self.placement_of(file).map_err(misfit)?;
        let (axis, times) = self.series(file, placement.spacing.len()).map_err(misfit)?;
        let mut grid = placement.grid(shape, axis);
        if let Some((times, units, note)) = times {
            (grid.time_values, grid.time_units) = (Some(times), Some(units));
            report.decided(&image.name, note);
        }
        let is_same = |one: &&Placed| {
            let alike = one.grid.axes == grid.axes && one.grid.time_values == grid.time_values;
            alike && one.placement.difference(&placement).is_none()
        };
        if let Some(known) = self.list.iter().find(is_same) {
            return Ok(known.name.clone());
        }
        let base = image.name.to_lowercase();
        let is_free = |name: &String| !self.list.iter().any(|one| one.name == *name);
        let mut names = std::iter::once(base.clone()).chain((2..).map(|n| format!("{base}_{n}")));
        let name = names.find(is_free).unwrap_or(base);
        report.grid(&name, &grid);
        self.list.push(Placed { name: name.clone(), placement, grid });
        Ok(name)
    }

    /// The grid that a mask lies on.
    pub(super) fn find(&self, mask: &Named, file: &ArrayFile) -> Result<String, Failure> {
        let shape = file.values.shape();
        let of_shape: Vec<&Placed> =
            self.list.iter().filter(|one| one.grid.spatial_shape() == shape).collect();
        let misfit = |why: String| Failure::misfit(mask.path.display(), why);
        let Some(first) = of_shape.first() else {
            let shapes = self.list.iter().map(|one| format!("{:?}", one.grid.spatial_shape()));
            let shapes: Vec<String> = shapes.collect();
            let shapes = shapes.join(", ");
            return Err(misfit(format!("its shape {shape:?} is that of no image ({shapes})")));
        };
        let Some(placement) = &file.placement else {
            return match of_shape.as_slice() {
                [only] => Ok(only.name.clone()),
                _ => Err(misfit(
                    "several images have its shape, and it does not say where it is".into(),
                )),
            };
        };
        let alike = |one: &&&Placed| one.placement.difference(placement).is_none();
        if let Some(found) = of_shape.iter().find(alike) {
            return Ok(found.name.clone());
        }
        let difference = first.placement.difference(placement).unwrap_or_default();
        Err(misfit(format!("it is not where the images are: {difference}")))
    }

    /// The grids by name.
    pub(super) fn into_map(self, patch_hint: &[i64]) -> Result<BTreeMap<String, Grid>, Failure> {
        let mut grids = BTreeMap::new();
        for Placed { name, mut grid, .. } in self.list {
            if !patch_hint.is_empty() {
                if patch_hint.len() != grid.spacing.len() || patch_hint.iter().any(|n| *n < 1) {
                    let axes = grid.spacing.len();
                    return Err(Failure::Usage(format!(
                        "--patch-hint has {axes} numbers, one per axis"
                    )));
                }
                grid.patch_hint = Some(patch_hint.to_vec());
            }
            grids.insert(name, grid);
        }
        Ok(grids)
    }

    fn placement_of(&self, file: &ArrayFile) -> Result<Placement, String> {
        let placement = match (&file.placement, &self.said) {
            (Some(own), _) => own,
            (None, Some(said)) => said,
            (None, None) => {
                return Err(
                    "a NumPy array does not say where its voxels are: give --spacing".into()
                );
            }
        };
        let (axes, rank) = (placement.spacing.len(), file.values.shape().len());
        if rank == axes || rank == axes + 1 {
            Ok(placement.clone())
        } else {
            Err(format!("it has {rank} axes, its spacing {axes}"))
        }
    }

    /// The axis before the spatial ones, and the times of its frames.
    #[expect(clippy::type_complexity, reason = "an axis, and times with their unit and a remark")]
    fn series(
        &self,
        file: &ArrayFile,
        spatial: usize,
    ) -> Result<(Option<Axis>, Option<(Vec<f64>, String, String)>), String> {
        let shape = file.values.shape();
        let Some(&extent) = shape.first().filter(|_| shape.len() > spatial) else {
            return Ok((None, None));
        };
        let axis = |name: &str, kind| Some(Axis { name: name.to_owned(), kind, extent });
        let times = file.series.as_ref().and_then(|series| series.times.clone());
        match (self.fourth_axis.as_str(), times) {
            ("channel", _) => Ok((axis("c", AxisKind::Channel), None)),
            ("auto" | "time", Some((times, unit))) => {
                let note = format!("{extent} frames in time, {unit}, as its header says");
                Ok((axis("t", AxisKind::Time), Some((times, unit.to_owned(), note))))
            }
            ("time", None) => {
                let frames =
                    u32::try_from(extent).map_err(|_| "it has too many frames".to_owned())?;
                let times = (0..frames).map(f64::from).collect();
                let note = "frames in time, numbered: the file has no step between them";
                Ok((axis("t", AxisKind::Time), Some((times, "s".into(), note.into()))))
            }
            _ => Err(format!(
                "its {extent} volumes may be frames in time or channels, and it does not say which: give --fourth-axis"
            )),
        }
    }
}

/// What the options say about where arrays are.
fn placement(
    spacing: &[f64],
    origin: &[f64],
    direction: &[f64],
) -> Result<Option<Placement>, Failure> {
    let axes = spacing.len();
    if axes == 0 {
        return match (origin, direction) {
            ([], []) => Ok(None),
            _ => Err(Failure::Usage("--origin and --direction go with --spacing".into())),
        };
    }
    let wrong = |what: &str, due: usize| Failure::Usage(format!("{what} has {due} numbers here"));
    if !(2..=3).contains(&axes) || spacing.iter().any(|one| !(one.is_finite() && *one > 0.0)) {
        return Err(Failure::Usage("--spacing has two or three positive numbers".into()));
    }
    // Axes run from the slowest to the fastest: upwards, backwards, to the left.
    let identity: Vec<f64> = (0..axes * axes)
        .map(|at| if at / axes + at % axes == axes - 1 { 1.0 } else { 0.0 })
        .collect();
    let direction = match direction.len() {
        0 => identity,
        n if n == axes * axes => direction.to_vec(),
        _ => return Err(wrong("--direction", axes * axes)),
    };
    let origin = match origin.len() {
        0 => vec![0.0; axes],
        n if n == axes => origin.to_vec(),
        _ => return Err(wrong("--origin", axes)),
    };
    Ok(Some(Placement { spacing: spacing.to_vec(), origin, direction, units: "mm" }))
}

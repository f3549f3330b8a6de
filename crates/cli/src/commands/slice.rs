//! `slice`: one plane of an image or an annotation, as a picture or as an array.

mod npy;
mod picture;

use std::path::{Path, PathBuf};

use clap::Args;
use hdf5::{Array, Elements};
use medh5::annotations::AnnotationView;
use medh5::images::{ImageView, PlaneIndex};
use medh5::labels::LabelSet;
use medh5::{ReadError, Sample, values};

use crate::exit::{Failure, Outcome};
use crate::inputs::Input;
use crate::target::{Target, sentence};
use crate::terminal::Terminal;

/// Writes one plane of an image or an annotation to a picture or an array
///
/// The plane is shown as stored: rows and columns follow the order of the axes in the file, not the patient.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  medh5-lite slice case.medh5 images/CT --axis z --at 40 -o plane.png -o plane.npy
  medh5-lite slice case.medh5 annotations/organs --at 40 -o organs.png")]
pub(super) struct Slice {
    #[command(flatten)]
    target: Target,
    /// The image or annotation, such as images/CT or annotations/organs
    object: String,
    /// Where to write: .png for a picture, .npy for the values; repeatable
    #[arg(short, long = "output", value_name = "FILE", required = true)]
    outputs: Vec<PathBuf>,
    /// The axis across the plane: its name in the grid, or 0, 1, 2, slowest first
    #[arg(long, default_value = "0")]
    axis: String,
    /// Place along that axis, in voxels; the middle, if left out
    #[arg(long, value_name = "INDEX")]
    at: Option<u64>,
    /// Place along each axis that is neither spatial nor of channels, such as a time frame
    #[arg(long, value_name = "INDEX", value_delimiter = ',')]
    outer: Vec<u64>,
    /// Level of a pyramid; 0 is the finest
    #[arg(long, default_value = "0")]
    level: usize,
    /// Centre of the shown range, in rescaled values
    #[arg(long, requires = "width", allow_negative_numbers = true)]
    center: Option<f64>,
    /// Width of the shown range; without one: what the file suggests, else the range of the plane
    #[arg(long, requires = "center", allow_negative_numbers = true)]
    width: Option<f64>,
    /// Only this class of the annotation
    #[arg(long, value_name = "ID")]
    class: Option<i64>,
}

/// A plane, ready for both outputs.
struct Plane {
    values: Array,
    picture: picture::Picture,
}

impl Slice {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        for path in &self.outputs {
            form(path)?;
        }
        let (input, sample) = self.target.sample()?;
        let plane = self.plane(&input, &sample)?;
        for path in &self.outputs {
            let written = match form(path)? {
                OutputForm::Png => plane.picture.write_png(path),
                OutputForm::Npy => npy::write(path, &plane.values),
            };
            written.map_err(|error| {
                Failure::about(path.display(), format!("cannot write the plane: {error}"))
            })?;
            terminal.note(&format!(
                "{}: {}",
                path.display(),
                medh5::summary::extent_text(&plane.values.shape)
            ));
        }
        Ok(Outcome::Good)
    }

    fn plane(&self, input: &Input, sample: &Sample) -> Result<Plane, Failure> {
        let about = |error: ReadError| Failure::about(input, sentence(&error));
        let none =
            || Failure::about(input, format!("there is no image or annotation `{}`", self.object));
        match self.object.trim_start_matches('/').split_once('/') {
            Some(("images", name)) => {
                let image = sample.image(name).map_err(about)?.ok_or_else(none)?;
                self.image(&image).map_err(about)
            }
            Some(("annotations", name)) => {
                let annotation = sample.annotation(name).map_err(about)?.ok_or_else(none)?;
                let labels =
                    sample.document().map_err(about)?.and_then(|document| document.label_set);
                self.annotation(&annotation, labels.as_ref()).map_err(about)
            }
            _ => Err(none()),
        }
    }

    fn image(&self, image: &ImageView) -> Result<Plane, ReadError> {
        let (names, extents) = match image.grid()? {
            Some(grid) => (
                grid.attributes().strings("axis_names")?.unwrap_or_default(),
                grid.spatial_extents()?,
            ),
            None => (Vec::new(), None),
        };
        let shape = image.level(self.level)?.map(|data| data.shape().to_vec()).unwrap_or_default();
        let spatial = extents.map_or(shape.len(), |extents| extents.len()).min(shape.len());
        let first = shape.len() - spatial;
        let axis = self.axis(names.get(first..).unwrap_or_default(), spatial)?;
        let index = self.at.unwrap_or_else(|| shape.get(first + axis).copied().unwrap_or(0) / 2);
        let plane = PlaneIndex { axis, index, outer: self.outer.clone() };
        let values = image.plane(self.level, &plane)?;
        let (slope, intercept) = image.rescale()?;
        let stored = values::floats(&values.elements)
            .ok_or_else(|| ReadError::value(format!("{} holds no numbers", image.path())))?;
        let rescaled: Vec<f64> = stored.iter().map(|value| value * slope + intercept).collect();
        let window = self.center.zip(self.width);
        let window = if window.is_some() { window } else { image.display_window()? };
        let picture = picture::Picture::of_image(&values.shape, &rescaled, window);
        Ok(Plane { values, picture })
    }

    fn annotation(
        &self,
        annotation: &AnnotationView,
        labels: Option<&LabelSet>,
    ) -> Result<Plane, ReadError> {
        let no_voxels =
            || ReadError::value(format!("{} is not an annotation of voxels", annotation.path()));
        let shape = annotation.spatial_shape()?.ok_or_else(no_voxels)?;
        let names = match annotation.grid()? {
            Some(grid) => grid.attributes().strings("axis_names")?.unwrap_or_default(),
            None => Vec::new(),
        };
        let axis = self.axis(
            names.get(names.len().saturating_sub(shape.len())..).unwrap_or_default(),
            shape.len(),
        )?;
        let mut region: Vec<_> = shape.iter().map(|&extent| 0..extent).collect();
        if let (3.., Some(range)) = (shape.len(), region.get_mut(axis)) {
            let index = self.at.unwrap_or(range.end / 2);
            *range = index..index.saturating_add(1);
        }
        let extents = region.iter().enumerate().filter(|&(at, _)| shape.len() < 3 || at != axis);
        let extents: Vec<u64> = extents.map(|(_, range)| range.end - range.start).collect();
        let ids = self.class_ids(annotation, &region)?;
        let picture = picture::Picture::of_classes(&extents, &ids, labels);
        Ok(Plane { picture, values: Array { shape: extents, elements: Elements::U16(ids) } })
    }

    /// The class of each voxel, 0 for none; where classes overlap, the one declared last.
    fn class_ids(
        &self,
        annotation: &AnnotationView,
        region: &medh5::annotations::Region,
    ) -> Result<Vec<u16>, ReadError> {
        if annotation.kind()? == Some(medh5::annotations::Kind::Mask) {
            return Ok(annotation.mask(region)?.into_iter().map(u16::from).collect());
        }
        let masks =
            annotation.class_masks(region, self.class.as_ref().map(std::slice::from_ref))?;
        let voxels: u64 = masks.shape.iter().product();
        let mut ids = vec![0; usize::try_from(voxels).unwrap_or(0)];
        for (class, mask) in masks.iter() {
            let class = u16::try_from(class).unwrap_or(0);
            for (id, &inside) in ids.iter_mut().zip(mask) {
                if inside != 0 {
                    *id = class;
                }
            }
        }
        Ok(ids)
    }

    /// The place of the named axis among the spatial ones.
    fn axis(&self, names: &[String], spatial: usize) -> Result<usize, ReadError> {
        let by_number = self.axis.parse().ok().filter(|&axis: &usize| axis < spatial);
        by_number.or_else(|| names.iter().position(|name| *name == self.axis)).ok_or_else(|| {
            let known = names.join(", ");
            ReadError::value(format!(
                "there is no spatial axis `{}` (known: 0 to {}, {known})",
                self.axis,
                spatial.saturating_sub(1)
            ))
        })
    }
}

enum OutputForm {
    Png,
    Npy,
}

fn form(path: &Path) -> Result<OutputForm, Failure> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("png") => Ok(OutputForm::Png),
        Some("npy") => Ok(OutputForm::Npy),
        _ => {
            Err(Failure::Usage(format!("{}: the output must end in .png or .npy", path.display())))
        }
    }
}

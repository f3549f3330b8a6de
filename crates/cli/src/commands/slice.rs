//! `slice`: one plane of an image or an annotation, as a picture or as an array.

mod annotation;
mod image;
mod picture;
mod space;

use std::path::{Path, PathBuf};

use clap::Args;
use hdf5::Array;
use medh5::Sample;
use medh5::summary::extent_text;

use crate::exit::{Failure, Outcome};
use crate::npy;
use crate::target::Target;
use crate::terminal::Terminal;

use picture::Picture;

/// Writes one plane of an image or an annotation to a picture or an array
///
/// The plane is shown as stored: rows and columns follow the order of the axes in the file, not the patient, and one voxel is one
/// pixel, whatever its size. What that is in the world is said on standard error.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  medh5-lite slice case.medh5 images/CT --axis z --at 40 -o plane.png -o plane.npy
  medh5-lite slice case.medh5 annotations/organs --at 40 --class liver -o liver.png")]
pub(super) struct Slice {
    #[command(flatten)]
    target: Target,
    /// The image or annotation, such as images/CT or annotations/organs
    object: String,
    /// Where to write: .png for a picture, .npy for the values; repeatable
    #[arg(short, long = "output", value_name = "FILE", required = true)]
    outputs: Vec<PathBuf>,
    #[command(flatten)]
    place: Place,
}

/// Which plane, and how to show it.
#[derive(Debug, Args)]
struct Place {
    /// The axis across the plane: its name in the grid, or 0, 1, 2, slowest first; the first, if left out
    #[arg(long)]
    axis: Option<String>,
    /// Place along that axis, in voxels; the middle, if left out
    #[arg(long, value_name = "INDEX")]
    at: Option<u64>,
    /// Image: place along each axis that is neither spatial nor of channels, such as a time frame
    #[arg(long, value_name = "INDEX", value_delimiter = ',')]
    outer: Vec<u64>,
    /// Image: level of a pyramid; 0, the finest, if left out
    #[arg(long)]
    level: Option<usize>,
    /// Image: centre of the shown range, in rescaled values
    #[arg(long, requires = "width", allow_negative_numbers = true)]
    center: Option<f64>,
    /// Image: width of the shown range; without one: what the file suggests, else the range of the plane
    #[arg(long, requires = "center", allow_negative_numbers = true, value_parser = positive)]
    width: Option<f64>,
    /// Annotation: only this class, by its id or by its key in the label set
    #[arg(long, value_name = "CLASS")]
    class: Option<String>,
}

/// A plane, ready for both outputs.
struct Plane {
    values: Array,
    picture: Picture,
    /// Size of a pixel in the world, for people.
    scale: Option<String>,
}

impl Slice {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        for path in &self.outputs {
            form(path)?;
        }
        let (input, sample) = self.target.sample()?;
        let plane = self.plane(&sample).map_err(|failure| failure.in_file(&input))?;
        let scale = plane.scale.as_ref().map(|scale| format!(", {scale}")).unwrap_or_default();
        for path in &self.outputs {
            let written = match form(path)? {
                OutputForm::Png => plane.picture.write_png(path),
                OutputForm::Npy => npy::write(path, &plane.values),
            };
            written.map_err(|error| {
                Failure::about(path.display(), format!("cannot write the plane: {error}"))
            })?;
            let shape = extent_text(&plane.values.shape);
            terminal.note(&format!("{}: {shape}{scale}", path.display()));
        }
        Ok(Outcome::Good)
    }

    fn plane(&self, sample: &Sample) -> Result<Plane, Failure> {
        let none = || Failure::Usage(format!("there is no image or annotation `{}`", self.object));
        match self.object.trim_start_matches('/').split_once('/') {
            Some(("images", name)) => {
                image::plane(sample, &sample.image(name)?.ok_or_else(none)?, &self.place)
            }
            Some(("annotations", name)) => {
                let annotation = sample.annotation(name)?.ok_or_else(none)?;
                let labels = sample.document()?.and_then(|document| document.label_set);
                annotation::plane(&annotation, labels.as_ref(), &self.place)
            }
            _ => Err(none()),
        }
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let width = text.parse().map_err(|_| "this is no number")?;
    if width > 0.0 { Ok(width) } else { Err("a width is more than 0".into()) }
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

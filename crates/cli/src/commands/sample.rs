//! `sample`: patches as a training loop would draw them.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use hdf5::{Array, Elements};
use medh5::labels::LabelSet;
use medh5::sampling::{
    ClassWeights, Edge, Patch, PatchSampler, SamplingError, SamplingOptions, Strategy,
};
use medh5::validate::Silent;
use medh5::{ReadError, Sample};
use serde_json::{Value, json};

use crate::class;
use crate::exit::{Failure, Outcome};
use crate::npy;
use crate::table::Table;
use crate::target::Target;
use crate::terminal::{Terminal, stdout};

/// Draws patches: around voxels of a class, or anywhere in the volume
///
/// The same seed gives the same patches on every machine and in every release. Voxels of a class come from the sampling index
/// where it is current; otherwise the labels are looked through, and the report says so (`used_index`).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  medh5-lite sample case.medh5 --annotation organs --class liver --patch 96 --n 100 --json
  medh5-lite sample case.medh5 --patch 32,64,64 --strategy balanced --seed 7 --save patches/")]
pub(super) struct SampleCommand {
    #[command(flatten)]
    target: Target,
    /// The annotation whose classes are drawn; the first one of voxels, if left out
    #[arg(long, value_name = "NAME")]
    annotation: Option<String>,
    /// Draw around this class, by its id or its key in the label set; repeatable; all classes, if left out
    #[arg(long = "class", value_name = "CLASS")]
    classes: Vec<String>,
    /// Measure patches on this grid; that of the annotation, if left out
    #[arg(long, value_name = "GRID")]
    grid: Option<String>,
    /// Extent of a patch in voxels: one number, or one per axis, slowest first
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "64")]
    patch: Vec<u64>,
    /// Number of patches
    #[arg(short, long, default_value = "1", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    n: u64,
    /// Where: around the classes, anywhere, or one or the other; around the classes, if --class is given
    #[arg(long, value_parser = ["uniform", "foreground", "balanced"])]
    strategy: Option<String>,
    /// Under --strategy balanced: how often a patch is around a class
    #[arg(long, value_name = "P", default_value = "0.5")]
    foreground_prob: f64,
    /// How likely each class is: all alike, by its voxels, by one over its voxels, or CLASS=WEIGHT,…
    #[arg(long, value_name = "WEIGHTS", default_value = "uniform")]
    class_weights: String,
    /// Near the edge, move the patch inwards, or keep the voxel in its middle and pad
    #[arg(long, value_name = "HOW", default_value = "clamp", value_parser = ["clamp", "pad"])]
    edge: String,
    /// Seed of the draws
    #[arg(long, default_value = "0")]
    seed: u64,
    /// Also write the patches of every image and annotation on that grid to this folder, as .npy files
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl SampleCommand {
    pub(super) fn run(self, _: Terminal) -> Result<Outcome, Failure> {
        let (input, sample) = self.target.sample()?;
        let about = |error: ReadError| Failure::about(&input, error.sentence());
        let labels = sample.document().map_err(about)?.and_then(|document| document.label_set);
        let options = self.options(labels.as_ref())?;
        let annotation = self.annotation.as_deref();
        let sampler =
            PatchSampler::open(&sample, annotation, self.grid.as_deref(), &options, &Silent);
        let sampler = sampler.map_err(|error| match error {
            SamplingError::Read(error) => about(error),
            error => Failure::misfit(&input, error),
        })?;
        let patches = sampler.draws(self.seed, 0..self.n).map_err(about)?;
        if let Some(folder) = &self.save {
            save(folder, &sample, &patches)?;
        }
        let mut out = stdout();
        if self.json {
            let report = json!({
                "path": input.to_string(),
                "annotation": sampler.annotation(),
                "seed": self.seed,
                "patches": patches.iter().map(as_json).collect::<Vec<_>>(),
            });
            serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            write(&patches, &mut out)?;
        }
        out.flush()?;
        Ok(Outcome::Good)
    }

    fn options(&self, labels: Option<&LabelSet>) -> Result<SamplingOptions, Failure> {
        let named = |name: &String| class::id(name, labels);
        let classes = self.classes.iter().map(named).collect::<Result<Vec<_>, _>>()?;
        let default = if classes.is_empty() { Strategy::default() } else { Strategy::Foreground };
        let by_name = |name: &str| Strategy::ALL.into_iter().find(|one| one.name() == name);
        Ok(SamplingOptions {
            patch: self.patch.clone(),
            strategy: self.strategy.as_deref().and_then(by_name).unwrap_or(default),
            foreground_probability: self.foreground_prob,
            classes: (!classes.is_empty()).then_some(classes),
            weights: self.weights(labels)?,
            edge: if self.edge == "pad" { Edge::Pad } else { Edge::Clamp },
        })
    }

    fn weights(&self, labels: Option<&LabelSet>) -> Result<ClassWeights, Failure> {
        let known = "uniform, frequency, inverse_frequency, or CLASS=WEIGHT,…";
        let wrong = |part: &str| {
            Failure::Usage(format!("`{part}` is no weighting of classes (known: {known})"))
        };
        match self.class_weights.as_str() {
            "uniform" => return Ok(ClassWeights::Uniform),
            "frequency" => return Ok(ClassWeights::Frequency),
            "inverse_frequency" => return Ok(ClassWeights::InverseFrequency),
            _ => {}
        }
        let pair = |part: &str| {
            let (name, weight) = part.split_once('=').ok_or_else(|| wrong(part))?;
            Ok((class::id(name, labels)?, weight.parse().map_err(|_| wrong(part))?))
        };
        let pairs = self.class_weights.split(',').map(pair);
        pairs.collect::<Result<_, Failure>>().map(ClassWeights::Explicit)
    }
}

fn as_json(patch: &Patch) -> Value {
    let axes = &patch.axes;
    json!({
        "start": axes.iter().map(|axis| axis.start).collect::<Vec<_>>(),
        "stop": axes.iter().map(|axis| axis.stop).collect::<Vec<_>>(),
        "pad": axes.iter().map(|axis| axis.pad).collect::<Vec<_>>(),
        "center": axes.iter().map(|axis| axis.center).collect::<Vec<_>>(),
        "strategy": patch.strategy.name(),
        "class_id": patch.class_id,
        "used_index": patch.used_index,
        "grid_id": patch.grid,
    })
}

fn write(patches: &[Patch], out: &mut dyn Write) -> std::io::Result<()> {
    let mut table = Table::new(&["patch", "center", "class", "voxels from", "padding"]);
    for patch in patches {
        let join = |parts: Vec<String>| parts.join(" ");
        let range = |axis: &medh5::sampling::PatchAxis| format!("{}:{}", axis.start, axis.stop);
        let pad = |axis: &medh5::sampling::PatchAxis| format!("{}+{}", axis.pad[0], axis.pad[1]);
        let is_padded = patch.axes.iter().any(|axis| axis.pad != [0; 2]);
        table.row([
            join(patch.axes.iter().map(range).collect()),
            join(patch.axes.iter().map(|axis| axis.center.to_string()).collect()),
            patch.class_id.map_or_else(|| "anywhere".into(), |class| class.to_string()),
            match patch.used_index {
                Some(true) => "index".into(),
                Some(false) => "labels".into(),
                None => String::new(),
            },
            if is_padded { join(patch.axes.iter().map(pad).collect()) } else { String::new() },
        ]);
    }
    table.write("", out)
}

/// Writes `NUMBER-images-NAME.npy` and `NUMBER-annotations-NAME.npy`: stored values, and one mask per class.
fn save(folder: &Path, sample: &Sample, patches: &[Patch]) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::about(folder.display(), format!("cannot be made: {error}")))?;
    let about = |path: &str, error: ReadError| Failure::about(path, error.sentence());
    let list = |error: ReadError| Failure::Failed(error.sentence());
    let (images, annotations) =
        (sample.images().map_err(list)?, sample.annotations().map_err(list)?);
    for (number, patch) in patches.iter().enumerate() {
        let put = |kind: &str, name: &str, array: &Array| {
            let path = folder.join(format!("{number:05}-{kind}-{name}.npy"));
            npy::write(&path, array)
                .map_err(|error| Failure::about(path.display(), format!("cannot write: {error}")))
        };
        for image in &images {
            if image.grid_reference().map_err(list)?.as_deref() == Some(&patch.grid) {
                let array = patch.image(image, 0.0).map_err(|e| about(image.path(), e))?;
                put("images", image.name(), &array)?;
            }
        }
        for annotation in &annotations {
            let is_there =
                annotation.grid_reference().map_err(list)?.as_deref() == Some(&patch.grid);
            if is_there && annotation.is_of_classes_of_voxels().map_err(list)? {
                let masks =
                    patch.labels(annotation, None).map_err(|e| about(annotation.path(), e))?;
                let classes = masks.class_ids.len() as u64;
                let shape = std::iter::once(classes).chain(masks.shape).collect();
                let array = Array { shape, elements: Elements::U8(masks.values) };
                put("annotations", annotation.name(), &array)?;
            }
        }
    }
    Ok(())
}

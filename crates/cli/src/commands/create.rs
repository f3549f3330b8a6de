//! `create`: a sample from arrays that people have.

mod grids;
mod labels;
mod report;
mod words;

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use medh5::index::IndexOptions;
use medh5::storage::Profile;
use medh5::write::{
    Author, Encoding, Header, Levels, Masks, NewImage, NewSample, Segmentation, WriteError,
};

use crate::arrays::{self, ArrayFile};
use crate::batch;
use crate::exit::{Failure, Outcome};
use crate::interrupt;
use crate::progress::Progress;
use crate::terminal::Terminal;

use grids::Grids;
use labels::Labels;
use report::Report;
use words::{Named, named};

/// Makes a sample of images and masks: NIfTI volumes (.nii, .nii.gz) and NumPy arrays (.npy)
///
/// NIfTI says where its voxels are; a NumPy array needs --spacing. What is not said is not guessed: the command refuses, or takes
/// what an option says. Everything that was decided is reported. Arrays without compression are read when they are written, so a
/// volume never has to fit in memory.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(after_help = "Examples:
  medh5-lite create case.medh5 --image CT=ct.nii.gz --mask liver=liver.nii.gz --mask tumour=tumour.nii.gz --index
  medh5-lite create case.medh5 --image MR=mr.npy --spacing 3,1,1 --sample-id case-1 --dry-run")]
pub(super) struct Create {
    /// The sample to write
    out: PathBuf,
    /// An image and its name, such as CT=ct.nii.gz; repeatable
    #[arg(long = "image", value_name = "NAME=PATH", required = true)]
    images: Vec<String>,
    /// A mask and the key of its class, such as liver=liver.nii.gz: one value beside 0; repeatable
    #[arg(long = "mask", value_name = "NAME=PATH")]
    masks: Vec<String>,
    /// A mask of voxels that are neither inside nor outside of any class
    #[arg(long, value_name = "PATH")]
    ignore: Option<PathBuf>,
    /// Name of the annotation
    #[arg(long, value_name = "NAME", default_value = "seg")]
    annotation: String,
    /// How masks are stored; what suits them, if left out
    #[arg(long, value_name = "KIND", value_parser = ["auto", "labelmap", "layers", "bitmask", "instances", "probmap"], default_value = "auto")]
    encoding: String,
    /// A label set as JSON, whose classes the masks are by key; without one, classes are numbered as the masks come
    #[arg(long, value_name = "FILE")]
    label_set: Option<PathBuf>,
    /// Modality of an image; that of its name, if that is one; repeatable
    #[arg(long = "modality", value_name = "NAME=CODE")]
    modalities: Vec<String>,
    /// Unit of an image's values, which are quantities then; repeatable
    #[arg(long = "value-units", value_name = "NAME=UNIT")]
    value_units: Vec<String>,
    /// Of .npy: distance of voxels in mm, slowest axis first
    #[arg(long, value_name = "Z,Y,X", value_delimiter = ',')]
    spacing: Vec<f64>,
    /// Of .npy: centre of the first voxel in the world L, P, S; 0, if left out
    #[arg(long, value_name = "L,P,S", value_delimiter = ',', allow_negative_numbers = true)]
    origin: Vec<f64>,
    /// Of .npy: directions of the axes in the world, as columns, row by row; axes along S, P, L, if left out
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', allow_negative_numbers = true)]
    direction: Vec<f64>,
    /// What the axis before the spatial ones is; auto takes what the file says
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = ["auto", "time", "channel"])]
    fourth_axis: String,
    /// Take a NIfTI file that does not say where its voxels are by its spacing alone
    #[arg(long)]
    assume_geometry: bool,
    /// Patch that training will read, in voxels, slowest axis first: chunks are made to fit
    #[arg(long, value_name = "Z,Y,X", value_delimiter = ',')]
    patch_hint: Vec<i64>,
    /// How bulk data are compressed
    #[arg(long, visible_aliases = ["codec", "profile-storage"], value_name = "PROFILE", default_value = Profile::default().name(), value_parser = PossibleValuesParser::new(Profile::ALL.map(Profile::name)))]
    profile: String,
    /// Also compute the sampling index
    #[arg(long)]
    index: bool,
    /// Name of the sample; the name of the file, if left out
    #[arg(long, value_name = "ID")]
    sample_id: Option<String>,
    /// Pseudonym of the subject; the name of the sample, if left out
    #[arg(long, value_name = "ID")]
    subject_id: Option<String>,
    /// Replace a file that is there
    #[arg(long)]
    force: bool,
    /// Read what there is, say what was decided, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Threads; as many as there are processors, if left out
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(batch::JOBS))]
    jobs: Option<u16>,
    /// The report as JSON
    #[arg(long)]
    json: bool,
}

impl Create {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        if !self.force && !self.dry_run && self.out.exists() {
            let why = "there is such a file already; --force replaces it";
            return Err(Failure::misfit(self.out.display(), why));
        }
        if self.out.extension().is_none_or(|extension| extension != "medh5") {
            let why = "a sample is called NAME.medh5, or nobody finds it in a folder";
            return Err(Failure::misfit(self.out.display(), why));
        }
        batch::set_jobs(self.jobs.map(usize::from))?;
        let mut report = Report::default();
        let mut sample = self.sample(&mut report)?;
        if self.dry_run {
            report.planned(&sample);
        } else {
            sample.index = self.index.then(IndexOptions::default);
            interrupt::listen();
            let progress = Progress::of_one(&self.out.display().to_string(), terminal);
            let created = sample.write(&self.out, self.force, &progress);
            progress.clear();
            match created {
                Ok(created) => report.created(created),
                Err(error) if error.is_interruption() => {
                    terminal.note("interrupted: nothing was written");
                    return Ok(Outcome::Interrupted);
                }
                Err(named @ WriteError::System { .. }) => {
                    return Err(Failure::Failed(named.to_string()));
                }
                Err(error) => return Err(Failure::about(self.out.display(), error)),
            }
        }
        report.print(&self.out, self.dry_run, self.json)?;
        Ok(Outcome::Good)
    }

    fn sample(&self, report: &mut Report) -> Result<NewSample, Failure> {
        let stem = self.out.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let sample_id = self.sample_id.clone().unwrap_or(stem);
        let subject_id = self.subject_id.clone().unwrap_or_else(|| sample_id.clone());
        let mut sample = NewSample::new(&sample_id, &subject_id);
        sample.storage.profile = Profile::parse(&self.profile).unwrap_or_default();
        let mut grids = Grids::of(self)?;
        for image in named(&self.images)? {
            self.add_image(&image, &mut sample, &mut grids, report)?;
        }
        self.warn_of_strangers(&sample)?;
        if !self.masks.is_empty() {
            self.add_masks(&mut sample, &grids, report)?;
        } else if self.ignore.is_some() {
            return Err(Failure::Usage("--ignore goes with masks".into()));
        }
        sample.grids = grids.into_map(&self.patch_hint)?;
        let made = sample.made_by(&Author::this_program(), "import", "medh5-lite create");
        sample.images.values_mut().for_each(|image| image.prov = Some(made.clone()));
        Ok(sample)
    }

    fn add_image(
        &self,
        image: &Named,
        sample: &mut NewSample,
        grids: &mut Grids,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let file = self.open(image, report)?;
        if sample.images.contains_key(&image.name) {
            return Err(Failure::Usage(format!("there are two images `{}`", image.name)));
        }
        let grid = grids.place(image, &file, report)?;
        let modality = words::modality(&image.name, &self.modalities, report)?;
        let mut new = NewImage::new(&grid, &modality, file.values);
        if let Some((slope, intercept)) = file.rescale {
            (new.rescale_slope, new.rescale_intercept) = (Some(slope), Some(intercept));
            let what = format!("stored as it is, with the file's scale: × {slope} + {intercept}");
            report.decided(&image.name, what);
        }
        if let Some(unit) = words::of(&image.name, &self.value_units)? {
            new.value_type = "quantitative".into();
            new.value_units = Some(unit);
        }
        let Levels::Single(values) = &new.levels else { return Ok(()) };
        report.image(&image.name, &grid, values.shape());
        sample.images.insert(image.name.clone(), new);
        Ok(())
    }

    fn add_masks(
        &self,
        sample: &mut NewSample,
        grids: &Grids,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let masks = named(&self.masks)?;
        let labels = match &self.label_set {
            Some(file) => Labels::read(file)?,
            None => Labels::minted(&masks)?,
        };
        let mut arrays = Vec::new();
        let mut on: Option<(String, String)> = None;
        for mask in &masks {
            let file = self.open(mask, report)?;
            let grid = grids.find(mask, &file)?;
            match &on {
                Some((other, name)) if *other != grid => {
                    return Err(Failure::misfit(
                        mask.path.display(),
                        format!(
                            "it is on the grid `{grid}`, the mask `{name}` on `{other}`; one annotation is on one grid"
                        ),
                    ));
                }
                _ => on = Some((grid, mask.name.clone())),
            }
            arrays.push((labels.id(mask)?, file.values));
        }
        let Some((grid, _)) = on else { return Ok(()) };
        let ignore = match &self.ignore {
            Some(path) => {
                let mask = Named { name: "ignore".into(), path: path.clone() };
                let file = self.open(&mask, report)?;
                let found = grids.find(&mask, &file)?;
                if found != grid {
                    let why = format!("it is on the grid `{found}`, the masks on `{grid}`");
                    return Err(Failure::misfit(path.display(), why));
                }
                Some(file.values)
            }
            None => None,
        };
        let header = Header { grid: Some(grid), ..Header::default() };
        // The writer knows classes by their ids, the user masks by their keys.
        let keys: Vec<String> =
            arrays.iter().map(|(id, _)| format!("{id} is {}", labels.key(*id))).collect();
        let about =
            |error| Failure::about("the masks", format!("{error} (class {})", keys.join(", ")));
        let encoding = words::encoding(&self.encoding).map_or(Encoding::Auto, Encoding::As);
        let Segmentation { annotation, ignore, voxels } = Masks::new(arrays)
            .and_then(|masks| masks.encode(&self.annotation, header, encoding, ignore.as_ref(), 1))
            .map_err(about)?;
        report.annotation(&self.annotation, annotation.kind, &voxels, &labels);
        if let Some(ignore) = ignore {
            let name = format!("{}_ignore", self.annotation);
            report.decided(&self.annotation, format!("ignored voxels are the mask `{name}`"));
            sample.annotations.insert(name, ignore);
        }
        sample.annotations.insert(self.annotation.clone(), annotation);
        sample.document.insert("label_set".into(), labels.into_value());
        Ok(())
    }

    fn open(&self, named: &Named, report: &mut Report) -> Result<ArrayFile, Failure> {
        let file = arrays::open(&named.path, self.assume_geometry)
            .map_err(|why| Failure::about(named.path.display(), why))?;
        for note in &file.notes {
            report.decided(&named.name, note.clone());
        }
        Ok(file)
    }

    /// Options about images that are not there are mistakes.
    fn warn_of_strangers(&self, sample: &NewSample) -> Result<(), Failure> {
        for option in self.modalities.iter().chain(&self.value_units) {
            let name = option.split_once('=').map_or(option.as_str(), |(name, _)| name);
            if !sample.images.contains_key(name) {
                return Err(Failure::Usage(format!("`{option}`: there is no image `{name}`")));
            }
        }
        Ok(())
    }
}

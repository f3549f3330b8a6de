//! `index build`: computes sampling indices, in place.

use std::path::Path;

use clap::Args;
use medh5::ReadError;
use medh5::index::IndexOptions;
use medh5::validate::Observer;
use medh5::write::{Edit, WriteError};
use serde_json::{Value, json};

use crate::each::Finding;
use crate::exit::{Failure, Outcome};
use crate::rewriting::RewriteArgs;
use crate::terminal::{Paint, Terminal};

/// Builds or refreshes sampling indices, in place
///
/// Every annotation of voxels gets an entry: voxel counts, boxes, foreground coordinates, and a coarse map of where each class is.
/// The index is derived data: digests and `content_id` stay what they are. A file that fails is left as it was.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  medh5-lite index build case.medh5
  medh5-lite index build cohort/ --max-coords 1000 --seed 7 --jobs 8 --json")]
pub(super) struct Build {
    #[command(flatten)]
    files: RewriteArgs,
    /// How many foreground coordinates to store per class
    #[arg(long, value_name = "N", default_value = "4096", value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    max_coords: u64,
    /// Extent of a block of the coarse map along each axis, in voxels; 0 makes no map
    #[arg(long, value_name = "K", default_value = "8")]
    occupancy: u64,
    /// Decides which coordinates are stored of classes that have more
    #[arg(long, default_value = "0", allow_negative_numbers = true)]
    seed: i64,
    /// Only this annotation; repeatable
    #[arg(long = "annotation", value_name = "NAME")]
    annotations: Vec<String>,
    /// Also declare the profile `training`; `content_id` speaks of profiles, so it changes
    #[arg(long)]
    declare_training: bool,
}

/// The annotations of one file that have an entry now, or would have.
struct Built {
    annotations: Vec<String>,
    is_dry_run: bool,
}

impl Build {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let files = self.files.files()?;
        self.files.each(&files, terminal, |input, observer| {
            let annotations = self.build(&input.path, observer)?;
            Ok(Built { annotations, is_dry_run: self.files.dry_run })
        })
    }

    fn build(&self, path: &Path, observer: &dyn Observer) -> Result<Vec<String>, WriteError> {
        let mut edit = Edit::open(path)?;
        let options = IndexOptions {
            max_coords: self.max_coords,
            occupancy: (self.occupancy > 0).then_some(self.occupancy),
            seed: self.seed,
        };
        let names = (!self.annotations.is_empty()).then_some(self.annotations.as_slice());
        let known = edit.sample().annotations()?;
        let unknown =
            self.annotations.iter().find(|name| !known.iter().any(|one| one.name() == *name));
        if let Some(name) = unknown {
            return Err(ReadError::value(format!("there is no annotation `{name}`")).into());
        }
        let built = edit.build_index(names, options, observer)?;
        if self.files.dry_run || built.is_empty() {
            return Ok(built);
        }
        if self.declare_training {
            edit.declare_training()?;
        }
        edit.commit(observer)?;
        Ok(built)
    }
}

impl Finding for Built {
    fn is_good(&self) -> bool {
        true
    }

    fn lines(&self, name: &str, _: Paint) -> Vec<String> {
        let verb = if self.is_dry_run { "would build" } else { "built" };
        vec![match self.annotations.as_slice() {
            [] => format!("{name}: no annotation of voxels to index"),
            annotations => format!("{name}: {verb} index for {}", annotations.join(", ")),
        }]
    }

    fn as_json(&self, name: &str) -> Value {
        json!({ "path": name, "built": self.annotations })
    }

    /// By file: its annotations, or why there are none.
    fn report(list: Vec<Value>) -> Value {
        let entry = |mut file: Value| {
            let name = file["path"].as_str().unwrap_or_default().to_owned();
            (name, if file["built"].is_array() { file["built"].take() } else { file })
        };
        Value::Object(list.into_iter().map(entry).collect())
    }
}

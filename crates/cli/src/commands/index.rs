//! `index`: what the sampling index knows, without a look at the voxels; `index build` makes one.

mod build;

use std::io::Write;

use clap::{Args, Subcommand};
use medh5::ReadError;
use medh5::summary::IndexSummary;
use serde_json::json;

use crate::class;
use crate::exit::{Failure, Outcome};
use crate::table::Table;
use crate::target::Target;
use crate::terminal::{Terminal, stdout};

/// Shows the sampling index: classes, voxel counts, bounding boxes, and whether it is current
///
/// With --draw CLASS: one foreground voxel of that class, the same one for the same seed.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "Examples:
  medh5-lite index case.medh5
  medh5-lite index case.medh5 --annotation organs --draw 2 --seed 7 --json
  medh5-lite index build case.medh5")]
pub(super) struct Index {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    target: Option<Target>,
    /// Only this annotation
    #[arg(long, value_name = "NAME")]
    annotation: Option<String>,
    /// Draw a foreground voxel of this class: its id, or its key in the label set
    #[arg(long, value_name = "CLASS")]
    draw: Option<String>,
    /// Seed of the draw
    #[arg(long, default_value = "0", requires = "draw")]
    seed: u64,
    /// As JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Build(build::Build),
}

impl Index {
    pub(super) fn run(mut self, terminal: Terminal) -> Result<Outcome, Failure> {
        match (self.verb.take(), self.target.take()) {
            (Some(Verb::Build(build)), _) => build.run(terminal),
            (None, Some(target)) => self.show(&target, terminal),
            (None, None) => Err(Failure::Usage("name a file, or `build`".into())),
        }
    }

    fn show(&self, target: &Target, terminal: Terminal) -> Result<Outcome, Failure> {
        let (input, sample) = target.sample()?;
        let about = |error: ReadError| Failure::about(&input, error.sentence());
        let labels = sample.document().map_err(about)?.and_then(|document| document.label_set);
        let names = match &self.annotation {
            Some(name) => vec![name.clone()],
            None => sample.indexed_annotations().map_err(about)?,
        };
        if names.is_empty() {
            return Err(Failure::about(&input, "this sample has no sampling index"));
        }
        let class =
            self.draw.as_deref().map(|name| class::id(name, labels.as_ref())).transpose()?;
        let mut entries = Vec::new();
        for name in names {
            let entry = sample.index_entry(&name).map_err(about)?;
            let entry = entry
                .ok_or_else(|| Failure::misfit(&input, format!("there is no index of `{name}`")))?;
            let mut shown = IndexSummary::of(&entry, &sample, labels.as_ref()).map_err(about)?;
            if let Some(class) = class {
                shown.draw = entry.draw(class, self.seed).map_err(about)?.map(Into::into);
            }
            entries.push(shown);
        }
        if let Some(class) = class {
            require_known(class, &entries).map_err(|failure| failure.in_file(&input))?;
        }
        let mut out = stdout();
        if self.json {
            let report = json!({ "path": input.to_string(), "entries": entries });
            serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            for entry in &entries {
                write(entry, terminal, &mut out)?;
            }
        }
        out.flush()?;
        Ok(Outcome::Good)
    }
}

/// A class that no entry knows cannot be drawn; one without voxels can be asked for.
fn require_known(class: i64, entries: &[IndexSummary]) -> Result<(), Failure> {
    let mut known = entries.iter().flat_map(|entry| &entry.classes);
    if known.any(|known| known.class_id == class) {
        return Ok(());
    }
    Err(Failure::Usage(format!("the index does not know the class {class}")))
}

fn write(entry: &IndexSummary, terminal: Terminal, out: &mut dyn Write) -> std::io::Result<()> {
    let paint = terminal.paint;
    let state = if entry.current { paint.good("current") } else { paint.warning("stale") };
    let max = entry.max_coords.map_or_else(|| "?".into(), |max| max.to_string());
    writeln!(
        out,
        "{}  {state}, up to {max} coordinates per class",
        paint.strong(&entry.annotation)
    )?;
    let mut table = Table::new(&["class", "key", "voxels", "box (voxels, first to last)"]);
    for class in &entry.classes {
        table.row([
            class.class_id.to_string(),
            class.key.clone().unwrap_or_default(),
            class.voxel_count.to_string(),
            class.bounding_box.as_deref().map(span).unwrap_or_default(),
        ]);
    }
    table.write("  ", out)?;
    if let Some(draw) = &entry.draw {
        writeln!(out, "  drawn: voxel {:?}", draw.voxel)?;
    }
    Ok(())
}

/// Bounds lie half a voxel outside the first and the last voxel.
fn span(bounds: &[[f64; 2]]) -> String {
    let axes = bounds.iter().map(|[low, high]| format!("{}..{}", low + 0.5, high - 0.5));
    axes.collect::<Vec<_>>().join(" ")
}

//! `index`: what the sampling index knows, without a look at the voxels.

use std::io::Write;

use clap::Args;
use medh5::index::{Draw, IndexEntry, IndexedClass};
use medh5::labels::LabelSet;
use medh5::validate::Silent;
use medh5::{ReadError, Sample};
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::table::Table;
use crate::target::{Target, sentence};
use crate::terminal::Terminal;

/// Shows the sampling index: classes, voxel counts, bounding boxes, and whether it is current
///
/// With --draw CLASS: one foreground voxel of that class, the same one for the same seed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  medh5-lite index case.medh5
  medh5-lite index case.medh5 --annotation organs --draw 2 --seed 7 --json")]
pub(super) struct Index {
    #[command(flatten)]
    target: Target,
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

/// An entry as it is shown.
struct Shown {
    annotation: String,
    is_current: bool,
    max_coords: Option<i64>,
    seed: Option<i64>,
    classes: Vec<IndexedClass>,
    draw: Option<Draw>,
}

impl Index {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let (input, sample) = self.target.sample()?;
        let about = |error: ReadError| Failure::about(&input, sentence(&error));
        let labels = sample.document().map_err(about)?.and_then(|document| document.label_set);
        let names = match &self.annotation {
            Some(name) => vec![name.clone()],
            None => sample.indexed_annotations().map_err(about)?,
        };
        if names.is_empty() {
            return Err(Failure::about(&input, "this sample has no sampling index"));
        }
        let class = self.draw.as_deref().map(|name| class_id(name, labels.as_ref())).transpose()?;
        let mut entries = Vec::new();
        for name in names {
            let entry = sample.index_entry(&name).map_err(about)?;
            let entry = entry
                .ok_or_else(|| Failure::about(&input, format!("there is no index of `{name}`")))?;
            entries.push(self.shown(&sample, &entry, class).map_err(about)?);
        }
        let mut out = terminal.stdout();
        if self.json {
            let list: Vec<_> = entries.iter().map(|entry| entry.as_json(labels.as_ref())).collect();
            let report = json!({ "path": input.to_string(), "entries": list });
            serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            for entry in &entries {
                entry.write(labels.as_ref(), terminal, &mut out)?;
            }
        }
        out.flush()?;
        Ok(Outcome::Good)
    }

    fn shown(
        &self,
        sample: &Sample,
        entry: &IndexEntry,
        class: Option<i64>,
    ) -> Result<Shown, ReadError> {
        Ok(Shown {
            annotation: entry.annotation().to_owned(),
            is_current: entry.is_current(sample, &Silent)?,
            max_coords: entry.max_coords()?,
            seed: entry.seed()?,
            classes: entry.classes()?,
            draw: class.map(|class| entry.draw(class, self.seed)).transpose()?.flatten(),
        })
    }
}

/// A class by its id or by its key.
fn class_id(name: &str, labels: Option<&LabelSet>) -> Result<i64, Failure> {
    let by_key = || labels?.classes.iter().find(|class| class.key == name).map(|class| class.id);
    name.parse().ok().or_else(by_key).ok_or_else(|| {
        Failure::Usage(format!(
            "there is no class `{name}`: neither a number nor a key of the label set"
        ))
    })
}

impl Shown {
    fn write(
        &self,
        labels: Option<&LabelSet>,
        terminal: Terminal,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        let paint = terminal.paint;
        let state = if self.is_current { paint.good("current") } else { paint.warning("stale") };
        let max = self.max_coords.map_or_else(|| "?".into(), |max| max.to_string());
        writeln!(
            out,
            "{}  {state}, up to {max} coordinates per class",
            paint.strong(&self.annotation)
        )?;
        let mut table = Table::new(&["class", "key", "voxels", "box (voxels, first to last)"]);
        for class in &self.classes {
            let bounds = class.bounding_box.as_deref().map(span).unwrap_or_default();
            table.row([
                class.class_id.to_string(),
                key(class.class_id, labels),
                class.voxel_count.to_string(),
                bounds,
            ]);
        }
        table.write("  ", out)?;
        if let Some(draw) = &self.draw {
            writeln!(out, "  drawn: voxel {:?}", draw.coordinate)?;
        }
        Ok(())
    }

    fn as_json(&self, labels: Option<&LabelSet>) -> Value {
        let classes = self.classes.iter().map(|class| {
            json!({
                "class_id": class.class_id,
                "key": labels.and_then(|labels| labels.class(class.class_id)).map(|class| &class.key),
                "voxel_count": class.voxel_count,
                "stored_coordinates": class.stored_coordinates,
                "bounding_box": class.bounding_box,
            })
        });
        let draw =
            self.draw.as_ref().map(|draw| json!({ "row": draw.row, "voxel": draw.coordinate }));
        json!({
            "annotation": self.annotation,
            "current": self.is_current,
            "max_coords": self.max_coords,
            "seed": self.seed,
            "classes": classes.collect::<Vec<_>>(),
            "draw": draw,
        })
    }
}

fn key(class_id: i64, labels: Option<&LabelSet>) -> String {
    labels
        .and_then(|labels| labels.class(class_id))
        .map_or_else(String::new, |class| class.key.clone())
}

/// Bounds lie half a voxel outside the first and the last voxel.
fn span(bounds: &[[f64; 2]]) -> String {
    let axes = bounds.iter().map(|[low, high]| format!("{}..{}", low + 0.5, high - 0.5));
    axes.collect::<Vec<_>>().join(" ")
}

//! What `create` made, and what it decided on the way.

use std::io::Write;
use std::path::Path;

use medh5::annotations::Kind;
use medh5::geometry::Grid;
use medh5::summary::extent_text;
use medh5::write::{Created, NewSample};
use serde_json::{Value, json};

use super::labels::Labels;
use crate::exit::Failure;
use crate::terminal::stdout;

/// What there is to say about a new sample.
#[derive(Debug, Default)]
pub(super) struct Report {
    grids: Vec<Value>,
    images: Vec<Value>,
    annotation: Option<Value>,
    /// What was decided, and about which file.
    decisions: Vec<(String, String)>,
    lines: Vec<String>,
    created: Option<Created>,
    profile: String,
}

impl Report {
    /// Something that the user may have wanted otherwise.
    pub(super) fn decided(&mut self, about: &str, what: String) {
        self.decisions.push((about.to_owned(), what));
    }

    pub(super) fn grid(&mut self, name: &str, grid: &Grid) {
        let shape = grid.shape();
        let (spacing, units) = (&grid.spacing, &grid.units);
        self.lines.push(format!(
            "grid {name}: {} voxels, spacing {spacing:?} {units}",
            extent_text(&shape)
        ));
        self.grids.push(json!({
            "name": name,
            "shape": shape,
            "spacing": spacing,
            "origin": grid.origin,
            "direction": grid.direction.values.chunks(grid.direction.columns.max(1)).collect::<Vec<_>>(),
            "units": units,
            "coord_system": grid.coord_system,
            "time_values": grid.time_values,
            "time_units": grid.time_units,
        }));
    }

    pub(super) fn image(&mut self, name: &str, grid: &str, shape: &[u64]) {
        self.lines.push(format!("image {name}: on grid {grid}"));
        self.images.push(json!({ "name": name, "grid": grid, "shape": shape }));
    }

    pub(super) fn annotation(
        &mut self,
        name: &str,
        kind: Kind,
        voxels: &[(u16, u64)],
        labels: &Labels,
    ) {
        self.lines.push(format!("annotation {name}: stored as {}", kind.name()));
        let classes = voxels
            .iter()
            .map(|(id, count)| json!({ "class_id": id, "key": labels.key(*id), "voxels": count }));
        self.annotation = Some(
            json!({ "name": name, "kind": kind.name(), "classes": classes.collect::<Vec<_>>() }),
        );
        for (id, count) in voxels {
            let empty = if *count == 0 { " (it is empty)" } else { "" };
            self.lines.push(format!("  class {id} {}: {count} voxels{empty}", labels.key(*id)));
        }
    }

    pub(super) fn planned(&mut self, sample: &NewSample) {
        sample.storage.profile.name().clone_into(&mut self.profile);
    }

    pub(super) fn created(&mut self, created: Created) {
        self.created = Some(created);
    }

    /// Prints the report.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn print(&self, path: &Path, dry_run: bool, as_json: bool) -> Result<(), Failure> {
        let mut out = stdout();
        if as_json {
            serde_json::to_writer_pretty(&mut out, &self.as_json(path, dry_run))
                .map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            self.write(path, dry_run, &mut out)?;
        }
        Ok(out.flush()?)
    }

    fn write(&self, path: &Path, dry_run: bool, out: &mut dyn Write) -> std::io::Result<()> {
        let what = if dry_run { "nothing written" } else { "written" };
        writeln!(out, "{}: {what}", path.display())?;
        for line in &self.lines {
            writeln!(out, "  {line}")?;
        }
        for (about, decision) in &self.decisions {
            writeln!(out, "  decided: {about}: {decision}")?;
        }
        if let Some(created) = &self.created {
            let (version, profiles) = (created.version, created.profiles.join(","));
            writeln!(out, "  format {version}, profiles {profiles}, {} bytes", created.len)?;
            if !created.indexed.is_empty() {
                writeln!(out, "  sampling index of {}", created.indexed.join(", "))?;
            }
            writeln!(out, "  {}", created.content_id)?;
            for warning in &created.warnings {
                let (code, at) = (warning.code.name, &warning.location);
                writeln!(out, "  {code} {at}: {}", warning.message)?;
            }
        }
        Ok(())
    }

    fn as_json(&self, path: &Path, dry_run: bool) -> Value {
        let decisions =
            self.decisions.iter().map(|(about, what)| json!({ "about": about, "decision": what }));
        let created = self.created.as_ref();
        let warnings = created.into_iter().flat_map(|created| &created.warnings).map(|warning| {
            json!({ "code": warning.code.name, "location": warning.location, "message": warning.message })
        });
        json!({
            "path": path.display().to_string(),
            "ok": true,
            "dry_run": dry_run,
            "version": created.map(|created| created.version),
            "profiles": created.map(|created| &created.profiles),
            "content_id": created.map(|created| &created.content_id),
            "bytes": created.map(|created| created.len),
            "grids": self.grids,
            "images": self.images,
            "annotation": self.annotation,
            "index": created.map(|created| &created.indexed),
            "decisions": decisions.collect::<Vec<_>>(),
            "warnings": warnings.collect::<Vec<_>>(),
        })
    }
}

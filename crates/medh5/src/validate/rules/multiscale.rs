//! Images in several resolutions.

use crate::ReadError;
use crate::geometry::{Grid, GridView, has_bad_spacing};
use crate::images::ImageView;
use crate::sample::{Chapter, ChapterState};
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule = Rule::new("check_multiscale", Level::Semantic, check);

/// How far spacing and origin of a level may be off, relative to a voxel.
const TOLERANCE: f64 = 1e-3;

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    // Without grids there is nothing to hold the levels against; that they are missing is said elsewhere.
    let ChapterState::Group(_) = context.sample.chapter(Chapter::Grids)? else { return Ok(()) };
    let pyramids: Vec<_> =
        context.sample.images()?.into_iter().filter(ImageView::is_pyramid).collect();
    out.each(&pyramids, |image, out| check_pyramid(context, image, out))
}

fn check_pyramid(
    context: &Context<'_>,
    image: &ImageView,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some(names) = level_names(image, out)? else { return Ok(()) };
    level_count(image, names.len(), out)?;
    let Some(views) = level_grids(context, image, &names, out)? else { return Ok(()) };
    level_shapes(image, &names, &views, out)?;
    let Some(grids) = sound_grids(&views)? else { return Ok(()) };
    let Some(factors) = factors(image, &grids, out)? else { return Ok(()) };
    let Some(finest) = grids.first() else { return Ok(()) };
    for (level, (grid, factors)) in grids.iter().zip(&factors).enumerate() {
        let level = PyramidLevel { image, level, grid, finest, factors };
        level.agrees(out)?;
    }
    Ok(())
}

/// E105: the attributes of a pyramid are there, and name the grid of at least one level.
fn level_names(image: &ImageView, out: &mut Findings) -> Result<Option<Vec<String>>, ReadError> {
    for name in ["levels", "grid_levels", "downsample_factors"] {
        if !image.attributes().has(name)? {
            out.report(codes::E105, image.path(), format!("a pyramid without `{name}`"));
            return Ok(None);
        }
    }
    let names = image.level_grids()?.unwrap_or_default();
    if names.is_empty() {
        out.report(codes::E105, image.path(), "`grid_levels` names no grid");
        return Ok(None);
    }
    Ok(Some(names))
}

/// E105: `levels` counts the grids.
fn level_count(image: &ImageView, grids: usize, out: &mut Findings) -> Result<(), ReadError> {
    let levels = image.attributes().integer("levels")?;
    if levels.and_then(|levels| usize::try_from(levels).ok()) != Some(grids) {
        let found = image.attributes().text("levels")?.unwrap_or_default();
        out.report(codes::E105, image.path(), format!("`levels` is {found} for {grids} grids"));
    }
    Ok(())
}

/// E101: the grids of the levels exist.
fn level_grids(
    context: &Context<'_>,
    image: &ImageView,
    names: &[String],
    out: &mut Findings,
) -> Result<Option<Vec<GridView>>, ReadError> {
    let mut grids = Vec::new();
    for name in names {
        let Some(grid) = context.sample.grid(name)? else {
            out.report(codes::E101, image.path(), format!("`grid_levels` names no grid: {name:?}"));
            return Ok(None);
        };
        grids.push(grid);
    }
    Ok(Some(grids))
}

/// E105, E202: each level has data, of the shape of its grid. Those of level 0 are the matter of the image rule.
fn level_shapes(
    image: &ImageView,
    names: &[String],
    grids: &[GridView],
    out: &mut Findings,
) -> Result<(), ReadError> {
    let own_grid = image.grid_reference()?;
    for (level, (name, grid)) in names.iter().zip(grids).enumerate() {
        let Some(data) = image.level(level)? else {
            if level > 0 {
                out.report(codes::E105, image.path(), format!("no level `{level}`"));
            }
            continue;
        };
        let is_judged_elsewhere = level == 0 && own_grid.as_ref() == Some(name);
        if !is_judged_elsewhere && !grid.has_shape(data.shape())? {
            let found = data.shape();
            let message = format!("level `{level}` has {found:?} voxels, its grid {name:?} others");
            out.report(codes::E202, image.path(), message);
        }
    }
    Ok(())
}

/// The grids, if all of them are sound; what is wrong with one is the matter of the geometry rule.
fn sound_grids(views: &[GridView]) -> Result<Option<Vec<Grid>>, ReadError> {
    let mut grids = Vec::new();
    for view in views {
        match view.grid() {
            Ok(grid) => grids.push(grid),
            Err(error) if error.is_interruption() => return Err(error),
            Err(_) => return Ok(None),
        }
    }
    Ok(Some(grids))
}

/// E105: one positive factor per level and axis.
fn factors(
    image: &ImageView,
    grids: &[Grid],
    out: &mut Findings,
) -> Result<Option<Vec<Vec<f64>>>, ReadError> {
    let rank = grids.first().map_or(0, |grid| grid.spacing.len());
    let factors = image.downsample_factors()?;
    let Some(factors) = factors.filter(|m| m.rows == grids.len() && m.columns == rank) else {
        let message = format!("`downsample_factors` is not {} × {rank}", grids.len());
        out.report(codes::E105, image.path(), message);
        return Ok(None);
    };
    if has_bad_spacing(&factors.values) {
        out.report(codes::E105, image.path(), "`downsample_factors` has one that is not positive");
        return Ok(None);
    }
    Ok(Some(factors.rows().map(<[f64]>::to_vec).collect()))
}

/// A level, the finest one, and how they should relate.
struct PyramidLevel<'a> {
    image: &'a ImageView,
    level: usize,
    grid: &'a Grid,
    finest: &'a Grid,
    /// Spacing of this level relative to the finest, by axis.
    factors: &'a [f64],
}

impl PyramidLevel<'_> {
    /// E105: the grid is that of the finest level, coarsened by the factors.
    fn agrees(&self, out: &mut Findings) -> Result<(), ReadError> {
        let (grid, finest) = (self.grid, self.finest);
        if grid.spacing.len() != finest.spacing.len() {
            self.report("another number of spatial axes", out);
            return Ok(());
        }
        let spacing = self.expected_spacing()?;
        let origin = self.expected_origin()?;
        if grid.spacing.iter().zip(&spacing).any(|(found, due)| !is_close(*found, *due)) {
            self.report(&format!("spacing {:?}, {spacing:?} is due", grid.spacing), out);
        }
        let off: Vec<f64> =
            grid.origin.iter().zip(&origin).map(|(found, due)| found - due).collect();
        let off = finest.direction.transpose_times(&off);
        // Written so that NaN is off.
        if !off.iter().zip(&spacing).all(|(off, spacing)| (off / spacing).abs() <= TOLERANCE) {
            self.report(&format!("origin {:?}, {origin:?} is due", grid.origin), out);
        }
        let mut directions = grid.direction.values.iter().zip(&finest.direction.values);
        if !directions.all(|(found, due)| (found - due).abs() <= 1e-4 + 1e-5 * due.abs()) {
            self.report("another direction", out);
        }
        if !grid.axes.iter().map(|axis| axis.kind).eq(finest.axes.iter().map(|axis| axis.kind)) {
            self.report("other kinds of axes", out);
        }
        if !self.extents_agree() {
            self.report("extents that the factors do not give", out);
        }
        if grid.coord_system != finest.coord_system || grid.units != finest.units {
            self.report("another coordinate system or unit", out);
        }
        if grid.frame_uid != finest.frame_uid {
            self.report("another frame", out);
        }
        Ok(())
    }

    fn report(&self, what: &str, out: &mut Findings) {
        let message = format!("level `{}` has {what}", self.level);
        out.report(codes::E105, self.image.path(), message);
    }

    fn expected_spacing(&self) -> Result<Vec<f64>, ReadError> {
        let pairs = self.finest.spacing.iter().zip(self.factors);
        let spacing: Vec<f64> = pairs.map(|(spacing, factor)| spacing * factor).collect();
        if has_bad_spacing(&spacing) {
            let message = format!("level `{}` would have the spacing {spacing:?}", self.level);
            return Err(ReadError::coded(codes::E104, message));
        }
        Ok(spacing)
    }

    /// The centre of the first voxel of this level, which covers several of the finest.
    fn expected_origin(&self) -> Result<Vec<f64>, ReadError> {
        let pairs = self.finest.spacing.iter().zip(self.factors);
        let along_axes: Vec<f64> =
            pairs.map(|(spacing, factor)| spacing * (factor - 1.0) / 2.0).collect();
        let shift = self.finest.direction.times(&along_axes);
        let origin: Vec<f64> = self.finest.origin.iter().zip(shift).map(|(o, s)| o + s).collect();
        if origin.iter().any(|value| !value.is_finite()) {
            let message = format!("level `{}` would have the origin {origin:?}", self.level);
            return Err(ReadError::coded(codes::E109, message));
        }
        Ok(origin)
    }

    /// Whether each spatial extent is that of the finest level by the factor, rounded either way, at least 1.
    fn extents_agree(&self) -> bool {
        let extents = self.grid.spatial_axes().zip(self.finest.spatial_axes());
        extents.zip(self.factors).all(|((coarse, fine), factor)| {
            #[expect(clippy::cast_precision_loss, reason = "extents beyond 2^53 are not met")]
            let (found, exact) = (coarse.extent as f64, fine.extent as f64 / factor);
            (exact.floor().max(1.0)..=exact.ceil().max(1.0)).contains(&found)
        })
    }
}

/// Equal up to the tolerance, relative to the larger one.
fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOLERANCE * a.abs().max(b.abs())
}

//! Grids, one by one.

use crate::ReadError;
use crate::attributes::Attributes;
use crate::geometry::{AxisKind, GridView, TIME_UNITS, UNITS, has_bad_spacing};
use crate::names;
use crate::sample::{Chapter, ChapterState};
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule = Rule::new("check_geometry", Level::Structural, check);

/// What no grid may lack.
const REQUIRED: [&str; 8] = [
    "shape",
    "axis_names",
    "axis_kinds",
    "spacing",
    "origin",
    "direction",
    "coord_system",
    "units",
];

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    some_grid(context, out)?;
    out.each(&context.sample.grids()?, |grid, out| check_grid(context, grid, out))
}

fn check_grid(context: &Context<'_>, grid: &GridView, out: &mut Findings) -> Result<(), ReadError> {
    let Some(axes) = axes(context, grid, out)? else { return Ok(()) };
    let rank = spatial_rank(grid, &axes.kinds, out);
    spacing(grid, rank, out)?;
    origin(grid, rank, out)?;
    direction(grid, rank, out)?;
    units(context, grid, out)?;
    time_values(grid, &axes, out)?;
    time_units(context, grid, out)?;
    patch_hint(grid, rank, out)?;
    chunk_hint(grid, axes.kinds.len(), out)?;
    whole_reading(grid, out)
}

/// E111: `grids` holds something.
fn some_grid(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    if let ChapterState::Group(_) = context.sample.chapter(Chapter::Grids)?
        && context.sample.members(Chapter::Grids)?.is_empty()
    {
        out.report(codes::E111, "/grids", "no grid");
    }
    Ok(())
}

struct Axes {
    shape: Vec<i64>,
    kinds: Vec<AxisKind>,
}

/// E109, E110: the axes, as far as they must be known to judge anything else.
fn axes(
    context: &Context<'_>,
    grid: &GridView,
    out: &mut Findings,
) -> Result<Option<Axes>, ReadError> {
    if !grid.is_group() {
        out.report(codes::E109, grid.path(), "a dataset, where a group is due");
        return Ok(None);
    }
    if let Some(missing) = missing(grid.attributes(), &REQUIRED)? {
        out.report(codes::E109, grid.path(), format!("no {missing}"));
        return Ok(None);
    }
    let Some(shape) = grid.shape()? else {
        out.report(codes::E109, grid.path(), "`shape` is not numeric");
        return Ok(None);
    };
    let names = grid.attributes().strings("axis_names")?.unwrap_or_default();
    let kinds = grid.axis_kinds()?;
    if names.len() != shape.len() || kinds.len() != shape.len() {
        let (axes, names, kinds) = (shape.len(), names.len(), kinds.len());
        let message = format!("{axes} axes in `shape`, {names} names and {kinds} kinds");
        out.report(codes::E109, grid.path(), message);
        return Ok(None);
    }
    extents(grid, &shape, out);
    let Some(kinds) = AxisKind::parse_all(&kinds) else {
        let code = context.unless_projection(codes::E110);
        out.report(code, grid.path(), format!("unknown kinds among {kinds:?}"));
        return Ok(None);
    };
    Ok(Some(Axes { shape, kinds }))
}

/// E109: every extent is positive and the voxels can be counted.
fn extents(grid: &GridView, shape: &[i64], out: &mut Findings) {
    if shape.iter().any(|&extent| extent <= 0) {
        out.report(codes::E109, grid.path(), format!("`shape` {shape:?} is not positive"));
    } else if shape.iter().try_fold(1_i64, |n, &extent| n.checked_mul(extent)).is_none() {
        out.report(codes::E109, grid.path(), format!("`shape` {shape:?} has too many voxels"));
    }
}

/// E110, E103: number and place of the axes of each kind. Gives the spatial rank if it can be relied on.
fn spatial_rank(grid: &GridView, kinds: &[AxisKind], out: &mut Findings) -> Option<usize> {
    let rank = AxisKind::Spatial.count_in(kinds);
    let is_allowed = (2..=3).contains(&rank);
    if !is_allowed {
        out.report(codes::E110, grid.path(), format!("{rank} spatial axes (allowed: 2, 3)"));
    }
    if AxisKind::Time.count_in(kinds) > 1 || AxisKind::Channel.count_in(kinds) > 1 {
        out.report(codes::E110, grid.path(), "more than one time axis or channel axis");
    }
    let is_last = AxisKind::spatial_are_last(kinds);
    if !is_last {
        out.report(codes::E103, grid.path(), "the spatial axes are not the last ones");
    }
    (is_allowed && is_last).then_some(rank)
}

/// E109, E104: one positive distance per spatial axis.
fn spacing(grid: &GridView, rank: Option<usize>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(spacing) = vector(grid, "spacing", rank, out)? else { return Ok(()) };
    if has_bad_spacing(&spacing) {
        out.report(codes::E104, grid.path(), format!("`spacing` is {spacing:?}"));
    }
    Ok(())
}

/// E109: one finite coordinate per spatial axis.
fn origin(grid: &GridView, rank: Option<usize>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(origin) = vector(grid, "origin", rank, out)? else { return Ok(()) };
    if origin.iter().any(|value| !value.is_finite()) {
        out.report(codes::E109, grid.path(), format!("`origin` is {origin:?}"));
    }
    Ok(())
}

fn vector(
    grid: &GridView,
    name: &str,
    rank: Option<usize>,
    out: &mut Findings,
) -> Result<Option<Vec<f64>>, ReadError> {
    let Some(values) = grid.attributes().floats(name)? else {
        out.report(codes::E109, grid.path(), format!("`{name}` is not numeric"));
        return Ok(None);
    };
    count(grid, name, values.len(), rank, out);
    Ok(Some(values))
}

fn count(grid: &GridView, name: &str, found: usize, due: Option<usize>, out: &mut Findings) {
    if let Some(due) = due
        && found != due
    {
        out.report(codes::E109, grid.path(), format!("`{name}` has {found} values, {due} are due"));
    }
}

/// E109, E102: a square matrix with orthonormal columns.
fn direction(grid: &GridView, rank: Option<usize>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(direction) = grid.attributes().matrix("direction")? else {
        out.report(codes::E109, grid.path(), "`direction` is not a matrix");
        return Ok(());
    };
    let (rows, columns) = (direction.rows, direction.columns);
    if rows != columns || rank.is_some_and(|rank| rank != rows) {
        let message =
            format!("`direction` is {rows} × {columns}, one row and column per axis is due");
        out.report(codes::E109, grid.path(), message);
    } else if !direction.is_orthonormal() {
        let message = format!("`direction` {:?} is not orthonormal", direction.values);
        out.report(codes::E102, grid.path(), message);
    }
    Ok(())
}

/// E109: a known unit of length.
fn units(context: &Context<'_>, grid: &GridView, out: &mut Findings) -> Result<(), ReadError> {
    word(context, grid, "units", &UNITS, out)
}

/// E109: a known unit of time, if there is one.
fn time_units(context: &Context<'_>, grid: &GridView, out: &mut Findings) -> Result<(), ReadError> {
    word(context, grid, "time_units", &TIME_UNITS, out)
}

fn word(
    context: &Context<'_>,
    grid: &GridView,
    name: &str,
    known: &[&str],
    out: &mut Findings,
) -> Result<(), ReadError> {
    if let Some(found) = grid.attributes().text(name)?
        && !known.contains(&found.as_str())
    {
        let code = context.unless_projection(codes::E109);
        out.report(code, grid.path(), format!("`{name}` is {found:?} (known: {known:?})"));
    }
    Ok(())
}

/// E109: one time per frame.
fn time_values(grid: &GridView, axes: &Axes, out: &mut Findings) -> Result<(), ReadError> {
    if AxisKind::Time.count_in(&axes.kinds) != 1 {
        return Ok(());
    }
    let frames = axes.kinds.iter().zip(&axes.shape).find(|(kind, _)| **kind == AxisKind::Time);
    if !grid.attributes().has("time_values")? {
        out.report(codes::E109, grid.path(), "a time axis without `time_values`");
        return Ok(());
    }
    let found = grid.attributes().floats("time_values")?.map_or(1, |values| values.len());
    if let Some((_, &extent)) = frames
        && i64::try_from(found) != Ok(extent)
    {
        let message = format!("`time_values` has {found} values for {extent} frames");
        out.report(codes::E109, grid.path(), message);
    }
    Ok(())
}

/// E109: one number per spatial axis; its value is free.
fn patch_hint(grid: &GridView, rank: Option<usize>, out: &mut Findings) -> Result<(), ReadError> {
    if grid.attributes().has("patch_hint")? {
        vector(grid, "patch_hint", rank, out)?;
    }
    Ok(())
}

/// E109: one positive number per axis.
fn chunk_hint(grid: &GridView, axes: usize, out: &mut Findings) -> Result<(), ReadError> {
    if !grid.attributes().has("chunk_hint")? {
        return Ok(());
    }
    let Some(hint) = grid.attributes().integers("chunk_hint")? else {
        out.report(codes::E109, grid.path(), "`chunk_hint` is not numeric");
        return Ok(());
    };
    count(grid, "chunk_hint", hint.len(), Some(axes), out);
    if hint.iter().any(|&extent| extent <= 0) {
        out.report(codes::E109, grid.path(), format!("`chunk_hint` is {hint:?}"));
    }
    Ok(())
}

/// E003, E109, E001: what a reader of the whole grid meets beyond the above, if nothing else is wrong.
fn whole_reading(grid: &GridView, out: &mut Findings) -> Result<(), ReadError> {
    if !out.is_empty() || !names::is_identifier(grid.name()) {
        return Ok(());
    }
    if !names::is_member_name(grid.name()) {
        // Quirk: the reference says this of grids, beside what the rule on the container says of every member.
        out.report(codes::E003, grid.path(), format!("{:?} may not name a grid", grid.name()));
        return Ok(());
    }
    for attribute in grid.attributes().list()? {
        grid.attributes().value(&attribute.name)?;
    }
    if grid.attributes().has("time_values")? && grid.attributes().floats("time_values")?.is_none() {
        out.report(codes::E109, grid.path(), "`time_values` is not numeric");
    }
    Ok(())
}

/// The names among `required` that are absent, for a message; `None` if all are there.
fn missing(attributes: &Attributes, required: &[&str]) -> Result<Option<String>, ReadError> {
    let mut missing = Vec::new();
    for name in required {
        if !attributes.has(name)? {
            missing.push(format!("`{name}`"));
        }
    }
    Ok((!missing.is_empty()).then(|| missing.join(", ")))
}

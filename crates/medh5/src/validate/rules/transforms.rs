//! Transforms, one by one, and their inverses.

use std::collections::HashSet;

use hdf5::{Address, Group};

use crate::ReadError;
use crate::geometry::{AxisKind, GridView, same_extents};
use crate::sample::Chapter;
use crate::transforms::{Field, TransformKind, TransformView, affine_of, on_cycles};
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule = Rule::new("check_transforms", Level::Semantic, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let transforms = context.sample.transforms()?;
    let surroundings = Surroundings {
        grids: context.sample.grids()?,
        on_cycles: on_cycles(context.sample, &transforms)?,
    };
    out.each(&transforms, |transform, out| {
        check_transform(context, &surroundings, transform, out)
    })?;
    out.each(&transforms, |transform, out| check_inverse(context, transform, out))
}

/// What a transform is judged against.
struct Surroundings {
    grids: Vec<GridView>,
    on_cycles: HashSet<Address>,
}

fn check_transform(
    context: &Context<'_>,
    surroundings: &Surroundings,
    transform: &TransformView,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some(kind) = kind(context, transform, out)? else { return Ok(()) };
    let Some(frames) = frames(transform, out)? else { return Ok(()) };
    let grids = related_grids(&surroundings.grids, transform, &frames)?;
    units(transform, &grids, out)?;
    match kind {
        TransformKind::Identity => Ok(()),
        TransformKind::Affine => matrix(transform, &grids, out),
        TransformKind::Displacement | TransformKind::Bspline => {
            field(context, transform, kind, &frames, out)
        }
        TransformKind::Composite => chain(context, surroundings, transform, &frames, out),
    }
}

/// The frames that a transform maps from and to.
struct Frames {
    from: String,
    to: String,
}

/// E502, W913: the kind is there and known.
fn kind(
    context: &Context<'_>,
    transform: &TransformView,
    out: &mut Findings,
) -> Result<Option<TransformKind>, ReadError> {
    let Some(name) = transform.attributes().text("kind")? else {
        out.report(codes::E502, transform.path(), "no `kind`");
        return Ok(None);
    };
    let kind = TransformKind::parse(&name);
    if kind.is_none() {
        let code = context.unless_projection(codes::E502);
        out.report(code, transform.path(), format!("`kind` is `{name}`, which is unknown"));
    }
    Ok(kind)
}

/// E502: both frames are there, and are two.
fn frames(transform: &TransformView, out: &mut Findings) -> Result<Option<Frames>, ReadError> {
    let Some((from, to)) = transform.frames()? else {
        out.report(codes::E502, transform.path(), "no `from_frame` or no `to_frame`");
        return Ok(None);
    };
    if from == to {
        let message = format!("`from_frame` and `to_frame` are both `{from}`");
        out.report(codes::E502, transform.path(), message);
    }
    Ok(Some(Frames { from, to }))
}

/// The grids that a transform is about: those in its frames, and those that it names.
fn related_grids<'a>(
    grids: &'a [GridView],
    transform: &TransformView,
    frames: &Frames,
) -> Result<Vec<&'a GridView>, ReadError> {
    let named =
        [transform.attributes().text("from_grid")?, transform.attributes().text("to_grid")?];
    let mut related = Vec::new();
    for grid in grids {
        let frame = grid.frame_uid()?;
        let is_in_frame = frame.is_some_and(|frame| frame == frames.from || frame == frames.to);
        if is_in_frame || named.iter().flatten().any(|name| name == grid.name()) {
            related.push(grid);
        }
    }
    Ok(related)
}

/// E506: the units are stated, and are those of the grids.
fn units(
    transform: &TransformView,
    grids: &[&GridView],
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some(units) = transform.units()? else {
        out.report(codes::E506, transform.path(), "no `units`");
        return Ok(());
    };
    for grid in grids {
        let expected = grid.units()?;
        if expected != units {
            let message = format!("`units` is `{units}`, grid `{}` has `{expected}`", grid.name());
            out.report(codes::E506, transform.path(), message);
            break;
        }
    }
    Ok(())
}

/// E502, E504: the matrix is an affine map of the grids' dimension.
fn matrix(
    transform: &TransformView,
    grids: &[&GridView],
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some(matrix) = transform.dataset("matrix")? else {
        out.report(codes::E502, transform.path(), "no dataset `matrix`");
        return Ok(());
    };
    let affine = match affine_of(&matrix)? {
        Ok(affine) => affine,
        Err(flaw) => {
            out.report(codes::E504, transform.path(), flaw.to_string());
            return Ok(());
        }
    };
    for grid in grids {
        let rank = spatial_rank(grid)?;
        if let Some(rank) = rank.filter(|rank| *rank != affine.offset.len()) {
            let mapped = affine.offset.len();
            let message = format!("maps {mapped} coordinates, grid `{}` has {rank}", grid.name());
            out.report(codes::E504, transform.path(), message);
            break;
        }
    }
    Ok(())
}

/// The number of spatial axes; `None` when some axis is of an unknown kind.
fn spatial_rank(grid: &GridView) -> Result<Option<usize>, ReadError> {
    if !grid.is_group() {
        return Err(ReadError::value(format!("{} is no group, so it has no axes", grid.path())));
    }
    Ok(grid.known_axis_kinds()?.map(|kinds| AxisKind::Spatial.count_in(&kinds)))
}

/// E101, E502, E503, W913: the displacements are there, and fit their grid.
fn field(
    context: &Context<'_>,
    transform: &TransformView,
    kind: TransformKind,
    frames: &Frames,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some(field) = kind.field() else { return Ok(()) };
    let dataset = transform.dataset(field.dataset)?;
    if dataset.is_none() {
        out.report(codes::E502, transform.path(), format!("no dataset `{}`", field.dataset));
    }
    let Some(grid) = field_grid(context, transform, field, out)? else { return Ok(()) };
    if let Some(frame) = grid.frame_uid()?.filter(|frame| *frame != frames.from) {
        let message =
            format!("`{}` is in frame `{frame}`, not `{}`", field.grid_attribute, frames.from);
        out.report(codes::E503, transform.path(), message);
    }
    vector_space(context, transform, out)?;
    match dataset {
        Some(dataset) => field_shape(transform, field, dataset.shape(), &grid, out),
        None => Ok(()),
    }
}

/// E101, E503: the grid of the displacements is named, and exists.
fn field_grid(
    context: &Context<'_>,
    transform: &TransformView,
    field: Field,
    out: &mut Findings,
) -> Result<Option<GridView>, ReadError> {
    let Some(name) = transform.attributes().text(field.grid_attribute)? else {
        out.report(codes::E503, transform.path(), format!("no `{}`", field.grid_attribute));
        return Ok(None);
    };
    let grid = context.sample.grid(&name)?;
    if grid.is_none() {
        let message = format!("`{}` names `{name}`, which is no grid", field.grid_attribute);
        out.report(codes::E101, transform.path(), message);
    }
    Ok(grid)
}

/// E502, W913: what displacements are measured in is known.
fn vector_space(
    context: &Context<'_>,
    transform: &TransformView,
    out: &mut Findings,
) -> Result<(), ReadError> {
    if transform.vector_space()?.is_none() {
        let code = context.unless_projection(codes::E502);
        out.report(code, transform.path(), "`vector_space` is neither `world` nor `index`");
    }
    Ok(())
}

/// E503: one component per spatial axis, and as many displacements as the grid or the splines need.
fn field_shape(
    transform: &TransformView,
    field: Field,
    shape: &[u64],
    grid: &GridView,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some(rank) = spatial_rank(grid)? else { return Ok(()) };
    let location = format!("{}/{}", transform.path(), field.dataset);
    let (components, places) =
        shape.split_first().map_or((0, shape), |(first, rest)| (*first, rest));
    if components != rank as u64 {
        out.report(
            codes::E503,
            &location,
            format!("{components} components, the grid has {rank} axes"),
        );
    }
    if field.is_dense {
        let extents = grid.spatial_extents()?.unwrap_or_default();
        if !same_extents(places, &extents) {
            out.report(
                codes::E503,
                &location,
                format!("{places:?} places, the grid has {extents:?}"),
            );
        }
        return Ok(());
    }
    let order = transform.order()?;
    let needed = u64::try_from(order.saturating_add(1)).unwrap_or(0);
    if places.len() != rank {
        out.report(codes::E503, &location, format!("{} axes, the grid has {rank}", places.len()));
    } else if places.iter().any(|extent| *extent < needed) {
        let message = format!("{places:?} control points, order {order} needs {needed} per axis");
        out.report(codes::E503, &location, message);
    }
    Ok(())
}

/// E501: the components exist, end somewhere, and form a chain from frame to frame in one unit.
fn chain(
    context: &Context<'_>,
    surroundings: &Surroundings,
    transform: &TransformView,
    frames: &Frames,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let mut report = |message: String| out.report(codes::E501, transform.path(), message);
    let Some(names) = transform.components()? else {
        report("no `components`".to_owned());
        return Ok(());
    };
    let mut components = Vec::new();
    for name in &names {
        let Some(component) = context.sample.transform(name)? else {
            report(format!("component `{name}` is no transform"));
            return Ok(());
        };
        components.push(component);
    }
    let address = transform.child().group().map(Group::address);
    if address.is_some_and(|address| surroundings.on_cycles.contains(&address)) {
        report("is a component of itself".to_owned());
        return Ok(());
    }
    let mut links = Vec::new();
    for component in &components {
        let Some(frames) = component.frames()? else {
            report(format!("component `{}` lacks a frame", component.name()));
            return Ok(());
        };
        links.push(frames);
    }
    for message in gaps(frames, &links) {
        report(message);
    }
    let units = transform.units()?;
    for component in &components {
        let other = component.units()?;
        if units.is_some() && other.is_some() && units != other {
            report(format!("component `{}` has other units", component.name()));
            break;
        }
    }
    Ok(())
}

/// Where a chain of (from, to) does not lead from the own frame to the own other frame.
fn gaps(own: &Frames, links: &[(String, String)]) -> Vec<String> {
    let mut gaps = Vec::new();
    if let Some((from, _)) = links.first().filter(|(from, _)| *from != own.from) {
        gaps.push(format!("starts at `{from}`, not `{}`", own.from));
    }
    if let Some((_, to)) = links.last().filter(|(_, to)| *to != own.to) {
        gaps.push(format!("ends at `{to}`, not `{}`", own.to));
    }
    for ((_, to), (from, _)) in links.iter().zip(links.iter().skip(1)) {
        if to != from {
            gaps.push(format!("breaks between `{to}` and `{from}`"));
        }
    }
    gaps
}

/// E505: the inverse exists, swaps the frames, and does not name a third transform as its own inverse.
fn check_inverse(
    context: &Context<'_>,
    transform: &TransformView,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some((from, to)) = judged_frames(transform)? else { return Ok(()) };
    let Some(name) = transform.attributes().text("inverse_id")? else { return Ok(()) };
    let mut report = |message: String| out.report(codes::E505, transform.path(), message);
    let Some(inverse) = context.sample.child(Chapter::Transforms, &name)? else {
        if context.sample.resolve(Chapter::Transforms, &name)?.is_none() {
            report(format!("`inverse_id` names `{name}`, which does not exist"));
        }
        return Ok(());
    };
    let inverse = TransformView::new(inverse.clone());
    let Some(inverse_frames) = judged_frames(&inverse)? else { return Ok(()) };
    if inverse_frames != (to, from) {
        report(format!("`{name}` does not map back between the same frames"));
        return Ok(());
    }
    let back = inverse.attributes().text("inverse_id")?;
    if let Some(back) = back.filter(|back| *back != transform.name()) {
        report(format!("`{name}` names `{back}` as its inverse"));
    }
    Ok(())
}

/// The frames of a transform that is sound enough to be judged against others. One that cannot be read was reported when it
/// was judged by itself.
fn judged_frames(transform: &TransformView) -> Result<Option<(String, String)>, ReadError> {
    let frames = || Ok(if transform.kind()?.is_some() { transform.frames()? } else { None });
    match frames() {
        Err(error @ ReadError::File(_)) if !error.is_interruption() => Ok(None),
        frames => frames,
    }
}

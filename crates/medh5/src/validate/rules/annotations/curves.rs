//! Contours, meshes and polylines: pieces of a table of vertices.

use std::collections::BTreeMap;

use super::Subject;
use crate::ReadError;
use crate::annotations::{Effort, Polygon, depths, project};
use crate::validate::{Findings, codes};

/// E408, E404, W919: contours are pieces of the vertices, and their roles are those of their nesting.
pub(super) fn contours(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let is_clean = offsets(subject, "contour_offsets", "vertices", out)?;
    let Some(roles) = subject.view.integers("contour_role")? else { return Ok(()) };
    if roles.iter().any(|role| !matches!(role, 0 | 1)) {
        subject.report_at("contour_role", codes::E404, "a role that is not 0 or 1", out);
    }
    if is_clean && subject.is_consistent {
        nesting(subject, &roles, out)?;
    }
    Ok(())
}

/// E408, E405: meshes are pieces of the faces, whose corners are vertices.
pub(super) fn mesh(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    offsets(subject, "mesh_offsets", "faces", out)?;
    let Some(vertices) = subject.view.dataset("vertices")? else { return Ok(()) };
    let rows = vertices.shape().first().copied().unwrap_or(0);
    let faces = subject.view.integers("faces")?.unwrap_or_default();
    let is_vertex = |corner: &i64| u64::try_from(*corner).is_ok_and(|corner| corner < rows);
    if let Some(corner) = faces.iter().find(|corner| !is_vertex(corner)) {
        let message = format!("a face with the corner {corner} among {rows} vertices");
        subject.report_at("faces", codes::E405, message, out);
    }
    Ok(())
}

/// E408, E404: polylines cover the vertices, and each has two or more.
pub(super) fn polylines(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    const OFFSETS: &str = "polyline_offsets";

    let mut is_clean = offsets(subject, OFFSETS, "vertices", out)?;
    let found = subject.view.integers(OFFSETS)?.unwrap_or_default();
    if let Some(first) = found.first().filter(|first| **first != 0) {
        subject.report_at(OFFSETS, codes::E408, format!("offsets start at {first}, not 0"), out);
        is_clean = false;
    }
    let mut lengths = found.iter().zip(found.iter().skip(1)).map(|(start, end)| end - start);
    if is_clean && subject.is_consistent && lengths.any(|length| length < 2) {
        subject.report(codes::E404, "a polyline of fewer than two vertices", out);
    }
    Ok(())
}

/// E408: offsets rise and end where the table ends. Gives whether they do; absent ones do.
fn offsets(
    subject: &Subject<'_>,
    name: &str,
    table: &str,
    out: &mut Findings,
) -> Result<bool, ReadError> {
    let Some(offsets) = subject.view.integers(name)? else { return Ok(true) };
    let mut is_clean = offsets.is_sorted();
    if !is_clean {
        subject.report_at(name, codes::E408, "offsets decrease", out);
    }
    let table_view = subject.view.dataset(table)?;
    if let (Some(last), Some(table_view)) = (offsets.last(), table_view) {
        let rows = table_view.shape().first().copied().unwrap_or(0);
        if u64::try_from(*last) != Ok(rows) {
            let message = format!("offsets end at {last}, `{table}` has {rows} rows");
            subject.report_at(name, codes::E408, message, out);
            is_clean = false;
        }
    }
    Ok(is_clean)
}

/// W919: a contour inside an even number of others of its plane and class is an outline, else a hole.
fn nesting(subject: &Subject<'_>, roles: &[i64], out: &mut Findings) -> Result<(), ReadError> {
    let view = subject.view;
    let (Some(offsets), Some(classes), Some(planes), Some(vertices)) = (
        view.integers("contour_offsets")?,
        view.integers("contour_class_ids")?,
        view.integers("contour_plane")?,
        view.dataset("vertices")?,
    ) else {
        return Ok(());
    };
    let &[_, coordinates @ (2 | 3)] = vertices.shape() else { return Ok(()) };
    let vertices = view.floats("vertices")?.unwrap_or_default();
    let width = if coordinates == 2 { 2 } else { 3 };
    let mut groups: BTreeMap<(i64, i64, i64), Vec<Contour<'_>>> = BTreeMap::new();
    let ends = offsets.iter().zip(offsets.iter().skip(1));
    for (((role, class), plane), (start, end)) in
        roles.iter().zip(&classes).zip(planes.chunks_exact(2)).zip(ends)
    {
        let place = |row: &i64| usize::try_from(*row).ok()?.checked_mul(width);
        let piece = place(start).zip(place(end)).and_then(|(start, end)| vertices.get(start..end));
        if let (&[axis, index], Some(coordinates)) = (plane, piece)
            && axis >= 0
        {
            let contour = Contour { role: *role, coordinates };
            groups.entry((*class, axis, index)).or_default().push(contour);
        }
    }
    let mut effort = Effort::default();
    for group in groups.values() {
        if has_wrong_role(group, width, &mut effort)? {
            let message = "a role that is not that of the contour's nesting in its plane";
            subject.report_at("contour_role", codes::W919, message, out);
            break;
        }
    }
    Ok(())
}

struct Contour<'a> {
    role: i64,
    coordinates: &'a [f64],
}

fn has_wrong_role(
    group: &[Contour<'_>],
    width: usize,
    effort: &mut Effort,
) -> Result<bool, ReadError> {
    let polygons: Vec<Polygon> = if width == 2 {
        group.iter().map(|contour| contour.coordinates.as_chunks::<2>().0.to_vec()).collect()
    } else {
        let in_space: Vec<_> =
            group.iter().map(|contour| contour.coordinates.as_chunks::<3>().0).collect();
        project(&in_space)
    };
    let depths = depths(&polygons, effort)?;
    let due = depths.into_iter().map(|depth| i64::from(depth % 2 == 1));
    let is_wrong =
        |(contour, due): (&Contour<'_>, i64)| matches!(contour.role, 0 | 1) && contour.role != due;
    Ok(group.iter().zip(due).any(is_wrong))
}

//! A grid as it is stored: a group of attributes. Spec: MEDH5 1.0 §3.2.

use hdf5::{NewAttribute, NewGroup};

use crate::geometry::Grid;

pub(super) fn grid_group(grid: &Grid) -> NewGroup {
    let signed = |extent: u64| i64::try_from(extent).unwrap_or(i64::MAX);
    let shape: Vec<i64> = grid.axes.iter().map(|axis| signed(axis.extent)).collect();
    let names: Vec<&str> = grid.axes.iter().map(|axis| axis.name.as_str()).collect();
    let kinds: Vec<&str> = grid.axes.iter().map(|axis| axis.kind.name()).collect();
    let direction = &grid.direction;
    let dims = [direction.rows as u64, direction.columns as u64];
    let mut group = NewGroup::new()
        .attribute("shape", NewAttribute::integers(&shape))
        .attribute("axis_names", NewAttribute::texts(&names))
        .attribute("axis_kinds", NewAttribute::texts(&kinds))
        .attribute("spacing", NewAttribute::floats(&grid.spacing))
        .attribute("origin", NewAttribute::floats(&grid.origin))
        .attribute("direction", NewAttribute::float_array(&dims, &direction.values))
        .attribute("coord_system", NewAttribute::text(&grid.coord_system))
        .attribute("units", NewAttribute::text(&grid.units));
    let texts = [
        ("timepoint", &grid.timepoint),
        ("frame_uid", &grid.frame_uid),
        ("time_units", &grid.time_units),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            group = group.attribute(name, NewAttribute::text(text));
        }
    }
    if let Some(values) = &grid.time_values {
        group = group.attribute("time_values", NewAttribute::floats(values));
    }
    for (name, hint) in [("patch_hint", &grid.patch_hint), ("chunk_hint", &grid.chunk_hint)] {
        if let Some(hint) = hint {
            group = group.attribute(name, NewAttribute::integers(hint));
        }
    }
    group
}

//! An entry of the sampling index as it is stored. Spec: MEDH5 1.0 §14.3.

use hdf5::NumberType;
use hdf5::{NewAttribute, NewGroup};

use super::layout::Layout;
use crate::index::{ClassTally, IndexTables};
use crate::integrity::Digest;
use crate::storage::Profile;

/// The group that holds `tables`; `source` is the digest of the annotation that they were computed from.
pub(super) fn index_entry(tables: &IndexTables, source: &Digest, profile: Profile) -> NewGroup {
    let layout = Layout::of_tables(profile);
    let (classes, axes) = (tables.classes.len() as u64, tables.shape.len() as u64);
    let ids = tables.classes.iter().flat_map(|class| label(class).to_le_bytes());
    let counts = tables.classes.iter().flat_map(|class| signed(class.voxel_count).to_le_bytes());
    let boxes = tables.classes.iter().flat_map(|class| bounds(class, tables.shape.len()));
    let mut coordinates = NewGroup::new();
    for class in &tables.classes {
        let rows = class.coordinates.len() as u64;
        let places = class.coordinates.iter().flatten().flat_map(|place| place.to_le_bytes());
        let table = layout.numbers(NumberType::I32, &[rows, axes], places.collect());
        coordinates = coordinates.dataset(&class.class_id.to_string(), table);
    }
    let mut entry = NewGroup::new()
        .attribute("source_digest", NewAttribute::text(&source.to_string()))
        .attribute("max_coords", NewAttribute::integer(signed(tables.options.max_coords)))
        .attribute("seed", NewAttribute::integer(tables.options.seed))
        .dataset("class_ids", layout.numbers(NumberType::U16, &[classes], ids.collect()))
        .dataset("voxel_counts", layout.numbers(NumberType::I64, &[classes], counts.collect()))
        .dataset(
            "class_bboxes",
            layout.numbers(NumberType::F32, &[classes, axes, 2], boxes.collect()),
        )
        .group("fg_coords", coordinates);
    if let Some(maps) = &tables.occupancy {
        let dims: Vec<u64> = std::iter::once(classes).chain(maps.shape.iter().copied()).collect();
        let chunk: Vec<u64> = std::iter::once(1).chain(maps.shape.iter().copied()).collect();
        let marks = maps.blocks.iter().map(|mark| u8::from(*mark)).collect();
        entry = entry.dataset("occupancy", layout.booleans(&dims, marks, Some(&chunk)));
    }
    entry
}

/// Half a voxel outside the first and the last one along each axis; NaN for a class without voxels.
fn bounds(class: &ClassTally, axes: usize) -> Vec<u8> {
    let values: Vec<f32> = match &class.bounds {
        None => vec![f32::NAN; axes * 2],
        #[expect(clippy::cast_precision_loss, reason = "the format stores them so")]
        Some(bounds) => bounds
            .iter()
            .flat_map(|[first, last]| [*first as f32 - 0.5, *last as f32 + 0.5])
            .collect(),
    };
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Classes are numbered in 16 bits; a declared number beyond them has no voxels.
fn label(class: &ClassTally) -> u16 {
    u16::try_from(class.class_id).unwrap_or(0)
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

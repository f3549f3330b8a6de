//! What a page and a sampler do with a file made of any bytes.

use std::ops::Range;
use std::sync::Arc;

use hdf5::{Limits, OpenOptions};
use medh5::annotations::{AnnotationView, sections};
use medh5::images::PlaneIndex;
use medh5::sample::{Opened, open_with};
use medh5::summary::{
    CollectionSummary, HistorySummary, IndexSummary, Metadata, Node, SampleSummary,
};
use medh5::{ReadError, Sample};

use super::edited;

/// The most that one read may return.
const MAX_READ_BYTES: u64 = 16 << 20;

/// Members of a collection that are looked at.
const MAX_MEMBERS: usize = 3;

/// Looks at the file that `data` describes ([`edited`]) as a page does: summaries, index, history, planes, masks and shapes.
///
/// Nothing panics and it ends. Masks have a byte for each voxel of their region; shapes lie somewhere.
pub fn views(data: &[u8]) {
    let Some(bytes) = edited(data) else { return };
    let mut limits = Limits::default();
    limits.max_read_bytes = MAX_READ_BYTES;
    let options =
        OpenOptions { limits, filters: medh5::storage::reading(), ..OpenOptions::default() };
    match open_with(Arc::new(bytes), options) {
        Ok(Opened::Sample(sample)) => look_at(&sample),
        Ok(Opened::Collection(collection)) => {
            drop(shown(CollectionSummary::of(&collection)));
            drop(shown(Node::tree(collection.root())));
            for key in collection.keys().unwrap_or_default().iter().take(MAX_MEMBERS) {
                if let Ok(Some(sample)) = collection.sample(key) {
                    look_at(&sample);
                }
            }
        }
        Err(_) => {}
    }
}

fn look_at(sample: &Sample) {
    drop(shown(SampleSummary::of(sample)));
    drop(shown(Metadata::of(sample)));
    drop(shown(Node::tree(sample.root())));
    if let Ok(Some(history)) = sample.history() {
        drop(serde_json::to_string(&HistorySummary {
            events: history.timeline(),
            documents: history.documents().collect(),
            links: history.links().collect(),
        }));
    }
    for transform in sample.transforms().unwrap_or_default() {
        drop(transform.to_frame_from_frame());
    }
    indices(sample);
    planes(sample);
    for annotation in sample.annotations().unwrap_or_default() {
        drop(voxels(&annotation));
        drop(shapes(sample, &annotation));
    }
}

/// What a summary looks like as JSON, which it must be.
fn shown<T: serde::Serialize>(summary: Result<T, ReadError>) -> Option<String> {
    summary.ok().map(|summary| serde_json::to_string(&summary).expect("a summary is JSON"))
}

fn indices(sample: &Sample) {
    for name in sample.indexed_annotations().unwrap_or_default() {
        let Ok(Some(entry)) = sample.index_entry(&name) else { continue };
        drop(shown(IndexSummary::of(&entry, sample, None)));
        for class in [1, 2, 300] {
            drop((entry.draw(class, 7), entry.bounding_box(class), entry.occupancy(class)));
        }
    }
}

fn planes(sample: &Sample) {
    for image in sample.images().unwrap_or_default() {
        for axis in 0..3 {
            drop(image.plane(0, &PlaneIndex { axis, index: 1, outer: vec![0] }));
            drop(image.plane(0, &PlaneIndex { axis, index: 1, outer: vec![] }));
        }
    }
}

fn voxels(annotation: &AnnotationView) -> Result<(), ReadError> {
    let Some(extents) = annotation.spatial_shape()? else { return Ok(()) };
    // A plane across the first axis, and a corner.
    let plane = extents.iter().enumerate().map(|(axis, extent)| match axis {
        0 => extent / 2..(extent / 2 + 1).min(*extent),
        _ => 0..*extent,
    });
    let corner = extents.iter().map(|extent| 0..3.min(*extent));
    for region in [plane.collect::<Vec<_>>(), corner.collect()] {
        let of = |region: &[Range<u64>]| -> u64 {
            region.iter().map(|range| range.end - range.start).fold(1, u64::saturating_mul)
        };
        if let Ok(masks) = annotation.class_masks(&region, None) {
            let expected = of(&region).saturating_mul(masks.class_ids.len() as u64);
            assert_eq!(masks.values.len() as u64, expected, "{}", annotation.path());
        }
        for mask in [annotation.mask(&region).map(Some), annotation.ignored(&region)] {
            if let Ok(Some(mask)) = mask {
                assert_eq!(mask.len() as u64, of(&region), "{}", annotation.path());
            }
        }
    }
    Ok(())
}

fn shapes(sample: &Sample, annotation: &AnnotationView) -> Result<(), ReadError> {
    for grid in sample.grids()? {
        let Ok(grid) = grid.grid() else { continue };
        let Ok(Some(shapes)) = annotation.shapes(&grid, None) else { continue };
        let places = shapes.iter().flat_map(|shape| shape.vertices.iter().flatten());
        assert!(places.into_iter().all(|place| place.is_finite()), "{}", annotation.path());
        for axis in 0..3 {
            drop(sections(&shapes, axis, 1.0));
        }
    }
    Ok(())
}

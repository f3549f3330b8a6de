//! Boxes along the axes, of instances and of detections.

use super::AnnotationView;
use crate::ReadError;

/// Low and high bound along one axis.
pub type Bound = [f64; 2];

/// The boxes of an annotation, each as its bounds by axis; `None` unless there is a dataset `boxes` of rank 3.
///
/// # Errors
/// As [`AnnotationView::floats`].
pub fn boxes_of(view: &AnnotationView) -> Result<Option<Vec<Vec<Bound>>>, ReadError> {
    let Some(dataset) = view.dataset("boxes")? else { return Ok(None) };
    let values = view.floats("boxes")?.unwrap_or_default();
    let &[_, axes, bounds] = dataset.shape() else { return Ok(None) };
    let (axes, bounds) = (to_count(axes), to_count(bounds));
    let bound = |values: &[f64]| match values {
        [low, high, ..] => Some([*low, *high]),
        _ => None,
    };
    let boxes = values.chunks_exact(axes.saturating_mul(bounds).max(1));
    let by_axis = |one: &[f64]| one.chunks_exact(bounds.max(1)).filter_map(bound).collect();
    Ok(Some(boxes.map(by_axis).collect()))
}

/// Whether some axis of a box is inverted or endless.
pub(crate) fn is_bad_box(bounds: &[Bound]) -> bool {
    bounds.iter().any(|[low, high]| !(low.is_finite() && high.is_finite()) || low > high)
}

fn to_count(extent: u64) -> usize {
    usize::try_from(extent).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_boxes_are_fine() {
        assert!(!is_bad_box(&[[1.0, 1.0], [0.0, 2.0]]));
        assert!(is_bad_box(&[[1.0, 0.5]]) && is_bad_box(&[[0.0, f64::NAN]]));
    }
}

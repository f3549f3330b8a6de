//! What instances and boxes have in common: extents along axes.

use crate::ReadError;
use crate::annotations::AnnotationView;

/// Low and high bound of one axis of a box.
pub(super) type Bound = [f64; 2];

/// The boxes of an annotation, each as its bounds by axis; `None` unless the dataset has rank 3.
pub(super) fn boxes(view: &AnnotationView) -> Result<Option<Vec<Vec<Bound>>>, ReadError> {
    let Some(dataset) = view.dataset("boxes")? else { return Ok(None) };
    let &[_, axes, bounds] = dataset.shape() else { return Ok(None) };
    let values = view.floats("boxes")?.unwrap_or_default();
    let (axes, bounds) = (to_count(axes), to_count(bounds));
    let bound = |values: &[f64]| match values {
        [low, high, ..] => Some([*low, *high]),
        _ => None,
    };
    let boxes = values.chunks_exact(axes.saturating_mul(bounds).max(1));
    Ok(Some(boxes.map(|one| one.chunks_exact(bounds.max(1)).filter_map(bound).collect()).collect()))
}

/// Whether some axis of a box is inverted or endless.
pub(super) fn is_bad(bounds: &[Bound]) -> bool {
    bounds.iter().any(|[low, high]| !(low.is_finite() && high.is_finite()) || low > high)
}

fn to_count(extent: u64) -> usize {
    usize::try_from(extent).unwrap_or(usize::MAX)
}

//! Which encoding suits measured classes, and which classes share a layer. Spec: MEDH5 1.0 §7.6.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::survey::Survey;
use super::{Masks, NewArray};
use crate::annotations::Kind;

/// Classes that fill less of the grid than this, on average, may be stored as objects.
const SPARSE: f64 = 1e-3;

/// An object is compact when its box takes no more of the grid than this: what the reference takes.
const COMPACT: f64 = 0.05;

/// What an encoding is made from.
pub(super) struct Choice<'a> {
    pub(super) masks: &'a Arc<Masks>,
    pub(super) survey: &'a Survey,
    /// Ignored voxels, where labels say which.
    pub(super) in_band: Option<&'a NewArray>,
}

/// The encoding that suits.
#[expect(clippy::cast_precision_loss, reason = "shares of a grid")]
pub(super) fn choose(classes: &[u16], shape: &[u64], survey: &Survey) -> Kind {
    let grid = shape.iter().map(|extent| *extent as f64).product::<f64>().max(1.0);
    let total: u64 = survey.counts.iter().sum();
    let fill = total as f64 / (classes.len().max(1) as f64 * grid);
    let share = |bounds: &Vec<[u64; 2]>| {
        bounds.iter().map(|[low, high]| (high - low + 1) as f64).product::<f64>() / grid
    };
    let are_compact = survey.bounds.iter().flatten().all(|bounds| share(bounds) <= COMPACT);
    if total > 0 && fill < SPARSE && are_compact {
        return Kind::Instances;
    }
    if survey.pairs.is_empty() {
        return Kind::Labelmap;
    }
    let label_bytes = if classes.last().is_some_and(|widest| *widest > 254) { 2 } else { 1 };
    let layers = colour(classes, &survey.pairs).len();
    if layers * label_bytes < 8 * classes.len().div_ceil(64) { Kind::Layers } else { Kind::Bitmask }
}

/// The classes of each layer, so that no two that meet share one: by falling number of neighbours, then by rising id, each in the
/// lowest layer that is free.
pub(super) fn colour(classes: &[u16], pairs: &BTreeSet<(u16, u16)>) -> Vec<Vec<u16>> {
    let mut neighbours: BTreeMap<u16, BTreeSet<u16>> =
        classes.iter().map(|class| (*class, BTreeSet::new())).collect();
    for &(a, b) in pairs {
        neighbours.entry(a).or_default().insert(b);
        neighbours.entry(b).or_default().insert(a);
    }
    let mut order: Vec<u16> = classes.to_vec();
    order.sort_by_key(|class| (Reverse(neighbours.get(class).map_or(0, BTreeSet::len)), *class));
    let mut layers: Vec<Vec<u16>> = Vec::new();
    for class in order {
        let others = neighbours.get(&class);
        let is_free = |layer: &&mut Vec<u16>| {
            !layer.iter().any(|own| others.is_some_and(|others| others.contains(own)))
        };
        match layers.iter_mut().find(is_free) {
            Some(layer) => layer.push(class),
            None => layers.push(vec![class]),
        }
    }
    for layer in &mut layers {
        layer.sort_unstable();
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(counts: &[u64], boxes: &[[u64; 2]], pairs: &[(u16, u16)]) -> Survey {
        Survey {
            counts: counts.to_vec(),
            bounds: boxes.iter().map(|bounds| Some(vec![*bounds; 3])).collect(),
            pairs: pairs.iter().copied().collect(),
            ignored: 0,
            ignored_meets_class: false,
        }
    }

    #[test]
    fn layers_are_few_and_in_the_order_of_the_format() {
        let pairs = [(2, 3), (2, 5), (3, 5)].into_iter().collect();
        assert_eq!(colour(&[2, 3, 4, 5], &pairs), [vec![2, 4], vec![3], vec![5]]);
        assert_eq!(colour(&[1, 2], &BTreeSet::new()), [vec![1, 2]]);
    }

    #[test]
    fn small_objects_are_instances_and_crowds_are_bits() {
        let shape = [40, 40, 40];
        let one = |count, high| choose(&[1], &shape, &survey(&[count], &[[0, high]], &[]));
        assert_eq!(one(63, 13), Kind::Instances);
        assert_eq!(one(64, 13), Kind::Labelmap);
        assert_eq!(one(63, 14), Kind::Labelmap);
        assert_eq!(choose(&[1], &shape, &survey(&[0], &[], &[])), Kind::Labelmap);
        let crowd = |classes: std::ops::RangeInclusive<u16>| {
            let classes: Vec<u16> = classes.collect();
            let pairs: Vec<_> = classes
                .iter()
                .flat_map(|a| classes.iter().map(|b| (*a, *b)))
                .filter(|(a, b)| a < b)
                .collect();
            let counts = vec![32_000; classes.len()];
            let boxes = vec![[0, 39]; classes.len()];
            choose(&classes, &shape, &survey(&counts, &boxes, &pairs))
        };
        assert_eq!((crowd(1..=7), crowd(1..=8)), (Kind::Layers, Kind::Bitmask));
        assert_eq!((crowd(301..=303), crowd(301..=304)), (Kind::Layers, Kind::Bitmask));
    }
}

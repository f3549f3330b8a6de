//! How few layers would do: a greedy colouring of the classes that overlap.

use std::collections::{BTreeMap, BTreeSet};

/// Number of layers that hold `classes` so that no two classes of `overlapping` share one.
///
/// Classes are coloured by falling number of neighbours, then by rising id, each with the lowest free colour.
pub(crate) fn layers_needed(classes: &BTreeSet<u16>, overlapping: &BTreeSet<(u16, u16)>) -> usize {
    let mut neighbours: BTreeMap<u16, BTreeSet<u16>> =
        classes.iter().map(|class| (*class, BTreeSet::new())).collect();
    for &(a, b) in overlapping {
        if classes.contains(&a) && classes.contains(&b) {
            neighbours.entry(a).or_default().insert(b);
            neighbours.entry(b).or_default().insert(a);
        }
    }
    let mut order: Vec<_> = neighbours.iter().collect();
    order.sort_by_key(|(class, others)| (std::cmp::Reverse(others.len()), **class));
    let mut colours: BTreeMap<u16, usize> = BTreeMap::new();
    for (class, others) in order {
        let taken: BTreeSet<_> = others.iter().filter_map(|other| colours.get(other)).collect();
        let free = (0..taken.len()).find(|colour| !taken.contains(colour)).unwrap_or(taken.len());
        colours.insert(*class, free);
    }
    colours.values().max().map_or(0, |highest| highest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needed(classes: &[u16], pairs: &[(u16, u16)]) -> usize {
        layers_needed(&classes.iter().copied().collect(), &pairs.iter().copied().collect())
    }

    #[test]
    fn colours_as_few_as_the_greedy_order_finds() {
        assert_eq!(needed(&[], &[]), 0);
        assert_eq!(needed(&[1, 2, 3], &[]), 1);
        assert_eq!(needed(&[1, 2, 3], &[(1, 2), (2, 3)]), 2);
        assert_eq!(needed(&[1, 2, 3], &[(1, 2), (2, 3), (1, 3)]), 3);
        // A class that the table does not list makes no edge.
        assert_eq!(needed(&[1, 2], &[(1, 9), (2, 9)]), 1);
    }

    #[test]
    fn greedy_is_not_optimal_and_need_not_be() {
        // A path 1-3-4-2: every inner class has two neighbours, 3 comes first, 4 second, both ends last.
        assert_eq!(needed(&[1, 2, 3, 4], &[(1, 3), (3, 4), (2, 4)]), 2);
    }
}

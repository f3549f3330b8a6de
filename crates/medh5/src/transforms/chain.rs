//! Chains of composite transforms.

use std::collections::{HashMap, HashSet};

use hdf5::{Address, Group};

use super::{TransformKind, TransformView};
use crate::ReadError;
use crate::sample::Sample;

/// The composites among `transforms` that are, through composites, components of themselves. One that merely leads to
/// such a chain is not. Composites that cannot be read lead nowhere here.
///
/// # Errors
/// Only interruptions.
pub(crate) fn on_cycles(
    sample: &Sample,
    transforms: &[TransformView],
) -> Result<HashSet<Address>, ReadError> {
    let mut addresses = Vec::new();
    let mut names = Vec::new();
    for transform in transforms {
        if let Some(group) = transform.child().group()
            && let Some(components) = unless_unreadable(components(transform))?.flatten()
        {
            addresses.push(group.address());
            names.push(components);
        }
    }
    let index: HashMap<Address, usize> =
        addresses.iter().enumerate().map(|(at, address)| (*address, at)).collect();
    let mut edges = Vec::new();
    for names in names {
        let mut targets = Vec::new();
        for name in names {
            let component = unless_unreadable(sample.transform(&name))?.flatten();
            let address = component.and_then(|found| found.child().group().map(Group::address));
            targets.extend(address.and_then(|address| index.get(&address)));
        }
        edges.push(targets);
    }
    let cyclic = addresses.into_iter().zip(cyclic_nodes(&edges));
    Ok(cyclic.filter(|(_, is_cyclic)| *is_cyclic).map(|(address, _)| address).collect())
}

/// The components of a composite; `None` for other kinds.
fn components(transform: &TransformView) -> Result<Option<Vec<String>>, ReadError> {
    match transform.kind()? {
        Some(TransformKind::Composite) => transform.components(),
        _ => Ok(None),
    }
}

fn unless_unreadable<T>(read: Result<T, ReadError>) -> Result<Option<T>, ReadError> {
    match read {
        Err(error) if error.is_interruption() => Err(error),
        read => Ok(read.ok()),
    }
}

/// Which nodes of a graph, given by the targets of each node's edges, lie on a cycle.
///
/// Two nodes reach each other exactly when a second search, along the edges turned around and in the order in which the
/// first one finished its nodes, last first, finds them together.
fn cyclic_nodes(edges: &[Vec<usize>]) -> Vec<bool> {
    let mut turned = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        for to in targets {
            if let Some(sources) = turned.get_mut(*to) {
                sources.push(from);
            }
        }
    }
    let mut met = vec![false; edges.len()];
    let finished: Vec<usize> =
        (0..edges.len()).flat_map(|start| search(edges, start, &mut met)).collect();
    met.fill(false);
    let mut cyclic = vec![false; edges.len()];
    for start in finished.into_iter().rev() {
        let together = search(&turned, start, &mut met);
        for node in &together {
            let is_own_target = edges.get(*node).is_some_and(|targets| targets.contains(node));
            if let Some(mark) = cyclic.get_mut(*node) {
                *mark = together.len() > 1 || is_own_target;
            }
        }
    }
    cyclic
}

/// The nodes that a depth-first search from `start` finds and that were not met before, in the order of finishing.
fn search(edges: &[Vec<usize>], start: usize, met: &mut [bool]) -> Vec<usize> {
    let mut finished = Vec::new();
    let mut open = vec![(start, false)];
    while let Some((node, is_done)) = open.pop() {
        if is_done {
            finished.push(node);
            continue;
        }
        match met.get_mut(node) {
            Some(met) if !*met => *met = true,
            _ => continue,
        }
        open.push((node, true));
        open.extend(edges.get(node).into_iter().flatten().map(|target| (*target, false)));
    }
    finished
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_to_a_cycle_is_not_being_on_it() {
        // 0 -> 1 -> 2 -> 1, 2 -> 3 -> 4 -> 3, 5 -> 5, 6
        let edges = [vec![1], vec![2], vec![1, 3], vec![4], vec![3], vec![5], vec![]];
        assert_eq!(cyclic_nodes(&edges), [false, true, true, true, true, true, false]);
    }

    #[test]
    fn a_path_between_two_cycles_is_on_neither() {
        // 0 <-> 1 -> 2 -> 3 <-> 4
        let edges = [vec![1], vec![0, 2], vec![3], vec![4], vec![3]];
        assert_eq!(cyclic_nodes(&edges), [true, true, false, true, true]);
    }
}

//! Opens a file and reads all of it, without trusting it: the oracle of hostile-input tests and of fuzzing.

use std::collections::HashSet;

use hdf5::{
    Address, Array, Attribute, Class, Dataset, Dataspace, Datatype, Error, File, Group, Link,
    LinkTarget, Object, Window,
};
use sha2::{Digest as _, Sha256};

use crate::describe;

/// The most bytes that are read of one dataset or attribute: enough to touch every path, little enough for shapes of 2^60.
const MAX_BYTES: u64 = 1 << 18;

/// What a walk met.
#[derive(Debug)]
pub struct Outcome {
    /// Number of objects.
    pub objects: usize,
    /// What could not be read.
    pub errors: Vec<Error>,
    /// Changes when anything that was read changes.
    pub digest: [u8; 32],
}

/// Reads every object over hard links, every attribute, and of every dataset up to 256 KiB.
pub fn everything(file: &File) -> Outcome {
    let mut walk = Walk { seen: HashSet::new(), errors: Vec::new(), state: Sha256::new() };
    match file.root() {
        Ok(root) => walk.group(root),
        Err(error) => walk.errors.push(error),
    }
    Outcome { objects: walk.seen.len(), errors: walk.errors, digest: walk.state.finalize().into() }
}

struct Walk {
    seen: HashSet<Address>,
    errors: Vec<Error>,
    state: Sha256,
}

impl Walk {
    /// Iterative, so that a deeply nested file cannot overflow the stack of the test.
    fn group(&mut self, root: Group) {
        let mut waiting = vec![root];
        while let Some(group) = waiting.pop() {
            if !self.seen.insert(group.address()) {
                continue;
            }
            self.attributes(group.attributes());
            let Some(links) = self.keep(group.links()) else { continue };
            for link in links.iter() {
                self.state.update(&link.name);
                match self.target(&group, link) {
                    Some(Object::Group(child)) => waiting.push(child),
                    Some(Object::Dataset(dataset)) if self.seen.insert(dataset.address()) => {
                        self.dataset(&dataset);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Soft links are resolved too: in a circle they are beyond a limit, which is no damage.
    fn target(&mut self, group: &Group, link: &Link) -> Option<Object> {
        match (&link.target, group.get(&link.name())) {
            (LinkTarget::External { .. } | LinkTarget::UserDefined { .. }, _) => None,
            (LinkTarget::Soft(_), Err(error)) if error.class() == Class::Limit => None,
            (_, result) => self.keep(result).flatten(),
        }
    }

    fn attributes(&mut self, list: Result<std::sync::Arc<[Attribute]>, Error>) {
        let list = self.keep(list).unwrap_or_default();
        // Writers store them in different orders.
        let mut sorted: Vec<_> = list.iter().collect();
        sorted.sort_by(|one, other| one.name.cmp(&other.name));
        for attribute in sorted {
            self.state.update(&attribute.name);
            let count = attribute.dataspace.element_count();
            let few = count.is_some_and(|count| count <= elements_of(&attribute.datatype));
            if attribute.dataspace != Dataspace::Null
                && few
                && let Some(array) = self.keep(attribute.read())
            {
                self.content(&array, &attribute.datatype);
            }
        }
    }

    fn dataset(&mut self, dataset: &Dataset) {
        self.attributes(dataset.attributes());
        if dataset.chunk_dims().is_some()
            && let Some(chunks) = self.keep(dataset.stored_chunks())
        {
            self.state.update(chunks.len().to_le_bytes());
        }
        if *dataset.dataspace() == Dataspace::Null {
            return;
        }
        let some = elements_of(dataset.datatype());
        for window in [first(dataset.shape(), some), last(dataset.shape())] {
            if let Some(array) = self.keep(dataset.read_window(&window)) {
                self.content(&array, dataset.datatype());
            }
        }
    }

    /// Addresses of a heap are no content: they differ from one file to the next.
    fn content(&mut self, array: &Array, datatype: &Datatype) {
        if datatype.is_string() || !describe::holds_addresses(datatype) {
            self.state.update(describe::digest(&array.elements));
        }
    }

    fn keep<T>(&mut self, result: Result<T, Error>) -> Option<T> {
        result.map_err(|error| self.errors.push(error)).ok()
    }
}

fn elements_of(datatype: &Datatype) -> u64 {
    (MAX_BYTES / u64::from(datatype.size).max(1)).max(1)
}

/// A box at the origin that holds everything, or so many elements of it.
fn first(shape: &[u64], elements: u64) -> Window {
    let mut left = elements;
    let mut dims: Vec<u64> = shape.to_vec();
    for dim in dims.iter_mut().rev() {
        *dim = (*dim).min(left);
        left = (left / (*dim).max(1)).max(1);
    }
    Window::new(&vec![0; shape.len()], &dims)
}

/// The last element, and its neighbour on each axis that has one.
fn last(shape: &[u64]) -> Window {
    let dims: Vec<u64> = shape.iter().map(|size| (*size).min(2)).collect();
    let start: Vec<u64> = shape.iter().zip(&dims).map(|(size, dim)| size - dim).collect();
    Window::new(&start, &dims)
}

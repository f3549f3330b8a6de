//! HDF5 files made of any bytes: their structure.

use std::sync::Arc;

use hdf5::{Group, LinkTarget, Object};

use crate::open;

/// Objects that one walk looks at.
const MAX_OBJECTS: usize = 2_000;

/// Opens `data` as a file and looks at every object and attribute in it, but at no element of a dataset.
///
/// Nothing panics and it ends: each object is met at most once per link to it, and not within itself.
pub fn open_and_walk(data: &[u8]) {
    let Ok(file) = open::source(Arc::new(data.to_vec())) else { return };
    let Ok(root) = file.root() else { return };
    let mut left = MAX_OBJECTS;
    walk(&root, 0, &mut left, &mut |object| {
        if let Object::Dataset(dataset) = object {
            let _ = dataset.attributes().map(|all| all.iter().for_each(|a| drop(a.read())));
            let _ = (dataset.shape(), dataset.datatype(), dataset.filters(), dataset.storage());
            let _ = dataset.stored_chunks();
        }
    });
}

/// Calls `visit` for every object below `group`.
pub(super) fn walk(group: &Group, depth: usize, left: &mut usize, visit: &mut impl FnMut(&Object)) {
    let _ = group.attributes().map(|all| all.iter().for_each(|a| drop(a.read())));
    let Ok(links) = group.links() else { return };
    for link in links.iter().filter(|link| matches!(link.target, LinkTarget::Hard(_))) {
        if *left == 0 || depth > 8 {
            return;
        }
        *left -= 1;
        let Ok(Some(object)) = group.get(&link.name()) else { continue };
        visit(&object);
        if let Object::Group(group) = &object {
            walk(group, depth + 1, left, visit);
        }
    }
}

//! Whether what was moved has arrived: the same objects, links and attributes, the same bytes in every chunk.

use std::sync::Arc;

use hdf5::{
    Address, Attribute, Dataset, Dataspace, Datatype, DatatypeClass, Group, Link, LinkTarget,
    Object,
};

use super::WriteError;
use super::verify::same_values;
use crate::ReadError;
use crate::sample::{Visit, Walk};
use crate::storage::same_filters;
use crate::validate::{Observer, checkpoint};

/// Reads both groups with everything below them, and compares. Nothing is decoded that is stored in chunks.
///
/// # Errors
/// [`WriteError::Unverified`], naming the object, when `new` is not what `old` is; [`WriteError::Read`] when one of them cannot be
/// read, or the observer wants to stop.
pub(super) fn same_objects(
    old: &Group,
    new: &Group,
    observer: &dyn Observer,
) -> Result<(), WriteError> {
    let (before, after) = (Walk::of(old)?, Walk::of(new)?);
    if before.visits().len() != after.visits().len() {
        let reason = format!("{} objects of {}", after.visits().len(), before.visits().len());
        return Err(WriteError::Unverified { reason });
    }
    for (one, other) in before.visits().iter().zip(after.visits()) {
        let is_same = one.path == other.path
            && match (&one.object, &other.object) {
                (Object::Group(old), Object::Group(new)) => {
                    same_attributes(&old.attributes()?, &new.attributes()?)?
                        && same_links((old, &before), (new, &after))?
                }
                (Object::Dataset(old), Object::Dataset(new)) => {
                    same_attributes(&old.attributes()?, &new.attributes()?)?
                        && same_data(old, new, observer)?
                }
                (Object::Datatype(old), Object::Datatype(new)) => old.datatype == new.datatype,
                _ => false,
            };
        if !is_same {
            let Visit { path, .. } = one;
            return Err(WriteError::Unverified { reason: format!("/{path} is another") });
        }
    }
    Ok(())
}

fn same_attributes(old: &Arc<[Attribute]>, new: &Arc<[Attribute]>) -> Result<bool, ReadError> {
    let sorted = |list: &Arc<[Attribute]>| {
        let mut sorted = list.to_vec();
        sorted.sort_by(|one, other| one.stored_name().cmp(other.stored_name()));
        sorted
    };
    let (old, new) = (sorted(old), sorted(new));
    let mut same = old.len() == new.len();
    for (old, new) in old.iter().zip(&new) {
        same &= old.stored_name() == new.stored_name()
            && old.datatype == new.datatype
            && old.dataspace.dims() == new.dataspace.dims()
            && (old.dataspace == Dataspace::Null) == (new.dataspace == Dataspace::Null)
            && same_value(old, new)?;
    }
    Ok(same)
}

fn same_value(old: &Attribute, new: &Attribute) -> Result<bool, ReadError> {
    if !points_elsewhere(&old.datatype) || old.dataspace == Dataspace::Null {
        return Ok(old.stored_value() == new.stored_value());
    }
    Ok(!old.datatype.is_string() || old.read()? == new.read()?)
}

/// Links of the same names lead to the same: an object by its first path, a path by its text.
fn same_links(
    (old, before): (&Group, &Walk),
    (new, after): (&Group, &Walk),
) -> Result<bool, ReadError> {
    let (old, new) = (old.links()?, new.links()?);
    let same = |(old, new): (&Link, &Link)| {
        let first = |walk: &Walk, at: &Address| walk.first_path(*at).map(str::to_owned);
        old.name == new.name
            && match (&old.target, &new.target) {
                (LinkTarget::Hard(old), LinkTarget::Hard(new)) => {
                    first(before, old) == first(after, new)
                }
                (old, new) => old == new,
            }
    };
    Ok(old.len() == new.len() && old.iter().zip(new.iter()).all(same))
}

fn same_data(old: &Dataset, new: &Dataset, observer: &dyn Observer) -> Result<bool, ReadError> {
    let alike = old.datatype() == new.datatype()
        && old.dataspace() == new.dataspace()
        && old.chunk_dims() == new.chunk_dims()
        && same_filters(old.filters(), new.filters());
    if !alike || *old.dataspace() == Dataspace::Null {
        return Ok(alike);
    }
    if points_elsewhere(old.datatype()) {
        // Where they point to differs from file to file; texts are read, others are known by their number alone.
        return Ok(!old.datatype().is_string() || old.read()? == new.read()?);
    }
    if old.chunk_dims().is_none() {
        return same_values(old, new, observer);
    }
    let (before, after) = (old.stored_chunks()?, new.stored_chunks()?);
    if before.len() != after.len() {
        return Ok(false);
    }
    for (one, other) in before.iter().zip(&after) {
        let bytes = old.read_stored(one)?;
        checkpoint(observer, bytes.len() as u64)?;
        let is_same = one.chunk_coord == other.chunk_coord
            && one.filter_mask == other.filter_mask
            && bytes == new.read_stored(other)?;
        if !is_same {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether elements hold places in their file.
fn points_elsewhere(datatype: &Datatype) -> bool {
    match &datatype.class {
        DatatypeClass::Compound { members } => {
            members.iter().any(|member| points_elsewhere(&member.datatype))
        }
        DatatypeClass::Array { base, .. } => points_elsewhere(base),
        DatatypeClass::Reference { .. }
        | DatatypeClass::VariableString { .. }
        | DatatypeClass::VariableSequence { .. } => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hdf5::{NewAttribute, NewDataset, NewGroup, NumberType, WriteOptions};

    use super::*;
    use crate::storage::{Profile, Role, reading};
    use crate::validate::Silent;

    fn tree(first_voxel: u8, text: &str, alias: &str) -> Group {
        let filters = Profile::Training.filters(Role::Image, 1, &[64, 64]);
        let data = (0..64 * 64).map(|at| if at == 0 { first_voxel } else { 3 }).collect();
        let image = NewDataset::numbers(NumberType::U8, &[64, 64], data);
        let mut root = NewGroup::new()
            .attribute("text", NewAttribute::text(text))
            .attribute("number", NewAttribute::float(f64::NAN))
            .dataset("image", image.chunked(&[64, 64], filters))
            .dataset("words", NewDataset::text(text));
        root.links.insert(b"alias".to_vec(), hdf5::NewLink::Soft(alias.into()));
        let mut bytes = Vec::new();
        hdf5::write(root, &reading(), &mut bytes, &WriteOptions::default()).expect("a tree");
        let options = hdf5::OpenOptions { filters: reading(), ..hdf5::OpenOptions::default() };
        hdf5::File::open_with(Arc::new(bytes), options)
            .and_then(|file| file.root())
            .expect("a file")
    }

    #[test]
    fn what_differs_is_named() {
        let old = tree(1, "one", "image");
        let said = |new| match same_objects(&old, &new, &Silent) {
            Ok(()) => String::new(),
            Err(error) => error.to_string(),
        };
        assert_eq!(said(tree(1, "one", "image")), "");
        assert!(said(tree(2, "one", "image")).ends_with("/image is another"));
        assert!(said(tree(1, "two", "image")).ends_with("/ is another"));
        assert!(said(tree(1, "one", "words")).ends_with("/ is another"));
    }
}

//! Copies of what another file has: descriptions now, chunks when they are written.

mod dataset;
#[cfg(test)]
mod tests;
mod values;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

use self::values::Values;
use super::tree::request;
use super::{NewAttribute, NewDataset, NewDatatype, NewGroup, NewLink, NewObject, ObjectId};
use crate::error::Error;
use crate::limits::{within, within_group_depth};
use crate::message::datatype::{Datatype, DatatypeClass};
use crate::message::kind;
use crate::message::link::{Link, LinkTarget};
use crate::object_header::Prefix;
use crate::parse::Address;
use crate::read::object::Handle;
use crate::read::storage::{Allowance, Storage, whole};
use crate::read::{Attribute, Dataset, Group, Object};

/// Copies a group with everything below.
pub(super) fn group(group: &Group) -> Result<NewGroup, Error> {
    Copier::new(&group.handle().storage).group(group)
}

/// Copies an object, a group with everything below.
pub(super) fn object(object: &Object) -> Result<NewObject, Error> {
    Copier::new(&object.handle().storage).object(object)
}

/// Copies a dataset.
pub(super) fn dataset(dataset: &Dataset) -> Result<NewDataset, Error> {
    dataset::dataset(dataset, &mut dataset.store().allowance())
}

/// Copies an attribute.
pub(super) fn attribute(attribute: &Attribute) -> Result<NewAttribute, Error> {
    copy_attribute(attribute, &mut attribute.store().allowance())
}

struct Copier {
    /// What the values of variable length may come to.
    allowance: Allowance,
    /// The objects that were copied so far, by their addresses.
    seen: BTreeSet<Address>,
    /// Groups that are being copied, each inside the one before.
    depth: u32,
}

impl Copier {
    fn new(storage: &Storage) -> Self {
        Self { allowance: storage.allowance(), seen: BTreeSet::new(), depth: 0 }
    }

    fn object(&mut self, object: &Object) -> Result<NewObject, Error> {
        match object {
            Object::Group(group) => self.group(group).map(NewObject::Group),
            Object::Dataset(dataset) => {
                dataset::dataset(dataset, &mut self.allowance).map(NewObject::Dataset)
            }
            Object::Datatype(committed) => {
                let handle = object.handle();
                Ok(NewObject::Datatype(NewDatatype {
                    datatype: writable(&committed.datatype)
                        .map_err(|error| error.in_object(object.path()))?,
                    attributes: attributes(&object.attributes()?, &mut self.allowance)?,
                    id: Some(identity(&handle.storage, handle.address)),
                    comment: comment(handle),
                }))
            }
        }
    }

    fn group(&mut self, group: &Group) -> Result<NewGroup, Error> {
        let handle = group.handle();
        self.seen.insert(handle.address);
        self.depth = self.depth.saturating_add(1);
        let limits = handle.storage.limits();
        within("objects", self.seen.len() as u64, "max_objects", limits.max_objects)
            .and_then(|()| within_group_depth(self.depth, limits))
            .map_err(|problem| {
                whole(Prefix::NAME, handle.node.header.offset(), problem).in_object(group.path())
            })?;
        let mut links = BTreeMap::new();
        for link in group.links()?.iter() {
            let copy = self.link(group, link).map_err(|error| error.in_object(group.path()))?;
            links.insert(link.name.clone(), copy);
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(NewGroup {
            attributes: attributes(&group.attributes()?, &mut self.allowance)?,
            links,
            id: Some(identity(&handle.storage, handle.address)),
            comment: comment(handle),
            keep_together: false,
        })
    }

    fn link(&mut self, group: &Group, link: &Link) -> Result<NewLink, Error> {
        let storage = &group.handle().storage;
        Ok(match &link.target {
            LinkTarget::Soft(path) => NewLink::Soft(path.clone()),
            LinkTarget::External { file, path } => {
                NewLink::External { file: file.clone(), path: path.clone() }
            }
            LinkTarget::UserDefined { class } => {
                let name = link.name();
                let reason = format!("the link `{name}` of class {class} cannot be copied");
                return Err(request(reason));
            }
            LinkTarget::Hard(address) if self.seen.contains(address) => {
                NewLink::Again(identity(storage, *address))
            }
            LinkTarget::Hard(address) => {
                self.seen.insert(*address);
                let object = group.open(link)?.expect("a hard link leads somewhere");
                self.object(&object)?.into()
            }
        })
    }
}

/// Tells an object of an open file from all others.
fn identity(storage: &Storage, address: Address) -> ObjectId {
    ObjectId { file: storage.id, number: address.0 }
}

/// The object's comment, as stored.
fn comment(handle: &Handle) -> Option<Vec<u8>> {
    handle.node.header.message(kind::COMMENT).map(|message| message.data.to_vec())
}

fn attributes(
    all: &[Attribute],
    allowance: &mut Allowance,
) -> Result<BTreeMap<Vec<u8>, NewAttribute>, Error> {
    all.iter()
        .map(|attribute| {
            let copy = copy_attribute(attribute, allowance)
                .map_err(|error| error.in_object(attribute.object_path()))?;
            Ok((attribute.stored_name().to_vec(), copy))
        })
        .collect()
}

/// Copies an attribute with the values that it has in the heap, as long as `allowance` lasts.
fn copy_attribute(attribute: &Attribute, allowance: &mut Allowance) -> Result<NewAttribute, Error> {
    let storage = attribute.store();
    let datatype = writable(&attribute.datatype)
        .map_err(|error| request(format!("the attribute `{}`: {error}", attribute.name)))?;
    let bytes = attribute.stored_value().to_vec();
    let elements =
        Values::new(storage, allowance).of(&attribute.datatype, bytes, attribute.value_offset())?;
    Ok(NewAttribute {
        datatype,
        committed: attribute.committed_datatype().map(|address| identity(storage, address)),
        dataspace: attribute.dataspace.clone(),
        elements,
    })
}

/// The type as it can be written to another file: references to the heap are as wide as addresses are there.
fn writable(datatype: &Datatype) -> Result<Datatype, Error> {
    let class = match &datatype.class {
        DatatypeClass::Reference { .. } => {
            return Err(request(
                "references to objects mean nothing in another file, and are not copied".into(),
            ));
        }
        DatatypeClass::Enumeration { members, .. } => {
            members.iter().try_for_each(|member| whole_name(&member.name))?;
            datatype.class.clone()
        }
        DatatypeClass::Compound { members } => {
            for member in members {
                whole_name(&member.name)?;
                same_size(&member.datatype, &writable(&member.datatype)?)?;
            }
            datatype.class.clone()
        }
        DatatypeClass::Array { base, .. } => {
            same_size(base, &writable(base)?)?;
            datatype.class.clone()
        }
        DatatypeClass::VariableSequence { base } => {
            let base = writable(base)?.into();
            let size = super::stored_elements::REFERENCE_SIZE;
            return Ok(Datatype { size, class: DatatypeClass::VariableSequence { base } });
        }
        DatatypeClass::VariableString { .. } => {
            let size = super::stored_elements::REFERENCE_SIZE;
            return Ok(Datatype { size, class: datatype.class.clone() });
        }
        class => class.clone(),
    };
    Ok(Datatype { size: datatype.size, class })
}

/// Parts of a type stay where they are.
fn same_size(part: &Datatype, writable: &Datatype) -> Result<(), Error> {
    if part.size == writable.size {
        return Ok(());
    }
    let reason = "a value of variable length inside a type, in a file with narrow addresses,";
    Err(request(format!("{reason} is not copied")))
}

/// A name that was not text in the file cannot be written as it was.
fn whole_name(name: &str) -> Result<(), Error> {
    if name.contains(char::REPLACEMENT_CHARACTER) {
        return Err(request(format!("a type has a member {name:?}, which is not UTF-8")));
    }
    Ok(())
}

//! Copies of what another file has.

use super::{NewAttribute, NewDataset, NewGroup, NewObject};
use crate::error::Error;
use crate::read::{Attribute, Dataset, Group, Object};

pub(super) fn group(group: &Group) -> Result<NewGroup, Error> {
    Err(unfinished(group.path()))
}

pub(super) fn object(object: &Object) -> Result<NewObject, Error> {
    Err(unfinished(object.path()))
}

pub(super) fn dataset(dataset: &Dataset) -> Result<NewDataset, Error> {
    Err(unfinished(dataset.path()))
}

pub(super) fn attribute(attribute: &Attribute) -> Result<NewAttribute, Error> {
    Err(unfinished(&attribute.name))
}

fn unfinished(what: &str) -> Error {
    Error::Request { reason: "copying is not finished yet".into() }.in_object(what)
}

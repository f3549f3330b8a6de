//! Attributes: small values attached to an object.

use alloc::string::String;

use crate::error::{Error, FormatError, Problem};
use crate::message::dataspace::Dataspace;
use crate::message::datatype::Datatype;
use crate::value::Array;

/// One attribute: its description is read, its value is decoded on demand.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Its name; bytes that are not UTF-8 show as U+FFFD.
    pub name: String,
    /// Type of the elements.
    pub datatype: Datatype,
    /// Extent.
    pub dataspace: Dataspace,
}

impl Attribute {
    /// Decodes the value.
    ///
    /// # Errors
    /// [`Error::Request`] for a null dataspace, [`Error::Format`] when the value or a string's heap is broken.
    pub fn read(&self) -> Result<Array, Error> {
        Err(pending())
    }
}

pub(crate) fn pending() -> Error {
    Error::Format(FormatError {
        structure: "reader".into(),
        field: None,
        start: 0,
        offset: 0,
        problem: Problem::unsupported("this part"),
    })
}

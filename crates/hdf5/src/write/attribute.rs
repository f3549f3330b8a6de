//! New attributes.

use alloc::vec;
use alloc::vec::Vec;

use super::{ObjectId, StoredElements};
use crate::NumberType;
use crate::error::Error;
use crate::message::dataspace::Dataspace;
use crate::message::datatype::Datatype;
use crate::read::Attribute;

/// An attribute to be written; its name is the key under which an object has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAttribute {
    /// Type of the elements.
    pub datatype: Datatype,
    /// The committed datatype that it shares, if that is written too.
    pub committed: Option<ObjectId>,
    /// Extent.
    pub dataspace: Dataspace,
    /// As many elements as the extent has.
    pub elements: StoredElements,
}

impl NewAttribute {
    /// Any type and extent; `elements` must be as many as `dataspace` has.
    pub fn raw(datatype: Datatype, dataspace: Dataspace, elements: StoredElements) -> Self {
        Self { datatype, committed: None, dataspace, elements }
    }

    /// One text: UTF-8 of variable length, scalar.
    pub fn text(text: &str) -> Self {
        Self::raw(Datatype::text(), Dataspace::scalar(), StoredElements::texts([text]))
    }

    /// Texts: UTF-8 of variable length, 1-D.
    pub fn texts<T: AsRef<str>>(texts: &[T]) -> Self {
        let elements = StoredElements::texts(texts.iter().map(|text| text.as_ref().as_bytes()));
        Self::raw(Datatype::text(), Dataspace::fixed(&[texts.len() as u64]), elements)
    }

    /// One truth value: h5py's enumeration over one signed byte, scalar.
    pub fn boolean(value: bool) -> Self {
        let elements = StoredElements::fixed(vec![u8::from(value)]);
        Self::raw(Datatype::boolean(), Dataspace::scalar(), elements)
    }

    /// One 64-bit integer, scalar.
    pub fn integer(value: i64) -> Self {
        Self::numbers(NumberType::I64, &[], value.to_le_bytes())
    }

    /// 64-bit integers, 1-D. None of them is how MEDH5 stores an empty list of anything.
    pub fn integers(values: &[i64]) -> Self {
        let dims = [values.len() as u64];
        Self::numbers(NumberType::I64, &dims, values.iter().flat_map(|value| value.to_le_bytes()))
    }

    /// Unsigned 16-bit integers, 1-D.
    pub fn u16s(values: &[u16]) -> Self {
        let dims = [values.len() as u64];
        Self::numbers(NumberType::U16, &dims, values.iter().flat_map(|value| value.to_le_bytes()))
    }

    /// One number in double precision, scalar.
    pub fn float(value: f64) -> Self {
        Self::numbers(NumberType::F64, &[], value.to_le_bytes())
    }

    /// Numbers in double precision, 1-D.
    pub fn floats(values: &[f64]) -> Self {
        Self::float_array(&[values.len() as u64], values)
    }

    /// Numbers in double precision of any extent, in C order: a matrix is `[rows, columns]`.
    pub fn float_array(dims: &[u64], values: &[f64]) -> Self {
        Self::numbers(NumberType::F64, dims, values.iter().flat_map(|value| value.to_le_bytes()))
    }

    /// Numbers of any type and extent, as little-endian bytes.
    pub fn numbers(number: NumberType, dims: &[u64], bytes: impl IntoIterator<Item = u8>) -> Self {
        let elements = StoredElements::fixed(bytes.into_iter().collect::<Vec<u8>>());
        Self::raw(Datatype::number_of(number), Dataspace::fixed(dims), elements)
    }

    /// A copy of an attribute of another file.
    ///
    /// # Errors
    /// [`Error::Request`], naming it, when it holds references to objects, which mean nothing in another file.
    /// What reading its heap may fail with.
    pub fn copy_of(attribute: &Attribute) -> Result<Self, Error> {
        super::copy::attribute(attribute)
    }
}

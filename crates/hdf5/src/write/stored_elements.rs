//! Elements as they will be stored, with the values that their heap references will lead to.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use crate::error::Error;
use crate::message::dataspace::Dataspace;
use crate::message::datatype::{Datatype, DatatypeClass};

/// Elements as a datatype stores them, one after the other.
///
/// Where the datatype is of variable length, the bytes of its references are zero until the file is laid out; what
/// they lead to is kept beside them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredElements {
    pub(super) bytes: Vec<u8>,
    /// In the order of their places.
    pub(super) values: Vec<HeapValue>,
}

/// A value of variable length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HeapValue {
    /// The byte of the elements at which the reference to it starts.
    pub(super) at: usize,
    /// Its length, in elements of the variable-length type's base.
    pub(super) len: u32,
    /// The elements themselves.
    pub(super) elements: StoredElements,
}

/// Bytes of a reference to the heap, with addresses of 8 bytes.
pub(super) const REFERENCE_LEN: usize = REFERENCE_SIZE as usize;
/// The same, as the size of a type.
pub(super) const REFERENCE_SIZE: u32 = 16;

impl StoredElements {
    /// Elements of fixed size, as the datatype stores them.
    pub fn fixed(bytes: Vec<u8>) -> Self {
        Self { bytes, values: Vec::new() }
    }

    /// Texts of variable length ([`Datatype::text`]), one per element. Each has less than 4 GiB.
    pub fn texts<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> Self {
        let mut elements = Self::default();
        for text in texts {
            let text = text.as_ref();
            let at = elements.bytes.len();
            elements.bytes.extend(vec![0; REFERENCE_LEN]);
            let len = u32::try_from(text.len()).unwrap_or(u32::MAX);
            elements.values.push(HeapValue { at, len, elements: Self::fixed(text.to_vec()) });
        }
        elements
    }

    /// Refuses elements that are not as many as `dataspace` has, or not of this type.
    pub(super) fn check(&self, datatype: &Datatype, dataspace: &Dataspace) -> Result<(), Error> {
        let size = u64::from(datatype.size);
        let expected = dataspace.element_count().and_then(|count| count.checked_mul(size));
        let found = self.bytes.len() as u64;
        if expected != Some(found) {
            let dims = dataspace.dims();
            let reason = format!("{found} bytes for elements of {size} with the extent {dims:?}");
            return Err(Error::Request { reason });
        }
        let variable = is_variable(datatype);
        let has_stray_references =
            variable && self.values.is_empty() && self.bytes.iter().any(|byte| *byte != 0);
        if has_stray_references || (!variable && !self.values.is_empty()) {
            let reason = "elements of fixed size for a type of variable length, or the reverse";
            return Err(Error::Request { reason: reason.into() });
        }
        Ok(())
    }
}

/// Whether elements of this type refer to the heap.
pub(super) fn is_variable(datatype: &Datatype) -> bool {
    match &datatype.class {
        DatatypeClass::VariableString { .. } | DatatypeClass::VariableSequence { .. } => true,
        DatatypeClass::Array { base, .. } => is_variable(base),
        DatatypeClass::Compound { members } => members.iter().any(|m| is_variable(&m.datatype)),
        _ => false,
    }
}

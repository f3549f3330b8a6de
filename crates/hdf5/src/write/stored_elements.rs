//! Elements as they will be stored, with the values that their heap references will lead to.

use alloc::vec;
use alloc::vec::Vec;

use crate::message::datatype::Datatype;

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
pub(super) const REFERENCE_LEN: usize = 16;

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

    /// Number of elements of this type; `None` when there is no whole number of them.
    pub(super) fn count(&self, datatype: &Datatype) -> Option<u64> {
        let (len, size) = (self.bytes.len() as u64, u64::from(datatype.size));
        (len.checked_rem(size)? == 0).then(|| len.checked_div(size)).flatten()
    }
}

//! Elements as digests; the twin of `element_digest` in `describe.py`.

use std::fmt::Write as _;

use hdf5::{Dataspace, Datatype, DatatypeClass, Elements};
use sha2::{Digest as _, Sha256};

/// Whether there are elements to compare: not for null dataspaces, nor where elements hold heap addresses.
pub(super) fn comparable(datatype: &Datatype, space: &Dataspace) -> bool {
    *space != Dataspace::Null && (datatype.is_string() || !holds_addresses(datatype))
}

/// Whether stored elements refer to places in their file.
pub fn holds_addresses(datatype: &Datatype) -> bool {
    match &datatype.class {
        DatatypeClass::Compound { members } => {
            members.iter().any(|member| holds_addresses(&member.datatype))
        }
        DatatypeClass::Array { base, .. } => holds_addresses(base),
        DatatypeClass::Reference { .. }
        | DatatypeClass::VariableString { .. }
        | DatatypeClass::VariableSequence { .. } => true,
        _ => false,
    }
}

/// SHA-256 over numbers in little-endian order, strings each followed by a NUL, anything else as stored.
pub fn digest(elements: &Elements) -> String {
    let mut state = Sha256::new();
    match elements {
        Elements::Strings(strings) => {
            for string in strings {
                state.update(string);
                state.update([0]);
            }
        }
        numbers => state.update(little_endian(numbers)),
    }
    hex(&state.finalize())
}

/// The digest of bytes that are already in the order that [`digest`] hashes.
pub fn digest_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn little_endian(elements: &Elements) -> Vec<u8> {
    macro_rules! bytes {
        ($values:expr) => {
            $values.iter().flat_map(|value| value.to_le_bytes()).collect()
        };
    }
    match elements {
        Elements::I8(v) => bytes!(v),
        Elements::U8(v) => v.clone(),
        Elements::I16(v) => bytes!(v),
        Elements::U16(v) => bytes!(v),
        Elements::I32(v) => bytes!(v),
        Elements::U32(v) => bytes!(v),
        Elements::I64(v) => bytes!(v),
        Elements::U64(v) => bytes!(v),
        Elements::F16(v) => v.iter().flat_map(|value| value.0.to_le_bytes()).collect(),
        Elements::F32(v) => bytes!(v),
        Elements::F64(v) => bytes!(v),
        Elements::Raw { bytes, .. } => bytes.clone(),
        _ => unreachable!("strings are hashed one by one"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

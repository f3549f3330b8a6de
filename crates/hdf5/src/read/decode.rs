//! Decodes stored elements into values of the machine.

use alloc::vec::Vec;

use super::global_heap::GlobalHeapReader;
use super::storage::Storage;
use crate::error::Error;
use crate::heap::global::HeapReference;
use crate::message::datatype::{Datatype, DatatypeClass, StringPadding};
use crate::parse::{parse_at, until_nul};
use crate::stored_number::{Order, normalize};
use crate::value::Elements;

/// Decodes the elements in `bytes`, of which there must be a whole number; `offset` is where they are in the file.
///
/// Numbers come in the machine's byte order, enumerations as their integers, text without padding; everything else
/// as stored.
pub(crate) fn decode(
    storage: &Storage,
    datatype: &Datatype,
    bytes: &[u8],
    offset: u64,
) -> Result<Elements, Error> {
    if let Some(number) = datatype.number() {
        let size = usize::try_from(datatype.size).unwrap_or(usize::MAX).max(1);
        return Elements::numbers(number, bytes.len().checked_div(size).unwrap_or(0), |numbers| {
            numbers.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            normalize(datatype, Order::Native, numbers);
            Ok(())
        });
    }
    match datatype.class {
        DatatypeClass::FixedString { padding, .. } => {
            let size = usize::try_from(datatype.size).unwrap_or(usize::MAX).max(1);
            let texts = bytes.chunks_exact(size).map(|text| fixed_text(padding, text).to_vec());
            Ok(Elements::Strings(texts.collect()))
        }
        DatatypeClass::VariableString { padding, .. } => {
            variable_strings(storage, padding, bytes, offset).map(Elements::Strings)
        }
        _ => Ok(Elements::Raw {
            element_size: usize::try_from(datatype.size).unwrap_or(usize::MAX),
            bytes: bytes.to_vec(),
        }),
    }
}

/// Trailing NULs are never part of a text of fixed length; trailing spaces may be, whatever the padding says.
fn fixed_text(padding: StringPadding, stored: &[u8]) -> &[u8] {
    let text = match padding {
        StringPadding::NullTerminated => until_nul(stored),
        StringPadding::NullPadded | StringPadding::SpacePadded => stored,
    };
    let len = text.iter().rposition(|byte| *byte != 0).map_or(0, |last| last.saturating_add(1));
    text.get(..len).unwrap_or_default()
}

fn variable_strings(
    storage: &Storage,
    padding: StringPadding,
    bytes: &[u8],
    offset: u64,
) -> Result<Vec<Vec<u8>>, Error> {
    let sizes = storage.sizes();
    let size = usize::from(sizes.offset).saturating_add(8);
    let mut references = Vec::new();
    for (number, element) in bytes.chunks_exact(size).enumerate() {
        let at = offset.saturating_add(number.saturating_mul(size) as u64);
        let reference = parse_at(HeapReference::NAME, at, element, HeapReference::parse(sizes))?;
        references.push((at, reference));
    }
    let mut heap = GlobalHeapReader::new(storage);
    heap.prefetch(references.iter().map(|(_, reference)| *reference))?;
    references
        .into_iter()
        .map(|(at, reference)| {
            let mut text = heap.value(reference, 1, at)?;
            if padding == StringPadding::NullTerminated {
                // Quirk: writers in C store the terminator and count it.
                text.truncate(until_nul(&text).len());
            }
            Ok(text)
        })
        .collect()
}

//! Decodes stored elements into values of the machine.

use alloc::vec;
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
    let reference = |number: usize, element| {
        let at = offset.saturating_add(number.saturating_mul(size) as u64);
        parse_at(HeapReference::NAME, at, element, HeapReference::parse(sizes))
            .map(|reference| (at, reference))
    };
    let mut heap = GlobalHeapReader::new(storage);
    let mut text = |(at, reference)| {
        let mut text = heap.value(reference, 1, at)?;
        if padding == StringPadding::NullTerminated {
            // Quirk: writers in C store the terminator and count it.
            text.truncate(until_nul(&text).len());
        }
        Ok(text)
    };
    if bytes.len() == size {
        // Most attributes are one text.
        return Ok(vec![text(reference(0, bytes)?)?]);
    }
    let references = bytes.chunks_exact(size).enumerate();
    let references = references
        .map(|(number, element)| reference(number, element))
        .collect::<Result<Vec<_>, _>>()?;
    GlobalHeapReader::new(storage).prefetch(references.iter().map(|(_, reference)| *reference))?;
    references.into_iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::super::OpenOptions;
    use super::super::test_file::{ROOT, collection, file, header, link_info, text_at, text_of};
    use super::*;
    use crate::Limits;
    use crate::message::datatype::CharacterSet;
    use alloc::sync::Arc;
    use alloc::vec;

    #[test]
    fn drops_what_fills_a_fixed_text() {
        let text = |padding| fixed_text(padding, b"ab \0c\0");
        assert_eq!(text(StringPadding::NullTerminated), b"ab ");
        assert_eq!(text(StringPadding::NullPadded), b"ab \0c");
        assert_eq!(fixed_text(StringPadding::SpacePadded, b"ab  "), b"ab  ");
        assert_eq!(fixed_text(StringPadding::NullPadded, b"\0\0"), b"");
    }

    /// Texts of the heap of a small file, of which a call may read so many bytes.
    fn texts(max_variable_bytes: u64, elements: &[(u32, u32)]) -> Result<Elements, Error> {
        let heap = collection(&["one", "three"]);
        let bytes = file(&[(ROOT, header(vec![link_info()])), (0x200, heap)]);
        let limits = Limits { max_variable_bytes, ..Limits::default() };
        let options = OpenOptions { limits, ..OpenOptions::default() };
        let storage = Storage::open(Arc::new(bytes), options).unwrap();
        let (padding, character_set) = (StringPadding::NullTerminated, CharacterSet::Utf8);
        let class = DatatypeClass::VariableString { padding, character_set };
        let stored: Vec<u8> =
            elements.iter().flat_map(|(len, index)| text_at(*len, 0x200, *index).build()).collect();
        decode(&storage, &Datatype { size: 16, class }, &stored, 0x800)
    }

    #[test]
    fn reads_texts_of_the_heap_in_any_order() {
        let expected = vec![b"three".to_vec(), vec![], b"on".to_vec()];
        assert_eq!(texts(99, &[(5, 2), (0, 1), (2, 1)]).unwrap(), Elements::Strings(expected));
    }

    #[test]
    fn counts_what_many_elements_take_from_one_object() {
        assert_eq!(
            text_of(texts(12, &[(5, 2), (5, 2), (5, 2)])),
            "variable-length element at byte 0x820: bytes of variable length: 15 is over the limit `max_variable_bytes` of 12"
        );
    }
}

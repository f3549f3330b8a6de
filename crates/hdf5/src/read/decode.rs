//! Decodes stored elements into values of the machine.

use alloc::vec::Vec;

use super::global_heap::GlobalHeapReader;
use super::storage::Storage;
use crate::error::Error;
use crate::heap::global::HeapReference;
use crate::message::datatype::{ByteOrder, Datatype, DatatypeClass, NumberType, StringPadding};
use crate::parse::{parse_at, until_nul};
use crate::value::{Elements, F16};

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
    if let (Some(number), Some(order)) = (datatype.number(), datatype.byte_order()) {
        return Ok(numbers(number, order, bytes));
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

fn numbers(number: NumberType, order: ByteOrder, bytes: &[u8]) -> Elements {
    macro_rules! read {
        ($type:ty, $variant:ident) => {
            Elements::$variant(match order {
                ByteOrder::Little => each(bytes, <$type>::from_le_bytes),
                ByteOrder::Big => each(bytes, <$type>::from_be_bytes),
            })
        };
    }
    match number {
        NumberType::I8 => read!(i8, I8),
        NumberType::U8 => Elements::U8(bytes.to_vec()),
        NumberType::I16 => read!(i16, I16),
        NumberType::U16 => read!(u16, U16),
        NumberType::I32 => read!(i32, I32),
        NumberType::U32 => read!(u32, U32),
        NumberType::I64 => read!(i64, I64),
        NumberType::U64 => read!(u64, U64),
        NumberType::F16 => Elements::F16(match order {
            ByteOrder::Little => each(bytes, |bytes| F16(u16::from_le_bytes(bytes))),
            ByteOrder::Big => each(bytes, |bytes| F16(u16::from_be_bytes(bytes))),
        }),
        NumberType::F32 => read!(f32, F32),
        NumberType::F64 => read!(f64, F64),
    }
}

fn each<const N: usize, T>(bytes: &[u8], read: impl Fn([u8; N]) -> T) -> Vec<T> {
    let (elements, _) = bytes.as_chunks::<N>();
    elements.iter().map(|element| read(*element)).collect()
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

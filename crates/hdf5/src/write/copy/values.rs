//! Values of variable length, read from the heap of the file that is copied.

use alloc::vec::Vec;

use crate::error::Error;
use crate::heap::global::HeapReference;
use crate::limits::within;
use crate::message::datatype::{Datatype, DatatypeClass};
use crate::parse::{byte_count, parse_at};
use crate::read::global_heap::GlobalHeapReader;
use crate::read::storage::{Allowance, Storage, whole};
use crate::write::stored_elements::{HeapValue, REFERENCE_LEN, StoredElements, is_variable};

/// Reads values for one attribute or dataset.
pub(super) struct Values<'s> {
    storage: &'s Storage,
    heap: GlobalHeapReader<'s>,
    /// What all values of one copy may come to: many references may lead to the same value.
    allowance: &'s mut Allowance,
}

/// A type's parts inside an element, while references are looked for.
struct Element<'e> {
    /// All elements, as stored.
    bytes: &'e [u8],
    /// Where those are in the file.
    offset: u64,
    /// Values inside values.
    depth: u32,
}

impl<'s> Values<'s> {
    pub(super) fn new(storage: &'s Storage, allowance: &'s mut Allowance) -> Self {
        Self { storage, heap: GlobalHeapReader::new(storage), allowance }
    }

    /// Elements of this type with the values that they refer to; `offset` is where their bytes are in the file.
    pub(super) fn of(
        &mut self,
        datatype: &Datatype,
        bytes: Vec<u8>,
        offset: u64,
    ) -> Result<StoredElements, Error> {
        self.at_depth(datatype, bytes, offset, 0)
    }

    fn at_depth(
        &mut self,
        datatype: &Datatype,
        bytes: Vec<u8>,
        offset: u64,
        depth: u32,
    ) -> Result<StoredElements, Error> {
        if !is_variable(datatype) {
            return Ok(StoredElements::fixed(bytes));
        }
        within(
            "values inside values",
            depth.into(),
            "max_depth",
            self.storage.limits().max_depth.into(),
        )
        .map_err(|problem| whole(HeapReference::NAME, offset, problem))?;
        let size = byte_count(datatype.size.into()).max(1);
        // References may get wider.
        let new_size = match datatype.class {
            DatatypeClass::VariableString { .. } | DatatypeClass::VariableSequence { .. } => {
                REFERENCE_LEN
            }
            _ => size,
        };
        let count = bytes.len().checked_div(size).unwrap_or(0);
        let mut new = StoredElements::fixed(alloc::vec![0; count.saturating_mul(new_size)]);
        if new_size == size {
            new.bytes.clone_from(&bytes);
        }
        let element = Element { bytes: &bytes, offset, depth };
        for number in 0..count {
            let place = (number.saturating_mul(size), number.saturating_mul(new_size));
            self.part(datatype, &element, place, &mut new)?;
        }
        Ok(new)
    }

    /// Adds the values of the part of this type that starts at the byte `from` of the elements, and at `to` of the new ones.
    fn part(
        &mut self,
        datatype: &Datatype,
        element: &Element<'_>,
        (from, to): (usize, usize),
        new: &mut StoredElements,
    ) -> Result<(), Error> {
        let after = |bytes: u32| {
            let bytes = byte_count(bytes.into());
            (from.saturating_add(bytes), to.saturating_add(bytes))
        };
        match &datatype.class {
            DatatypeClass::VariableString { .. } => self.value(None, element, (from, to), new),
            DatatypeClass::VariableSequence { base } => {
                self.value(Some(base), element, (from, to), new)
            }
            DatatypeClass::Array { dims, base } if is_variable(base) => {
                let count = dims.iter().fold(1_u32, |count, dim| count.saturating_mul(*dim));
                (0..count).try_for_each(|number| {
                    self.part(base, element, after(number.saturating_mul(base.size)), new)
                })
            }
            DatatypeClass::Compound { members } => members.iter().try_for_each(|member| {
                self.part(&member.datatype, element, after(member.offset), new)
            }),
            _ => Ok(()),
        }
    }

    /// Adds the value that a reference leads to: text, or elements of the type `base`.
    fn value(
        &mut self,
        base: Option<&Datatype>,
        element: &Element<'_>,
        (from, to): (usize, usize),
        new: &mut StoredElements,
    ) -> Result<(), Error> {
        let offset = element.offset.saturating_add(from as u64);
        let stored = element.bytes.get(from..).unwrap_or_default();
        let parser = HeapReference::parse(self.storage.sizes());
        let reference = parse_at(HeapReference::NAME, offset, stored, parser)?;
        let place = new.bytes.iter_mut().skip(to).take(REFERENCE_LEN);
        place.for_each(|byte| *byte = 0);
        if reference.len == 0 {
            return Ok(());
        }
        let size = base.map_or(1, |base| base.size);
        let bytes = self.heap.value(reference, size, offset)?;
        self.allowance.take(HeapReference::NAME, offset, bytes.len())?;
        let elements = match base {
            None => StoredElements::fixed(bytes),
            Some(base) => self.at_depth(base, bytes, offset, element.depth.saturating_add(1))?,
        };
        new.values.push(HeapValue { at: to, len: reference.len, elements });
        Ok(())
    }
}

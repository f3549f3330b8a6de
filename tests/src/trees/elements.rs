//! Random elements of a random type, with the digest of what libhdf5 must read.

use hdf5::{
    ByteOrder, CharacterSet, CompoundMember, Dataspace, Datatype, DatatypeClass, EnumMember,
    NewAttribute, NewData, NewDataset, NumberType, StoredElements, StringPadding,
};
use serde_json::Value;

use crate::chance::Chance;
use crate::describe;

/// Elements, and how to write them.
pub(super) struct Values {
    pub(super) datatype: Datatype,
    elements: StoredElements,
    /// The bytes, when elements have a fixed size.
    fixed: Option<Vec<u8>>,
    /// As `describe.py` hashes them.
    pub(super) digest: Value,
}

const NUMBERS: [NumberType; 11] = [
    NumberType::I8,
    NumberType::U8,
    NumberType::I16,
    NumberType::U16,
    NumberType::I32,
    NumberType::U32,
    NumberType::I64,
    NumberType::U64,
    NumberType::F16,
    NumberType::F32,
    NumberType::F64,
];

impl Values {
    pub(super) fn random(chance: &mut Chance, count: usize) -> Self {
        match chance.below(10) {
            0 => booleans(chance, count),
            1 => enumeration(chance, count),
            2 => fixed_texts(chance, count),
            3 | 4 => variable_texts(chance, count),
            5 => raw(chance, count),
            _ => numbers(chance, count),
        }
    }

    pub(super) fn attribute(&self, dataspace: Dataspace) -> NewAttribute {
        NewAttribute::raw(self.datatype.clone(), dataspace, self.elements.clone())
    }

    pub(super) fn dataset(&self, dataspace: Dataspace) -> NewDataset {
        let datatype = self.datatype.clone();
        match &self.fixed {
            Some(bytes) => NewDataset::fixed(datatype, dataspace, bytes.clone()),
            None => NewDataset::new(datatype, dataspace, NewData::Elements(self.elements.clone())),
        }
    }

    /// Elements of fixed size, and what is hashed of them.
    fn fixed(datatype: Datatype, bytes: Vec<u8>, hashed: &[u8]) -> Self {
        Self {
            datatype,
            elements: StoredElements::fixed(bytes.clone()),
            fixed: Some(bytes),
            digest: describe::digest_bytes(hashed).into(),
        }
    }
}

fn bytes(chance: &mut Chance, len: usize) -> Vec<u8> {
    let repeats = chance.below(2) == 0;
    (0..len).map(|n| if repeats { (n / 64).to_le_bytes()[0] } else { chance.byte() }).collect()
}

/// Numbers in either byte order; hashed little-endian.
fn numbers(chance: &mut Chance, count: usize) -> Values {
    let mut datatype = Datatype::number_of(NUMBERS[chance.below(NUMBERS.len())]);
    let size = datatype.size as usize;
    let little = bytes(chance, count * size);
    if chance.below(3) > 0 {
        return Values::fixed(datatype, little.clone(), &little);
    }
    match &mut datatype.class {
        DatatypeClass::FixedPoint { order, .. } | DatatypeClass::FloatingPoint { order, .. } => {
            *order = ByteOrder::Big;
        }
        _ => {}
    }
    let big = little.chunks(size).flat_map(|element| element.iter().rev().copied()).collect();
    Values::fixed(datatype, big, &little)
}

fn booleans(chance: &mut Chance, count: usize) -> Values {
    let bytes: Vec<u8> = (0..count).map(|_| chance.byte() % 2).collect();
    Values::fixed(Datatype::boolean(), bytes.clone(), &bytes)
}

fn enumeration(chance: &mut Chance, count: usize) -> Values {
    let members = [("rot", -7_i16), ("grün", 300), ("blau", 5)];
    let class = DatatypeClass::Enumeration {
        base: Box::new(Datatype::number_of(NumberType::I16)),
        members: members
            .map(|(name, value)| EnumMember { name: name.into(), value: value.into() })
            .to_vec(),
    };
    let value = |_| members[chance.below(3)].1.to_le_bytes();
    let bytes: Vec<u8> = (0..count).flat_map(value).collect();
    Values::fixed(Datatype { size: 2, class }, bytes.clone(), &bytes)
}

fn fixed_texts(chance: &mut Chance, count: usize) -> Values {
    let size = 1 + chance.below(12);
    let (padding, fill) = match chance.below(3) {
        0 => (StringPadding::NullTerminated, 0),
        1 => (StringPadding::NullPadded, 0),
        _ => (StringPadding::SpacePadded, b' '),
    };
    let class = DatatypeClass::FixedString { padding, character_set: CharacterSet::Ascii };
    let (mut stored, mut hashed) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let len = chance.below(size + 1);
        let mut text: Vec<u8> = (0..len).map(|_| b'a' + chance.byte() % 26).collect();
        text.resize(size, fill);
        stored.extend(&text);
        // Spaces stay: only NULs are no part of a text.
        let end = text.iter().position(|byte| *byte == 0).unwrap_or(size);
        hashed.extend(&text[..end]);
        hashed.push(0);
    }
    let size = u32::try_from(size).expect("a short text");
    Values::fixed(Datatype { size, class }, stored, &hashed)
}

fn variable_texts(chance: &mut Chance, count: usize) -> Values {
    let text = |chance: &mut Chance| {
        let len = if chance.below(50) == 0 { chance.below(9_000) } else { chance.below(20) };
        (0..len).map(|_| ['a', 'ü', '語', ' '][chance.below(4)]).collect::<String>()
    };
    let texts: Vec<String> = (0..count).map(|_| text(chance)).collect();
    let hashed: Vec<u8> = texts.iter().flat_map(|text| text.bytes().chain([0])).collect();
    Values {
        datatype: Datatype::text(),
        elements: StoredElements::texts(&texts),
        fixed: None,
        digest: describe::digest_bytes(&hashed).into(),
    }
}

/// Types whose elements are hashed as they are stored.
fn raw(chance: &mut Chance, count: usize) -> Values {
    let number = |number| Datatype::number_of(number);
    let datatype = match chance.below(3) {
        0 => Datatype { size: 5, class: DatatypeClass::Opaque { tag: "a tag".into() } },
        1 => {
            let class =
                DatatypeClass::Array { dims: vec![2, 3], base: Box::new(number(NumberType::I16)) };
            Datatype { size: 12, class }
        }
        _ => {
            let member = |name: &str, offset, of| CompoundMember {
                name: name.into(),
                offset,
                datatype: number(of),
            };
            let members = vec![
                member("x", 0, NumberType::F64),
                member("größe", 8, NumberType::U16),
                member("z", 12, NumberType::I32),
            ];
            Datatype { size: 16, class: DatatypeClass::Compound { members } }
        }
    };
    let mut bytes = bytes(chance, count * datatype.size as usize);
    if datatype.size == 16 {
        // Bytes between members are not read.
        bytes.chunks_mut(16).for_each(|element| element[10..12].fill(0));
    }
    Values::fixed(datatype, bytes.clone(), &bytes)
}

//! Stored values as the format reads them: one conversion table for attributes and datasets alike.
//!
//! Writers store the same thing in many types (a spacing as int16, a list of one as a scalar), so every
//! accessor accepts what can be converted without guessing and answers `None` otherwise.

use std::borrow::Cow;
use std::fmt::Write as _;

use hdf5::{Array, Datatype, DatatypeClass, Elements, F16, NumberType};

use crate::decimal;

/// What can be done with the elements of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementKind {
    /// Integers, floats, booleans, and enumerations as their base.
    Numeric,
    /// Text of fixed or variable length.
    Strings,
    /// Everything else: records, opaque bytes, references.
    Other,
}

impl ElementKind {
    /// The kind of `datatype`.
    pub fn of(datatype: &Datatype) -> Self {
        if datatype.number().is_some() {
            Self::Numeric
        } else if datatype.is_string() {
            Self::Strings
        } else {
            Self::Other
        }
    }
}

/// Name of a type in `NumPy`'s words, without byte order: `uint8`, `float32`, `bool`; `object` for text.
pub fn dtype_name(datatype: &Datatype) -> Cow<'static, str> {
    if datatype.is_boolean() {
        return "bool".into();
    }
    if datatype.is_string() {
        return "object".into();
    }
    match datatype.number() {
        Some(number) => number_name(number).into(),
        None => format!("void{}", u64::from(datatype.size) * 8).into(),
    }
}

fn number_name(number: NumberType) -> &'static str {
    match number {
        NumberType::I8 => "int8",
        NumberType::U8 => "uint8",
        NumberType::I16 => "int16",
        NumberType::U16 => "uint16",
        NumberType::I32 => "int32",
        NumberType::U32 => "uint32",
        NumberType::I64 => "int64",
        NumberType::U64 => "uint64",
        NumberType::F16 => "float16",
        NumberType::F32 => "float32",
        NumberType::F64 => "float64",
    }
}

/// A matrix as stored: rank exactly 2.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The entries, row by row.
    pub values: Vec<f64>,
}

/// A value together with its stored type.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// How one element is stored.
    pub datatype: Datatype,
    /// Shape and elements.
    pub array: Array,
}

impl Value {
    /// What stands for the elements of a null dataspace: no text, or a type that is only named. `None` for numbers.
    pub(crate) fn without_elements(datatype: &Datatype) -> Option<Array> {
        let elements = if datatype.is_string() {
            Elements::Strings(vec![Vec::new()])
        } else if datatype.number().is_none() {
            Elements::Raw { element_size: 0, bytes: Vec::new() }
        } else {
            return None;
        };
        Some(Array { shape: Vec::new(), elements })
    }

    /// Whether this is one value and no array, not even of one element.
    pub fn is_scalar(&self) -> bool {
        self.array.shape.is_empty()
    }

    /// The value as text. What is not text is described: numbers in decimal, arrays in brackets, other types by name.
    pub fn text(&self) -> String {
        match &self.array.elements {
            Elements::Strings(strings) if strings.len() == 1 => {
                strings.first().map(|text| lossy(text)).unwrap_or_default()
            }
            Elements::Raw { .. } => describe(&self.datatype),
            elements => bracketed(&self.array.shape, &rendered(elements, &self.datatype)),
        }
    }

    /// The text of a scalar string; `None` for every other form.
    pub fn scalar_string(&self) -> Option<String> {
        match &self.array.elements {
            Elements::Strings(strings) if self.is_scalar() => strings.first().map(|s| lossy(s)),
            _ => None,
        }
    }

    /// All strings in C order; empty for what is not text.
    pub fn strings(&self) -> Vec<String> {
        match &self.array.elements {
            Elements::Strings(strings) => strings.iter().map(|s| lossy(s)).collect(),
            _ => Vec::new(),
        }
    }

    /// As [`Value::text`], of a value that is not needed any more.
    pub(crate) fn into_text(mut self) -> String {
        match &mut self.array.elements {
            Elements::Strings(strings) if strings.len() == 1 => {
                strings.pop().map(into_text).unwrap_or_default()
            }
            _ => self.text(),
        }
    }

    /// As [`Value::strings`], of a value that is not needed any more.
    pub(crate) fn into_strings(self) -> Vec<String> {
        match self.array.elements {
            Elements::Strings(strings) => strings.into_iter().map(into_text).collect(),
            _ => Vec::new(),
        }
    }

    /// All numbers in C order, floats truncated toward zero; `None` for what is not numeric.
    pub fn integers(&self) -> Option<Vec<i64>> {
        integers(&self.array.elements)
    }

    /// All numbers in C order as doubles; `None` for what is not numeric.
    pub fn floats(&self) -> Option<Vec<f64>> {
        floats(&self.array.elements)
    }

    /// The one number stored, truncated toward zero.
    pub fn integer(&self) -> Option<i64> {
        single(&self.integers()?).copied()
    }

    /// The one number stored.
    pub fn float(&self) -> Option<f64> {
        single(&self.floats()?).copied()
    }

    /// The one truth value stored: a number other than 0, or a scalar string that is not empty (so `"false"` is true).
    pub fn boolean(&self) -> Option<bool> {
        match self.scalar_string() {
            Some(text) => Some(!text.is_empty()),
            // NaN differs from 0, as everywhere.
            None => Some(self.float()? != 0.0),
        }
    }

    /// A numeric array of rank exactly 2.
    pub fn matrix(&self) -> Option<Matrix> {
        let [rows, columns] = self.array.shape[..] else { return None };
        let (rows, columns) = (usize::try_from(rows).ok()?, usize::try_from(columns).ok()?);
        Some(Matrix { rows, columns, values: self.floats()? })
    }
}

fn single<T>(values: &[T]) -> Option<&T> {
    match values {
        [one] => Some(one),
        _ => None,
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The same, without a copy of what is UTF-8.
fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| lossy(error.as_bytes()))
}

/// Runs the same expression over every number variant; `None` for the others.
macro_rules! numbers {
    ($elements:expr, |$value:ident| $convert:expr, |$half:ident| $convert_half:expr) => {
        match $elements {
            Elements::I8(v) => Some(v.iter().map(|$value| $convert).collect()),
            Elements::U8(v) => Some(v.iter().map(|$value| $convert).collect()),
            Elements::I16(v) => Some(v.iter().map(|$value| $convert).collect()),
            Elements::U16(v) => Some(v.iter().map(|$value| $convert).collect()),
            Elements::I32(v) => Some(v.iter().map(|$value| $convert).collect()),
            Elements::U32(v) => Some(v.iter().map(|$value| $convert).collect()),
            Elements::I64(v) => Some(v.iter().map(|$value| $convert).collect()),
            Elements::U64(v) => Some(v.iter().map(|$value| $convert).collect()),
            Elements::F16(v) => Some(v.iter().map(|$half| $convert_half).collect()),
            Elements::F32(v) => Some(v.iter().map(|$value| $convert).collect()),
            Elements::F64(v) => Some(v.iter().map(|$value| $convert).collect()),
            _ => None,
        }
    };
}

/// Numbers as 64-bit integers: floats truncate toward zero, what is out of range saturates, NaN is 0.
pub fn integers(elements: &Elements) -> Option<Vec<i64>> {
    if let Elements::U64(values) = elements {
        return Some(values.iter().map(|&v| i64::try_from(v).unwrap_or(i64::MAX)).collect());
    }
    #[expect(clippy::cast_possible_truncation, reason = "floats truncate and saturate on purpose")]
    #[expect(clippy::cast_possible_wrap, reason = "unsigned 64-bit values were handled above")]
    #[expect(clippy::unnecessary_cast, reason = "one expression serves every type")]
    {
        numbers!(elements, |value| *value as i64, |half| half.to_f32() as i64)
    }
}

/// Numbers as unsigned 64-bit integers: negative values are 0, the rest as in [`integers`].
pub fn unsigned_integers(elements: &Elements) -> Option<Vec<u64>> {
    match elements {
        Elements::U64(values) => Some(values.clone()),
        _ => Some(integers(elements)?.iter().map(|&v| u64::try_from(v).unwrap_or(0)).collect()),
    }
}

/// Numbers as doubles.
#[expect(clippy::unnecessary_cast, reason = "one expression serves every type")]
#[expect(clippy::cast_precision_loss, reason = "integers beyond 2^53 round, as in the format")]
pub fn floats(elements: &Elements) -> Option<Vec<f64>> {
    numbers!(elements, |value| *value as f64, |half| f64::from(half.to_f32()))
}

/// Calls `take` with each number in `bytes`, which are little-endian, as a double.
#[expect(clippy::cast_precision_loss, reason = "as in `floats`")]
pub(crate) fn for_each_float(number: NumberType, bytes: &[u8], mut take: impl FnMut(f64)) {
    macro_rules! each {
        ($type:ty, |$value:ident| $convert:expr) => {
            for bytes in bytes.as_chunks::<{ size_of::<$type>() }>().0 {
                let $value = <$type>::from_le_bytes(*bytes);
                take($convert);
            }
        };
    }
    match number {
        NumberType::I8 => each!(i8, |value| f64::from(value)),
        NumberType::U8 => each!(u8, |value| f64::from(value)),
        NumberType::I16 => each!(i16, |value| f64::from(value)),
        NumberType::U16 => each!(u16, |value| f64::from(value)),
        NumberType::I32 => each!(i32, |value| f64::from(value)),
        NumberType::U32 => each!(u32, |value| f64::from(value)),
        NumberType::I64 => each!(i64, |value| value as f64),
        NumberType::U64 => each!(u64, |value| value as f64),
        NumberType::F16 => each!(u16, |bits| f64::from(F16(bits).to_f32())),
        NumberType::F32 => each!(f32, |value| f64::from(value)),
        NumberType::F64 => each!(f64, |value| value),
    }
}

/// The label that a number is, fractions cut off; background for what is none.
pub(crate) fn as_label(value: f64) -> u16 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    if (0.0..65_536.0).contains(&value) { value as u16 } else { 0 }
}

fn rendered(elements: &Elements, datatype: &Datatype) -> Vec<String> {
    if datatype.is_boolean() {
        let name = |value: &i64| if *value == 0 { "False" } else { "True" }.to_owned();
        return integers(elements).unwrap_or_default().iter().map(name).collect();
    }
    match elements {
        Elements::Strings(strings) => strings.iter().map(|s| quoted(&lossy(s))).collect(),
        Elements::F16(_) | Elements::F32(_) | Elements::F64(_) => {
            let values = floats(elements).unwrap_or_default();
            values.iter().map(|&value| decimal::shortest(value)).collect()
        }
        _ => numbers!(elements, |value| value.to_string(), |half| half.0.to_string())
            .unwrap_or_default(),
    }
}

/// Text between quotes as Python would show it: single quotes unless only they occur inside.
pub(crate) fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() && u32::from(c) < 0x100 => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

fn bracketed(shape: &[u64], texts: &[String]) -> String {
    match shape {
        [] => texts.first().cloned().unwrap_or_default(),
        _ if texts.is_empty() => "[]".into(),
        [_] => format!("[{}]", texts.join(", ")),
        [outer, rest @ ..] => {
            let per_row = texts.len() / usize::try_from(*outer).unwrap_or(usize::MAX).max(1);
            let rows: Vec<_> =
                texts.chunks(per_row.max(1)).map(|row| bracketed(rest, row)).collect();
            format!("[{}]", rows.join(", "))
        }
    }
}

/// A type that is neither text nor a number, in words. They are part of `content_id` where an attribute has such a type.
pub(crate) fn describe(datatype: &Datatype) -> String {
    match &datatype.class {
        DatatypeClass::Compound { members } => format!("compound ({} fields)", members.len()),
        DatatypeClass::Reference { kind: 1 } => "reference (region)".into(),
        DatatypeClass::Reference { .. } => "reference (object)".into(),
        DatatypeClass::VariableSequence { base } => format!("[{}] (var len)", dtype_name(base)),
        DatatypeClass::Array { dims, base } => match dims.as_slice() {
            [len] => format!("[{}; {len}]", dtype_name(base)),
            _ => "array".into(),
        },
        DatatypeClass::Opaque { .. } => "opaque".into(),
        DatatypeClass::Bitfield { .. } => "bit field".into(),
        _ => "unknown type".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(shape: &[u64], elements: Elements) -> Value {
        let class = match elements {
            Elements::Strings(_) => DatatypeClass::VariableString {
                padding: hdf5::StringPadding::NullTerminated,
                character_set: hdf5::CharacterSet::Utf8,
            },
            _ => Datatype::number_of(NumberType::F64).class,
        };
        let datatype = Datatype { size: 8, class };
        Value { datatype, array: Array { shape: shape.to_vec(), elements } }
    }

    fn strings(shape: &[u64], texts: &[&str]) -> Value {
        value(shape, Elements::Strings(texts.iter().map(|t| t.as_bytes().to_vec()).collect()))
    }

    #[test]
    fn renders_what_is_not_text() {
        assert_eq!(value(&[], Elements::I64(vec![5])).text(), "5");
        assert_eq!(value(&[1], Elements::U8(vec![3])).text(), "[3]");
        assert_eq!(value(&[2], Elements::F64(vec![1.0, 2.5])).text(), "[1.0, 2.5]");
        assert_eq!(value(&[2, 2], Elements::I32(vec![1, 2, 3, 4])).text(), "[[1, 2], [3, 4]]");
        assert_eq!(value(&[0], Elements::I32(vec![])).text(), "[]");
        assert_eq!(strings(&[1, 1], &["a"]).text(), "a");
        assert_eq!(strings(&[2], &["it's", "x\"y\n"]).text(), r#"["it's", 'x"y\n']"#);
    }

    #[test]
    fn converts_by_the_table() {
        let wide = value(&[], Elements::U64(vec![u64::MAX]));
        assert_eq!(wide.integer(), Some(i64::MAX));
        assert_eq!(value(&[1], Elements::F32(vec![-2.9])).integer(), Some(-2));
        assert_eq!(value(&[2], Elements::F32(vec![1.0, 2.0])).float(), None);
        assert_eq!(strings(&[], &["false"]).boolean(), Some(true));
        assert_eq!(strings(&[], &[""]).boolean(), Some(false));
        assert_eq!(strings(&[1], &["a"]).boolean(), None);
        assert_eq!(value(&[2], Elements::I8(vec![1, 0])).strings(), Vec::<String>::new());
        assert_eq!(unsigned_integers(&Elements::I8(vec![-1, 4])), Some(vec![0, 4]));
    }

    #[test]
    fn a_matrix_has_rank_two() {
        let matrix = value(&[1, 2], Elements::I8(vec![3, 4])).matrix().unwrap();
        assert_eq!((matrix.rows, matrix.columns, matrix.values), (1, 2, vec![3.0, 4.0]));
        assert_eq!(value(&[2], Elements::I8(vec![3, 4])).matrix(), None);
    }
}

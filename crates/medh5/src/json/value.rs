//! A JSON value.

use core::fmt;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::decimal;

/// A JSON value. `Display` writes it compactly, members in the order of the file.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the variants are named as in RFC 8259")]
pub enum Value {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Value>),
    Object(Map),
}

/// A JSON number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// Written without fraction and exponent, within -2^63 to 2^64 - 1.
    Integer(i128),
    /// Every other number; finite.
    Float(f64),
}

impl Number {
    /// The nearest double.
    #[expect(clippy::cast_precision_loss, reason = "the nearest double is what is asked for")]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// The value if it is whole, however it is written.
    pub fn as_whole(self) -> Option<i128> {
        match self {
            Self::Integer(value) => Some(value),
            #[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
            Self::Float(value) => (value.fract() == 0.0).then_some(value as i128),
        }
    }
}

/// The members of a JSON object. A name that repeats keeps its first place and its last value.
#[derive(Debug, Clone, Default)]
pub struct Map {
    members: BTreeMap<String, Member>,
}

#[derive(Debug, Clone)]
struct Member {
    /// Place among the members of the file.
    place: usize,
    value: Value,
}

impl Map {
    /// The value of the member `name`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.members.get(name).map(|member| &member.value)
    }

    /// Whether there is a member `name`.
    pub fn contains(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// The members sorted by the code points of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.members.iter().map(|(name, member)| (name.as_str(), &member.value))
    }

    /// The members in the order of the file.
    pub fn in_file_order(&self) -> Vec<(&str, &Value)> {
        let mut members: Vec<_> = self.members.iter().collect();
        members.sort_by_key(|(_, member)| member.place);
        members.into_iter().map(|(name, member)| (name.as_str(), &member.value)).collect()
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Adds a member at the end, or gives the one of this name another value.
    pub fn insert(&mut self, name: String, value: Value) {
        let place = self.members.len();
        match self.members.entry(name) {
            Entry::Vacant(free) => {
                free.insert(Member { place, value });
            }
            Entry::Occupied(mut taken) => taken.get_mut().value = value,
        }
    }
}

impl FromIterator<(String, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        let mut map = Self::default();
        for (name, value) in members {
            map.insert(name, value);
        }
        map
    }
}

/// Two objects are equal when their members are, in whatever order.
impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Value {
    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The items, if this is an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    /// The members, if this is an object.
    pub fn as_object(&self) -> Option<&Map> {
        if let Self::Object(map) = self { Some(map) } else { None }
    }

    /// The number, if this is one.
    pub fn as_number(&self) -> Option<Number> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// The value of the member `name`, if this is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object()?.get(name)
    }

    /// Whether this is null, false, zero, or empty: what the format takes for "not given".
    pub fn is_falsy(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Bool(value) => !value,
            Self::Number(number) => number.as_f64() == 0.0,
            Self::String(text) => text.is_empty(),
            Self::Array(items) => items.is_empty(),
            Self::Object(map) => map.is_empty(),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(Number::Integer(number.into()))
    }
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        Self::Array(items.into_iter().collect())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(Number::Integer(value)) => write!(f, "{value}"),
            Self::Number(Number::Float(value)) => f.write_str(&decimal::shortest(*value)),
            Self::String(text) => write_string(f, text),
            Self::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    f.write_str(if at == 0 { "[" } else { ", " })?;
                    item.fmt(f)?;
                }
                f.write_str(if items.is_empty() { "[]" } else { "]" })
            }
            Self::Object(map) => {
                for (at, (name, value)) in map.in_file_order().into_iter().enumerate() {
                    f.write_str(if at == 0 { "{" } else { ", " })?;
                    write_string(f, name)?;
                    write!(f, ": {value}")?;
                }
                f.write_str(if map.is_empty() { "{}" } else { "}" })
            }
        }
    }
}

fn write_string(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str(&serde_json::to_string(text).map_err(|_| fmt::Error)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_name_keeps_its_first_place_and_its_last_value() {
        let number = |value| Value::Number(Number::Integer(value));
        let map: Map = [("b", 1), ("a", 2), ("b", 3)]
            .into_iter()
            .map(|(name, value)| (name.to_owned(), number(value)))
            .collect();
        assert_eq!(map.in_file_order(), [("b", &number(3)), ("a", &number(2))]);
        assert_eq!(map.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(Value::Object(map).to_string(), r#"{"b": 3, "a": 2}"#);
    }

    #[test]
    fn whole_numbers_may_be_written_with_a_fraction() {
        assert_eq!(Number::Float(2.0).as_whole(), Some(2));
        assert_eq!(Number::Float(2.5).as_whole(), None);
    }
}

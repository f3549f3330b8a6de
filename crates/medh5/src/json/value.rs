//! A JSON value.

use core::fmt;

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
///
/// Mostly made at once and then only read: two lists take a quarter of the memory of a tree, and documents are mostly small objects.
#[derive(Debug, Clone, Default)]
pub struct Map {
    /// In the order of the file.
    members: Vec<(String, Value)>,
    /// Places in `members`, in the order of the names.
    by_name: Vec<u32>,
}

impl Map {
    /// The value of the member `name`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let place = self.by_name.get(self.find(name).ok()?)?;
        self.members.get(*place as usize).map(|(_, value)| value)
    }

    /// Adds a member at the end, or gives the one of this name another value. For a few: many are collected at once.
    pub fn insert(&mut self, name: String, value: Value) {
        match self.find(&name) {
            Ok(found) => {
                let place = self.by_name.get(found).map_or(0, |place| *place as usize);
                if let Some((_, known)) = self.members.get_mut(place) {
                    *known = value;
                }
            }
            Err(free) => {
                let place = u32::try_from(self.members.len()).unwrap_or(u32::MAX);
                self.by_name.insert(free, place);
                self.members.push((name, value));
            }
        }
    }

    /// Where `name` is in `by_name`, or would have to be.
    fn find(&self, name: &str) -> Result<usize, usize> {
        self.by_name.binary_search_by(|place| name_at(&self.members, *place as usize).cmp(name))
    }

    /// Whether there is a member `name`.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The members sorted by the code points of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        let members = self.by_name.iter().filter_map(|place| self.members.get(*place as usize));
        members.map(|(name, value)| (name.as_str(), value))
    }

    /// The members in the order of the file.
    pub fn in_file_order(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.members.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

impl FromIterator<(String, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        let given: Vec<_> = members.into_iter().collect();
        let mut places: Vec<usize> = (0..given.len()).collect();
        // Stable: of those with one name, the first comes first.
        places.sort_by(|a, b| name_at(&given, *a).cmp(name_at(&given, *b)));
        // For each name, where it stands first and which value it has last.
        let mut kept: Vec<(usize, usize)> = Vec::with_capacity(given.len());
        for place in places {
            match kept.last_mut() {
                Some((first, last)) if name_at(&given, *first) == name_at(&given, place) => {
                    *last = place;
                }
                _ => kept.push((place, place)),
            }
        }
        if kept.iter().all(|(first, last)| first == last) {
            let by_name = kept.iter().filter_map(|(place, _)| u32::try_from(*place).ok()).collect();
            return Self { members: given, by_name };
        }
        kept.sort_unstable();
        let mut given: Vec<Option<(String, Value)>> = given.into_iter().map(Some).collect();
        let mut take = |place: usize| given.get_mut(place).and_then(Option::take);
        let merged = kept.into_iter().filter_map(|(first, last)| {
            let (name, value) = take(first)?;
            Some((name, take(last).map_or(value, |(_, value)| value)))
        });
        // No name repeats any more.
        merged.collect::<Vec<_>>().into_iter().collect()
    }
}

fn name_at(members: &[(String, Value)], place: usize) -> &str {
    members.get(place).map_or("", |(name, _)| name.as_str())
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
                for (at, (name, value)) in map.in_file_order().enumerate() {
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
        let given = [("b", 1), ("a", 2), ("b", 7), ("b", 3)]
            .map(|(name, value)| (name.to_owned(), number(value)));
        let map: Map = given.clone().into_iter().collect();
        let mut one_by_one = Map::default();
        for (name, value) in given {
            one_by_one.insert(name, value);
        }
        assert_eq!(map, one_by_one);
        assert_eq!(map.in_file_order().collect::<Vec<_>>(), [("b", &number(3)), ("a", &number(2))]);
        assert_eq!(map.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(Value::Object(map).to_string(), r#"{"b": 3, "a": 2}"#);
    }

    #[test]
    fn whole_numbers_may_be_written_with_a_fraction() {
        assert_eq!(Number::Float(2.0).as_whole(), Some(2));
        assert_eq!(Number::Float(2.5).as_whole(), None);
    }
}

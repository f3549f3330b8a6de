//! Reading the members of one object of the document.

use super::Flaw;
use crate::decimal;
use crate::json::{Map, Number, Value};

/// The members of one object, and what to call it in messages.
#[derive(Clone, Copy)]
pub(crate) struct Members<'a> {
    map: &'a Map,
    what: &'a str,
}

impl<'a> Members<'a> {
    /// The members of `value`, which must be an object.
    pub(crate) fn of(value: &'a Value, what: &'a str) -> Result<Self, Flaw> {
        match value {
            Value::Object(map) => Ok(Self { map, what }),
            other => Err(Flaw::structure(format!("{what} is no object but {}", kind_name(other)))),
        }
    }

    /// Refuses members other than these.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), Flaw> {
        match self.map.iter().find(|(name, _)| !known.contains(name)) {
            Some((name, _)) => {
                Err(Flaw::structure(format!("{} has an unknown member `{name}`", self.what)))
            }
            None => Ok(()),
        }
    }

    /// The member `name`, if it is there and not null.
    pub(crate) fn optional(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name).filter(|value| **value != Value::Null)
    }

    /// The member `name`, whatever it holds.
    pub(crate) fn required(&self, name: &str) -> Result<&'a Value, Flaw> {
        let missing = || Flaw::structure(format!("{} has no `{name}`", self.what));
        self.map.get(name).ok_or_else(missing)
    }

    /// The member `name` as text, whatever it holds.
    pub(crate) fn required_text(&self, name: &str) -> Result<String, Flaw> {
        self.required(name).map(as_text)
    }

    /// The member `name` as text, if it is there and not null.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.optional(name).map(as_text)
    }

    /// The items of the member `name`; none unless it is an array.
    pub(crate) fn items(&self, name: &str) -> &'a [Value] {
        self.map.get(name).and_then(Value::as_array).unwrap_or_default()
    }

    /// The items of the member `name` as text; none unless it is an array.
    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        self.items(name).iter().map(as_text).collect()
    }

    /// The items of the member `name` as integers; none unless it is an array.
    pub(crate) fn integers(&self, name: &str) -> Result<Vec<i64>, Flaw> {
        let refused = |item| self.refused(name, item, "an array of integers");
        self.items(name).iter().map(|item| as_integer(item).ok_or_else(|| refused(item))).collect()
    }

    /// The items of the member `name`, which must be an array.
    pub(crate) fn required_items(&self, name: &str) -> Result<&'a [Value], Flaw> {
        let value = self.required(name)?;
        value.as_array().ok_or_else(|| self.refused(name, value, "an array"))
    }

    /// The member `name` as it is, if it is an object; an empty one otherwise.
    pub(crate) fn object(&self, name: &str) -> Map {
        self.map.get(name).and_then(Value::as_object).cloned().unwrap_or_default()
    }

    /// The member `name` as a double, if it is there and not null.
    pub(crate) fn number(&self, name: &str) -> Result<Option<f64>, Flaw> {
        let Some(value) = self.optional(name) else { return Ok(None) };
        let number = as_number(value);
        number.map(Some).ok_or_else(|| self.refused(name, value, "a number"))
    }

    /// The member `name` as a number without its fraction, if it is there and not null.
    pub(crate) fn truncated(&self, name: &str) -> Result<Option<i64>, Flaw> {
        #[expect(clippy::cast_possible_truncation, reason = "dropping the fraction is the point")]
        Ok(self.number(name)?.map(|number| number as i64))
    }

    /// The member `name` as an integer, whatever it holds.
    pub(crate) fn required_integer(&self, name: &str) -> Result<i64, Flaw> {
        let value = self.required(name)?;
        as_integer(value).ok_or_else(|| self.refused(name, value, "an integer"))
    }

    /// The member `name` as one of these words, if it is there and not null.
    pub(crate) fn word(&self, name: &str, known: &[&str]) -> Result<Option<String>, Flaw> {
        let Some(word) = self.text(name) else { return Ok(None) };
        self.check_word(name, &word, known).map_err(Flaw::structure)?;
        Ok(Some(word))
    }

    /// The member `name` as one of these words, if it is there; null is none of them.
    pub(crate) fn given_word(&self, name: &str, known: &[&str]) -> Result<Option<String>, Flaw> {
        let Some(word) = self.map.get(name).map(as_text) else { return Ok(None) };
        self.check_word(name, &word, known).map_err(Flaw::structure)?;
        Ok(Some(word))
    }

    /// The message that `word` is none of the words known for the member `name`, if so.
    pub(crate) fn check_word(&self, name: &str, word: &str, known: &[&str]) -> Result<(), String> {
        if known.contains(&word) {
            return Ok(());
        }
        Err(format!("`{name}` of {} is {word:?}, not one of {}", self.what, known.join(", ")))
    }

    fn refused(&self, name: &str, value: &Value, wanted: &str) -> Flaw {
        Flaw::structure(format!("`{name}` of {} is {value}, not {wanted}", self.what))
    }
}

/// Any value as text: strings as they are, numbers in decimal, the rest by a word or as JSON.
pub(crate) fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(Number::Float(number)) => decimal::shortest(*number),
        other => other.to_string(),
    }
}

/// A value as an integer: fractions are dropped, numeric strings count, booleans are 0 and 1.
pub(crate) fn as_integer(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(value) => Some(i64::from(*value)),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "fractions are dropped, bounds saturate"
        )]
        Value::Number(Number::Float(number)) => Some(*number as i64),
        Value::Number(Number::Integer(number)) => Some(i64::try_from(*number).unwrap_or(i64::MAX)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A value as a double: numeric strings count, booleans are 0 and 1.
pub(crate) fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(value) => Some(f64::from(u8::from(*value))),
        Value::Number(number) => Some(number.as_f64()),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn kind_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

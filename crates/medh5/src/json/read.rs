//! Reading JSON text.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{Number, Value};

/// Why a text is not read as JSON, and where that shows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonError {
    /// It is no JSON.
    #[error("not JSON: {0}")]
    Malformed(String),
    /// Its values nest too deeply.
    #[error(
        "nested deeper than the limit `max_json_depth` of 127 (refused to protect this computer)"
    )]
    TooDeep,
}

/// Reads one JSON value that fills the whole text.
///
/// # Errors
/// A [`JsonError`] for everything that RFC 8259 does not allow, and for more than 127 levels, a lone surrogate, or a
/// number beyond a double. An integer beyond 64 bits becomes a double; a repeated name keeps its last value.
pub fn parse(text: &str) -> Result<Value, JsonError> {
    serde_json::from_str(text).map_err(|error| match error.to_string() {
        text if text.starts_with("recursion limit exceeded") => JsonError::TooDeep,
        text => JsonError::Malformed(text),
    })
}

/// Reads a text in which the bare words `NaN`, `Infinity` and `-Infinity` stand for numbers: they become null.
pub(crate) fn parse_with_non_finite(text: &str) -> Result<Value, JsonError> {
    parse(&without_non_finite(text))
}

/// Replaces the words outside strings.
fn without_non_finite(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let word = ["NaN", "Infinity", "-Infinity"].into_iter().find(|word| rest.starts_with(word));
        let taken = match (next, word) {
            ('"', _) => string_len(rest),
            (_, Some(word)) => word.len(),
            _ => next.len_utf8(),
        };
        let (head, tail) = rest.split_at(taken);
        out.push_str(if word.is_some() { "null" } else { head });
        rest = tail;
    }
    out
}

/// Bytes of the string literal at the start of `text`, up to and with its closing quote.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(Number::Integer(value.into())))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(Number::Integer(value.into())))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(Number::Float(value)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(member) = members.next_entry::<String, Value>()? {
            all.push(member);
        }
        all.shrink_to_fit();
        Ok(Value::Object(all.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize) -> String {
        "[".repeat(levels) + &"]".repeat(levels)
    }

    #[test]
    fn what_strict_reading_refuses() {
        for text in
            ["", "{", "[1,]", "NaN", "1e999", "\u{feff}{}", "{} {}", r#""\ud800""#, "\"\u{1}\""]
        {
            assert!(matches!(parse(text), Err(JsonError::Malformed(_))), "{text:?}");
        }
        assert_eq!(parse(&nested(128)), Err(JsonError::TooDeep));
    }

    #[test]
    fn what_strict_reading_accepts() {
        assert!(parse(&nested(127)).is_ok());
        assert!(parse(" \t\r\n{} ").is_ok());
        assert_eq!(
            parse("18446744073709551616"),
            Ok(Value::Number(Number::Float(18_446_744_073_709_551_616.0)))
        );
        assert_eq!(
            parse("18446744073709551615"),
            Ok(Value::Number(Number::Integer(u64::MAX.into())))
        );
        assert_eq!(parse(r#"{"a": 1, "a": 2}"#), parse(r#"{"a": 2}"#));
    }

    #[test]
    fn non_finite_words_become_null_outside_strings() {
        let text = r#"{"a": [NaN, -Infinity, Infinity], "NaN": "\"NaN"}"#;
        assert_eq!(
            parse_with_non_finite(text),
            parse(r#"{"a": [null, null, null], "NaN": "\"NaN"}"#)
        );
    }
}

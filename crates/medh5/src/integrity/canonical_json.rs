//! JSON with exactly one spelling: sorted keys, no white space, shortest numbers. Spec: MEDH5 1.0 §13.2.

use hdf5::{Array, Datatype, Elements, F16};

use crate::decimal;
use crate::json::{Number, Value};
use crate::values::describe;

/// The canonical spelling of a parsed document.
pub fn canonical_json(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
}

/// The canonical spelling of an attribute's value.
///
/// A scalar is a bare value, a number array nests by its shape, a text array of any rank is flat, one-element arrays
/// stay lists. Types that are neither text nor numbers are named, since they have no agreed spelling.
pub fn canonical_attribute(datatype: &Datatype, value: &Array) -> String {
    let mut out = String::new();
    match &value.elements {
        Elements::Strings(texts) => {
            let texts: Vec<_> = texts.iter().map(|text| String::from_utf8_lossy(text)).collect();
            match texts.as_slice() {
                [text] if value.shape.is_empty() => write_text(&mut out, text),
                texts => write_list(&mut out, texts, |out, text| write_text(out, text)),
            }
        }
        Elements::Raw { .. } => write_text(&mut out, &describe(datatype)),
        numbers => {
            let texts = number_texts(datatype.is_boolean(), numbers);
            write_nested(&mut out, &value.shape, &texts);
        }
    }
    out
}

/// The canonical spelling of an object of already spelled values.
pub(crate) fn canonical_object(members: &mut [(&str, String)]) -> String {
    members.sort_unstable_by_key(|(name, _)| *name);
    let mut out = String::from("{");
    for (i, (name, value)) in members.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_text(&mut out, name);
        out.push(':');
        out.push_str(value);
    }
    out.push('}');
    out
}

fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(Number::Integer(integer)) => out.push_str(&integer.to_string()),
        Value::Number(Number::Float(float)) => out.push_str(&float_text(*float)),
        Value::String(text) => write_text(out, text),
        Value::Array(items) => write_list(out, items, write_value),
        Value::Object(members) => {
            out.push('{');
            for (i, (name, value)) in members.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_text(out, name);
                out.push(':');
                write_value(out, value);
            }
            out.push('}');
        }
    }
}

fn write_list<T>(out: &mut String, items: &[T], write: impl Fn(&mut String, &T)) {
    out.push('[');
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(']');
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control @ '\0'..'\u{20}' => {
                out.extend(['\\', 'u', '0', '0'].into_iter().chain(hex(control)));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

/// The two hex digits of a control character.
fn hex(control: char) -> impl Iterator<Item = char> {
    let code = u32::from(control);
    [code >> 4, code & 15].into_iter().filter_map(|digit| char::from_digit(digit, 16))
}

/// One text per element, to be nested by the shape.
fn number_texts(boolean: bool, numbers: &Elements) -> Vec<String> {
    fn texts<T: Copy>(values: &[T], text: impl Fn(T) -> String) -> Vec<String> {
        values.iter().map(|value| text(*value)).collect()
    }
    let flag = |set: bool| String::from(if set { "true" } else { "false" });
    match numbers {
        Elements::I8(v) if boolean => texts(v, |v| flag(v != 0)),
        Elements::U8(v) if boolean => texts(v, |v| flag(v != 0)),
        Elements::I8(v) => texts(v, |v| v.to_string()),
        Elements::U8(v) => texts(v, |v| v.to_string()),
        Elements::I16(v) => texts(v, |v| v.to_string()),
        Elements::U16(v) => texts(v, |v| v.to_string()),
        Elements::I32(v) => texts(v, |v| v.to_string()),
        Elements::U32(v) => texts(v, |v| v.to_string()),
        Elements::I64(v) => texts(v, |v| v.to_string()),
        Elements::U64(v) => texts(v, |v| v.to_string()),
        Elements::F16(v) => texts(v, |v: F16| float_text(f64::from(v.to_f32()))),
        Elements::F32(v) => texts(v, |v| float_text(f64::from(v))),
        Elements::F64(v) => texts(v, float_text),
        _ => Vec::new(),
    }
}

/// Writes `texts` in C order as lists nested by `shape`.
fn write_nested(out: &mut String, shape: &[u64], texts: &[String]) {
    let Some((extent, inner)) = shape.split_first() else {
        out.push_str(&texts.concat());
        return;
    };
    // No elements is one empty list, whichever extent is zero: a claimed extent of 2^60 must not be spelled out.
    let extent = usize::try_from(*extent).unwrap_or(usize::MAX);
    if texts.is_empty() || extent == 0 {
        out.push_str("[]");
        return;
    }
    let rows: Vec<&[String]> = texts.chunks(texts.len() / extent.min(texts.len())).collect();
    write_list(out, &rows, |out, row| write_nested(out, inner, row));
}

/// The shortest decimal that reads back as `value`; integral values keep a `.0`.
fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    decimal::shortest(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdf5::{ByteOrder, DatatypeClass, EnumMember};

    #[test]
    fn writes_floats_as_they_read_back() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (-2.5, "-2.5"),
            (100.0, "100.0"),
            (1e15, "1000000000000000.0"),
            (123_456_789_012_345.6, "123456789012345.6"),
            (1e16, "1e+16"),
            (1.5e16, "1.5e+16"),
            (1e22, "1e+22"),
            (0.0001, "0.0001"),
            (0.00012, "0.00012"),
            (0.00001, "1e-05"),
            (1.25e-7, "1.25e-07"),
            (1e100, "1e+100"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::from(0.1_f32), "0.10000000149011612"),
            (9_007_199_254_740_993.0, "9007199254740992.0"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, text) in cases {
            assert_eq!(float_text(value), text);
        }
    }

    #[test]
    fn sorts_keys_by_code_point_and_escapes_little() {
        let text = r#"{"é": 1, "z": [true, null, 1.0], "a/\u007f\u0001\b\f\n\r\t\"\\": {"b": -0}}"#;
        let value = crate::json::parse(text).unwrap();
        assert_eq!(
            canonical_json(&value),
            "{\"a/\u{7f}\\u0001\\b\\f\\n\\r\\t\\\"\\\\\":{\"b\":-0.0},\"z\":[true,null,1.0],\"é\":1}"
        );
    }

    #[test]
    fn nests_numbers_and_flattens_text() {
        let int = Datatype {
            size: 8,
            class: DatatypeClass::FixedPoint {
                order: ByteOrder::Little,
                signed: true,
                bit_offset: 0,
                precision: 64,
            },
        };
        let spell = |shape: &[u64], elements| {
            canonical_attribute(&int, &Array { shape: shape.to_vec(), elements })
        };
        assert_eq!(spell(&[], Elements::I64(vec![-3])), "-3");
        assert_eq!(spell(&[1], Elements::I64(vec![-3])), "[-3]");
        assert_eq!(
            spell(&[2, 2], Elements::F32(vec![1.0, 0.5, 0.0, 2.0])),
            "[[1.0,0.5],[0.0,2.0]]"
        );
        assert_eq!(spell(&[0], Elements::I64(vec![])), "[]");
        let text = |texts: &[&str]| {
            Elements::Strings(texts.iter().map(|text| text.as_bytes().to_vec()).collect())
        };
        assert_eq!(spell(&[], text(&["mm"])), "\"mm\"");
        assert_eq!(spell(&[1], text(&["mm"])), "[\"mm\"]");
        assert_eq!(spell(&[2, 1], text(&["a", "b"])), "[\"a\",\"b\"]");
    }

    #[test]
    fn writes_boolean_enumerations_as_words() {
        let base = Datatype {
            size: 1,
            class: DatatypeClass::FixedPoint {
                order: ByteOrder::Little,
                signed: true,
                bit_offset: 0,
                precision: 8,
            },
        };
        let member = |name: &str, value| EnumMember { name: name.to_owned(), value };
        let members = vec![member("FALSE", 0), member("TRUE", 1)];
        let class = DatatypeClass::Enumeration { base: Box::new(base), members };
        let boolean = Datatype { size: 1, class };
        if boolean.is_boolean() {
            let value = Array { shape: vec![], elements: Elements::I8(vec![1]) };
            assert_eq!(canonical_attribute(&boolean, &value), "true");
        }
    }
}

//! What `{:?}` writes, as people say it: `Contiguous { address: Some(Address(64)), size: None }` becomes
//! `contiguous: address 0x40, size none`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

/// The fields of a value. The name of its type is left out, that of its variant stays.
pub(super) fn of<T: Debug>(value: &T) -> String {
    let text = format!("{value:?}");
    let mut reader = Reader { rest: &text };
    let found = reader.value();
    let type_name = core::any::type_name::<T>().rsplit("::").next().unwrap_or_default();
    match found {
        Value::Named { name, parts } if name == type_name => list(&parts),
        Value::Named { name, parts } if !parts.is_empty() => {
            format!("{}: {}", words(name), list(unwrapped(&parts)))
        }
        other => other.in_words(),
    }
}

enum Value<'a> {
    /// A number, a quoted text, a range.
    Plain(&'a str),
    List(Vec<Value<'a>>),
    /// A struct or a variant; the parts of a tuple have no name.
    Named {
        name: &'a str,
        parts: Vec<Part<'a>>,
    },
}

struct Part<'a> {
    name: &'a str,
    value: Value<'a>,
}

impl Value<'_> {
    fn in_words(&self) -> String {
        match self {
            Self::Plain(text) => (*text).into(),
            Self::List(values) => {
                let values: Vec<_> = values.iter().map(Value::in_words).collect();
                format!("[{}]", values.join(", "))
            }
            Self::Named { name: "true", .. } => "yes".into(),
            Self::Named { name: "false", .. } => "no".into(),
            Self::Named { name: "Some", parts } => list(parts),
            Self::Named { name: "Address", parts } => {
                let digits = list(parts);
                digits.parse::<u64>().map_or(digits, |address| format!("{address:#x}"))
            }
            Self::Named { name, parts } if parts.is_empty() => words(name),
            Self::Named { name, parts } => format!("{} ({})", words(name), list(unwrapped(parts))),
        }
    }
}

/// The fields of the one struct that a variant holds, instead of that struct.
fn unwrapped<'a, 'b>(parts: &'b [Part<'a>]) -> &'b [Part<'a>] {
    match parts {
        [Part { name: "", value: Value::Named { name, parts: inner } }]
            if !inner.is_empty() && !matches!(*name, "Some" | "Address") =>
        {
            inner
        }
        _ => parts,
    }
}

fn list(parts: &[Part<'_>]) -> String {
    let said = parts.iter().map(|part| {
        let value = match &part.value {
            // Not `sizes sizes (...)`.
            Value::Named { name, parts }
                if !parts.is_empty() && words(name) == words(part.name) =>
            {
                format!("({})", list(parts))
            }
            value => value.in_words(),
        };
        if part.name.is_empty() { value } else { format!("{} {value}", words(part.name)) }
    });
    said.collect::<Vec<_>>().join(", ")
}

/// `FixedPoint` and `fixed_point` become `fixed point`.
fn words(name: &str) -> String {
    let mut words = String::new();
    let mut after_small = false;
    for letter in name.trim_start_matches("r#").chars() {
        if letter.is_uppercase() && after_small {
            words.push(' ');
        }
        after_small = letter.is_lowercase() || letter.is_ascii_digit();
        words.push(if letter == '_' { ' ' } else { letter.to_ascii_lowercase() });
    }
    words
}

/// Reads what derived implementations write. Types are nested no deeper than `Limits::max_depth` lets them be.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn value(&mut self) -> Value<'a> {
        if self.skip("[") {
            let mut values = Vec::new();
            while !self.skip("]") && !self.rest.is_empty() {
                values.push(self.value());
                self.skip(", ");
            }
            return Value::List(values);
        }
        if self.rest.starts_with('"') {
            return Value::Plain(self.quoted());
        }
        if self.rest.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            return Value::Plain(self.until(&[',', ' ', ')', ']', '}']));
        }
        let name = self.until(&[',', ' ', ')', ']', '}', '(']);
        let mut parts = Vec::new();
        if self.skip(" { ") {
            while !self.skip(" }") && !self.rest.is_empty() {
                let name = self.until(&[':']);
                self.skip(": ");
                parts.push(Part { name, value: self.value() });
                self.skip(", ");
            }
        } else if self.skip("(") {
            while !self.skip(")") && !self.rest.is_empty() {
                parts.push(Part { name: "", value: self.value() });
                self.skip(", ");
            }
        }
        Value::Named { name, parts }
    }

    fn skip(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// At least one character, so that whatever is written comes to an end.
    fn until(&mut self, ends: &[char]) -> &'a str {
        let after_first = self.rest.chars().next().map_or(0, char::len_utf8);
        let (_, tail) = self.rest.split_at(after_first);
        let len = tail.find(ends).unwrap_or(tail.len()).saturating_add(after_first);
        self.take(len)
    }

    fn quoted(&mut self) -> &'a str {
        let mut is_escaped = false;
        let end = self.rest.char_indices().skip(1).find(|&(_, letter)| {
            let is_end = letter == '"' && !is_escaped;
            is_escaped = letter == '\\' && !is_escaped;
            is_end
        });
        self.take(end.map_or(self.rest.len(), |(at, _)| at.saturating_add(1)))
    }

    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::layout::Layout;
    use crate::parse::Address;

    #[derive(Debug)]
    #[expect(dead_code, reason = "only Debug reads them")]
    struct Header {
        name: Option<String>,
        class: Class,
        is_open: bool,
        dims: Vec<u64>,
    }

    #[derive(Debug)]
    #[expect(dead_code, reason = "only Debug reads them")]
    enum Class {
        FixedPoint { range: core::ops::Range<u64> },
        Nested(Inner),
        BTree2,
    }

    #[derive(Debug)]
    #[expect(dead_code, reason = "only Debug reads them")]
    struct Inner {
        page_bits: u8,
    }

    fn header(class: Class) -> Header {
        let name = Some(String::from("a\" }, (b"));
        Header { name, class, is_open: true, dims: alloc::vec![3, 4] }
    }

    #[test]
    fn fields_are_said_in_words() {
        let said = of(&header(Class::FixedPoint { range: 3..7 }));
        let expected =
            r#"name "a\" }, (b", class fixed point (range 3..7), is open yes, dims [3, 4]"#;
        assert_eq!(said, expected);
        let said = of(&header(Class::Nested(Inner { page_bits: 10 })));
        assert!(said.contains("class nested (page bits 10)"), "{said}");
        assert_eq!(of(&Class::BTree2), "btree2");
    }

    #[test]
    fn a_variant_keeps_itsname() {
        let layout = Layout::Contiguous { address: Some(Address(64)), size: None };
        assert_eq!(of(&layout), "contiguous: address 0x40, size none");
    }
}

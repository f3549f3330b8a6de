//! A small schema language, stated as Rust constants: what a JSON document must look like.
//!
//! It has what the sample document and the clinical descriptor need of JSON Schema 2020-12, and one thing more: it
//! knows which violations a later minor version could have caused, and can set those aside.

mod aside;
mod check;

use crate::names::is_identifier;

pub(crate) use check::Violation;

/// What one value must look like. Keywords that say nothing about a value's type let it pass.
pub(crate) struct Schema {
    /// The types it may have; any if empty.
    kinds: &'static [Kind],
    /// The words it must be one of, if any. Null is one of them when `kinds` has it.
    words: &'static [&'static str],
    /// Whether no later minor version may add a word.
    is_constant: bool,
    pattern: Option<Pattern>,
    /// Fewest characters of a string.
    min_chars: usize,
    minimum: Option<f64>,
    maximum: Option<f64>,
    items: Option<&'static Schema>,
    min_items: usize,
    max_items: usize,
    members: &'static [Member],
    others: Others,
    conditions: &'static [Condition],
}

/// A JSON type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Boolean,
    /// A number without fraction, however it is written.
    Integer,
    Number,
    String,
    Array,
    Object,
}

/// A named member of an object.
pub(crate) struct Member {
    name: &'static str,
    is_required: bool,
    schema: &'static Schema,
}

/// What an object's members without an entry of their own may be.
#[derive(Clone, Copy)]
enum Others {
    Anything,
    /// There may be none.
    Nothing,
    Each(&'static Schema),
    /// Each, and none whose name does not have this form.
    Named(Pattern, &'static Schema),
}

/// Members that are required if another has a certain value, or is absent.
pub(crate) struct Condition {
    member: &'static str,
    equals: &'static str,
    requires: &'static [&'static str],
}

/// The form of a string, all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// An identifier.
    Identifier,
    /// The key of a class: lower-case letters, digits and `_`, not starting with `_`.
    ClassKey,
    /// A SHA-256 digest without prefix.
    Hex64,
    /// One to five digits.
    ClassNumber,
}

impl Pattern {
    fn matches(self, text: &str) -> bool {
        match self {
            Self::Identifier => is_identifier(text),
            Self::ClassKey => {
                !text.is_empty()
                    && !text.starts_with('_')
                    && text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'))
            }
            Self::Hex64 => {
                text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
            }
            Self::ClassNumber => {
                (1..=5).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
            }
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Identifier => "1 to 128 of A-Z a-z 0-9 _ . -",
            Self::ClassKey => "of a-z 0-9 _, not starting with _",
            Self::Hex64 => "64 lower-case hexadecimal digits",
            Self::ClassNumber => "1 to 5 digits",
        }
    }
}

const ANY: Schema = Schema {
    kinds: &[],
    words: &[],
    is_constant: false,
    pattern: None,
    min_chars: 0,
    minimum: None,
    maximum: None,
    items: None,
    min_items: 0,
    max_items: usize::MAX,
    members: &[],
    others: Others::Anything,
    conditions: &[],
};

/// A value of this type.
pub(crate) const fn of(kinds: &'static [Kind]) -> Schema {
    Schema { kinds, ..ANY }
}

/// One of these words.
pub(crate) const fn one_of(words: &'static [&'static str]) -> Schema {
    Schema { words, ..ANY }
}

/// This word, in every version.
pub(crate) const fn constant(words: &'static [&'static str; 1]) -> Schema {
    Schema { words, is_constant: true, ..ANY }
}

/// One of these words, or null.
pub(crate) const fn one_of_or_null(words: &'static [&'static str]) -> Schema {
    Schema { kinds: &[Kind::Null, Kind::String], words, ..ANY }
}

/// A string of this form.
pub(crate) const fn text(pattern: Pattern) -> Schema {
    Schema { kinds: &[Kind::String], pattern: Some(pattern), ..ANY }
}

/// An array of such items.
pub(crate) const fn array(items: &'static Schema) -> Schema {
    Schema { kinds: &[Kind::Array], items: Some(items), ..ANY }
}

/// An object that may hold these members, and others.
pub(crate) const fn object(members: &'static [Member]) -> Schema {
    Schema { kinds: &[Kind::Object], members, ..ANY }
}

/// An object whose members are all like this, whatever their names.
pub(crate) const fn object_of(each: &'static Schema) -> Schema {
    Schema { kinds: &[Kind::Object], others: Others::Each(each), ..ANY }
}

/// An object whose members are all like this, with names of this form.
pub(crate) const fn object_of_named(names: Pattern, each: &'static Schema) -> Schema {
    Schema { kinds: &[Kind::Object], others: Others::Named(names, each), ..ANY }
}

/// A member that must be there.
pub(crate) const fn required(name: &'static str, schema: &'static Schema) -> Member {
    Member { name, is_required: true, schema }
}

/// A member that may be there.
pub(crate) const fn optional(name: &'static str, schema: &'static Schema) -> Member {
    Member { name, is_required: false, schema }
}

impl Schema {
    /// No members but those named.
    pub(crate) const fn closed(self) -> Self {
        Self { others: Others::Nothing, ..self }
    }

    /// At least so many characters.
    pub(crate) const fn min_chars(self, min_chars: usize) -> Self {
        Self { min_chars, ..self }
    }

    /// At least this.
    pub(crate) const fn minimum(self, minimum: f64) -> Self {
        Self { minimum: Some(minimum), ..self }
    }

    /// At most this.
    pub(crate) const fn maximum(self, maximum: f64) -> Self {
        Self { maximum: Some(maximum), ..self }
    }

    /// So many items.
    pub(crate) const fn items_between(self, min_items: usize, max_items: usize) -> Self {
        Self { min_items, max_items, ..self }
    }

    /// If `member` is this word, or absent, these members are required.
    pub(crate) const fn when(self, conditions: &'static [Condition]) -> Self {
        Self { conditions, ..self }
    }
}

/// If `member` is `equals`, or absent, `requires` must be there.
pub(crate) const fn condition(
    member: &'static str,
    equals: &'static str,
    requires: &'static [&'static str],
) -> Condition {
    Condition { member, equals, requires }
}

//! Finds where a value breaks a schema.

use core::fmt::{self, Write as _};

use super::{Kind, Others, Schema};
use crate::json::{Map, Value};

/// One place where a value breaks its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Member names and indices from the root, joined by `/`; empty at the root. Empty names are left out.
    pub(crate) path: String,
    /// Whether only a word or a member outside the known ones is wrong: a later minor version may define it.
    pub(crate) is_unknown: bool,
    /// What was found and what is allowed.
    pub(crate) message: String,
}

impl Violation {
    /// The path as a location: the root has a name, and a path ends where it contains `": "`.
    ///
    /// Quirk: the reference separates path and message by `": "`, so such a member name cuts its locations.
    pub(crate) fn location(&self) -> &str {
        let path = self.path.split(": ").next().unwrap_or_default();
        if self.path.is_empty() { "<root>" } else { path }
    }
}

impl Schema {
    /// Everything that `value` breaks, an object before its members; the first of very many.
    pub(crate) fn violations(&self, value: &Value) -> Vec<Violation> {
        let mut checker = Checker { path: Vec::new(), found: Vec::new() };
        checker.check(self, value);
        checker.found
    }
}

/// More are not listed: a document of a few MiB may have a million. Above what a report keeps by default.
const MOST_VIOLATIONS: usize = 20_000;

/// Characters of a value in a message.
const MOST_CHARS: usize = 200;

/// The beginning of a value as JSON. Nested values are shown once per level, so they must not be shown whole.
fn shown(value: &Value) -> String {
    struct Beginning(String);

    impl fmt::Write for Beginning {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let room = MOST_CHARS.saturating_sub(self.0.chars().count());
            self.0.extend(text.chars().take(room));
            if text.chars().nth(room).is_some() { Err(fmt::Error) } else { Ok(()) }
        }
    }

    let mut beginning = Beginning(String::new());
    let is_whole = write!(beginning, "{value}").is_ok();
    beginning.0 + if is_whole { "" } else { "…" }
}

struct Checker<'v> {
    path: Vec<Step<'v>>,
    found: Vec<Violation>,
}

enum Step<'v> {
    Member(&'v str),
    Item(usize),
}

impl<'v> Checker<'v> {
    fn check(&mut self, schema: &Schema, value: &'v Value) {
        if !schema.has_kind(value) {
            self.broken(format!("{} is no {}", shown(value), schema.kind_names()));
        }
        if !schema.has_word(value) {
            let message = format!("{} is not one of {}", shown(value), schema.words.join(", "));
            self.add(!schema.is_constant, message);
        }
        match value {
            Value::String(text) => self.string(schema, text),
            Value::Number(number) => self.number(schema, number.as_f64()),
            Value::Array(items) => self.array(schema, items),
            Value::Object(map) => self.object(schema, map),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn string(&mut self, schema: &Schema, text: &str) {
        if text.chars().count() < schema.min_chars {
            self.broken(format!("{text:?} is shorter than {} characters", schema.min_chars));
        }
        if let Some(pattern) = schema.pattern.filter(|pattern| !pattern.matches(text)) {
            self.broken(format!("{text:?} is not {}", pattern.description()));
        }
    }

    fn number(&mut self, schema: &Schema, number: f64) {
        if let Some(minimum) = schema.minimum.filter(|&minimum| number < minimum) {
            self.broken(format!("{number} is less than {minimum}"));
        }
        if let Some(maximum) = schema.maximum.filter(|&maximum| number > maximum) {
            self.broken(format!("{number} is more than {maximum}"));
        }
    }

    fn array(&mut self, schema: &Schema, items: &'v [Value]) {
        if items.len() < schema.min_items {
            self.broken(format!("{} items, not at least {}", items.len(), schema.min_items));
        }
        if items.len() > schema.max_items {
            self.broken(format!("{} items, not at most {}", items.len(), schema.max_items));
        }
        let Some(each) = schema.items else { return };
        for (at, item) in items.iter().enumerate() {
            self.inside(Step::Item(at), each, item);
        }
    }

    fn object(&mut self, schema: &Schema, map: &'v Map) {
        for member in schema.members.iter().filter(|m| m.is_required && !map.contains(m.name)) {
            self.broken(format!("the member `{}` is missing", member.name));
        }
        for condition in schema.conditions {
            let applies =
                map.get(condition.member).is_none_or(|v| v.as_str() == Some(condition.equals));
            for name in condition.requires.iter().filter(|name| applies && !map.contains(name)) {
                let (member, equals) = (condition.member, condition.equals);
                self.broken(format!(
                    "the member `{name}` is missing, which `{member}` {equals} needs"
                ));
            }
        }
        let strangers: Vec<&str> =
            map.iter().map(|(name, _)| name).filter(|name| schema.is_stranger(name)).collect();
        if !strangers.is_empty() {
            self.unknown(format!("unknown members: {}", strangers.join(", ")));
        }
        for (name, value) in map.iter() {
            if let Some(member) = schema.member(name) {
                self.inside(Step::Member(name), member, value);
            }
        }
    }

    fn inside(&mut self, step: Step<'v>, schema: &Schema, value: &'v Value) {
        self.path.push(step);
        self.check(schema, value);
        self.path.pop();
    }

    fn broken(&mut self, message: String) {
        self.add(false, message);
    }

    fn unknown(&mut self, message: String) {
        self.add(true, message);
    }

    fn add(&mut self, is_unknown: bool, message: String) {
        if self.found.len() >= MOST_VIOLATIONS {
            return;
        }
        let steps: Vec<String> = self
            .path
            .iter()
            .map(|step| match step {
                Step::Member(name) => (*name).to_owned(),
                Step::Item(at) => at.to_string(),
            })
            // Quirk: the reference leaves empty names out of its paths.
            .filter(|step| !step.is_empty())
            .collect();
        self.found.push(Violation { path: steps.join("/"), is_unknown, message });
    }
}

impl Schema {
    /// The schema of the member `name`, if anything is said about it.
    pub(super) fn member(&self, name: &str) -> Option<&'static Self> {
        if let Some(member) = self.members.iter().find(|member| member.name == name) {
            return Some(member.schema);
        }
        match self.others {
            Others::Each(each) => Some(each),
            Others::Named(names, each) if names.matches(name) => Some(each),
            _ => None,
        }
    }

    /// Whether a member `name` may not be there.
    pub(super) fn is_stranger(&self, name: &str) -> bool {
        match self.others {
            Others::Anything | Others::Each(_) => false,
            Others::Nothing => self.members.iter().all(|member| member.name != name),
            Others::Named(names, _) => !names.matches(name),
        }
    }

    /// Whether the value is one of the words, if there are any.
    pub(super) fn has_word(&self, value: &Value) -> bool {
        match value {
            _ if self.words.is_empty() => true,
            Value::String(text) => self.words.contains(&text.as_str()),
            Value::Null => self.kinds.contains(&Kind::Null),
            _ => false,
        }
    }

    fn has_kind(&self, value: &Value) -> bool {
        self.kinds.is_empty() || self.kinds.iter().any(|kind| kind.is_of(value))
    }

    fn kind_names(&self) -> String {
        let names: Vec<String> =
            self.kinds.iter().map(|kind| format!("{kind:?}").to_lowercase()).collect();
        names.join(" or ")
    }
}

impl Kind {
    fn is_of(self, value: &Value) -> bool {
        match self {
            Self::Null => *value == Value::Null,
            Self::Boolean => matches!(value, Value::Bool(_)),
            Self::Integer => value.as_number().is_some_and(|number| number.as_whole().is_some()),
            Self::Number => value.as_number().is_some(),
            Self::String => value.as_str().is_some(),
            Self::Array => value.as_array().is_some(),
            Self::Object => value.as_object().is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        Pattern, array, condition, object, of, one_of_or_null, optional, required, text,
    };
    use super::*;
    use crate::json::parse;

    static SEX: Schema = one_of_or_null(&["F", "M"]);
    static INDEX: Schema = of(&[Kind::Integer]).minimum(0.0).maximum(9.0);
    static NAME: Schema = text(Pattern::Identifier);
    static NAMES: Schema = array(&NAME).items_between(1, 2);
    static ROOT: Schema = object(&[
        required("sex", &SEX),
        optional("index", &INDEX),
        optional("names", &NAMES),
        optional("form", &NAME),
    ])
    .closed()
    .when(&[condition("form", "ref", &["index"])]);

    fn paths(text: &str) -> Vec<(String, bool)> {
        let value = parse(text).unwrap();
        ROOT.violations(&value)
            .iter()
            .map(|found| (found.location().to_owned(), found.is_unknown))
            .collect()
    }

    fn found(path: &str, is_unknown: bool) -> (String, bool) {
        (path.to_owned(), is_unknown)
    }

    #[test]
    fn a_value_may_break_its_type_and_its_words() {
        assert_eq!(paths(r#"{"sex": 5, "form": "x"}"#), [found("sex", false), found("sex", true)]);
        assert_eq!(paths(r#"{"sex": null, "form": "x"}"#), []);
    }

    #[test]
    fn strangers_are_one_violation_and_missing_members_one_each() {
        assert_eq!(
            paths(r#"{"a": 1, "b": 2}"#),
            [found("<root>", false), found("<root>", false), found("<root>", true)]
        );
    }

    #[test]
    fn a_whole_number_may_have_a_fraction_of_zero() {
        assert_eq!(paths(r#"{"sex": "F", "index": 3.0}"#), []);
        assert_eq!(
            paths(r#"{"sex": "F", "index": -1.5}"#),
            [found("index", false), found("index", false)]
        );
    }

    #[test]
    fn items_are_named_by_index() {
        assert_eq!(
            paths(r#"{"sex": "F", "form": "x", "names": ["a", "b c", ""]}"#),
            [found("names", false), found("names/1", false), found("names/2", false)]
        );
    }
}

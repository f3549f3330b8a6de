//! Sets aside what a later minor version may have added, so that the rest can be used.

use super::Schema;
use crate::json::{Map, Value};

/// A member that must be there holds a word that is not known: the document cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unreadable;

/// The word that stands for every unknown one, in vocabularies that have it.
const OTHER: &str = "other";

impl Schema {
    /// A copy of `value` without unknown members, and with unknown words replaced by `other` or left out.
    ///
    /// # Errors
    /// [`Unreadable`] when a required member holds an unknown word and its vocabulary has no `other`.
    pub(crate) fn set_aside(&self, value: &Value) -> Result<Value, Unreadable> {
        self.kept(value)?.ok_or(Unreadable)
    }

    /// The value to use instead, if there is one.
    fn kept(&self, value: &Value) -> Result<Option<Value>, Unreadable> {
        if !self.has_word(value) {
            let other = self.words.contains(&OTHER);
            return Ok(other.then(|| Value::String(OTHER.to_owned())));
        }
        Ok(Some(match value {
            Value::Array(items) => Value::Array(self.kept_items(items)?),
            Value::Object(map) => Value::Object(self.kept_members(map)?),
            other => other.clone(),
        }))
    }

    fn kept_items(&self, items: &[Value]) -> Result<Vec<Value>, Unreadable> {
        let Some(each) = self.items else { return Ok(items.to_vec()) };
        items.iter().filter_map(|item| each.kept(item).transpose()).collect()
    }

    fn kept_members(&self, map: &Map) -> Result<Map, Unreadable> {
        let mut kept = Vec::new();
        for (name, value) in map.in_file_order() {
            if self.is_stranger(name) {
                continue;
            }
            let value = match self.member(name) {
                Some(schema) => schema.kept(value)?,
                None => Some(value.clone()),
            };
            match value {
                Some(value) => kept.push((name.to_owned(), value)),
                None if self.requires(name) => return Err(Unreadable),
                None => {}
            }
        }
        Ok(kept.into_iter().collect())
    }

    fn requires(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.is_required && member.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{object, one_of, optional, required};
    use super::*;
    use crate::json::parse;

    static ROLE: Schema = one_of(&["reviewer", "other"]);
    static SEX: Schema = one_of(&["F", "M"]);
    static ROOT: Schema =
        object(&[required("kind", &SEX), optional("sex", &SEX), optional("role", &ROLE)]).closed();

    #[test]
    fn what_is_unknown_gives_way() {
        let value = parse(r#"{"kind": "F", "sex": "X", "role": "X", "new": 1}"#).unwrap();
        let expected = parse(r#"{"kind": "F", "role": "other"}"#).unwrap();
        assert_eq!(ROOT.set_aside(&value), Ok(expected));
    }

    #[test]
    fn an_unknown_word_that_is_needed_makes_the_document_unreadable() {
        let value = parse(r#"{"kind": "X"}"#).unwrap();
        assert_eq!(ROOT.set_aside(&value), Err(Unreadable));
    }
}

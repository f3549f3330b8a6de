//! The document of a sample that is being edited, and who did what to it.

use hdf5::{NewData, NewObject, StoredElements};

use super::{Edit, WriteError};
use crate::json::{Map, Value, parse};

/// Who does something to a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// `person`, `software` or `organization`.
    pub kind: &'static str,
    /// What people call it.
    pub name: String,
    /// Version of a program.
    pub version: Option<String>,
}

impl Author {
    /// A person, by name or pseudonym.
    pub fn person(name: &str) -> Self {
        Self { kind: "person", name: name.to_owned(), version: None }
    }

    /// This program.
    pub fn this_program() -> Self {
        let version = Some(env!("CARGO_PKG_VERSION").to_owned());
        Self { kind: "software", name: "medh5-lite".to_owned(), version }
    }
}

impl Edit {
    /// The document as it is in the file, member by member.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when it is missing or no JSON object.
    pub fn document(&self) -> Result<Value, WriteError> {
        let text = self.sample().document_text()?;
        let document = text.and_then(|text| parse(&text).ok());
        document
            .filter(|document| document.as_object().is_some())
            .ok_or_else(|| WriteError::refused("its document `/meta` cannot be read"))
    }

    /// Exchanges the document; `content_id` is computed anew when the file is written.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when `/meta` is no dataset.
    pub fn set_document(&mut self, document: &Value) -> Result<(), WriteError> {
        let text = document.to_string();
        let Some(NewObject::Dataset(meta)) = self.root().get_mut("meta") else {
            return Err(WriteError::refused("`/meta` is no dataset"));
        };
        meta.data = NewData::Elements(StoredElements::texts([text]));
        self.stamp_new();
        Ok(())
    }
}

/// Records in `document` that `author` did something; the activity has no time, so that the same edit gives the same bytes.
///
/// Gives the id of the activity.
pub(super) fn record(
    document: &mut Value,
    author: &Author,
    kind: &str,
    tool: &str,
    params: Map,
) -> String {
    let Value::Object(document) = document else { return String::new() };
    let mut provenance = match document.get("provenance") {
        Some(Value::Object(provenance)) => provenance.clone(),
        _ => Map::default(),
    };
    let mut agents = items(&provenance, "agents");
    let known = agents.iter().find(|agent| is_author(agent, author)).and_then(id_of);
    let agent = known.unwrap_or_else(|| {
        let id = fresh(&agents, author.kind.get(..1).unwrap_or("a"));
        agents.push(agent_value(&id, author));
        id
    });
    let mut activities = items(&provenance, "activities");
    let id = fresh(&activities, &format!("act_{kind}_"));
    let mut activity = members([("id", &id), ("type", kind), ("agent", &agent), ("tool", tool)]);
    if !params.is_empty() {
        activity.insert("params".into(), Value::Object(params));
    }
    activities.push(Value::Object(activity));
    provenance.insert("agents".into(), Value::Array(agents));
    provenance.insert("activities".into(), Value::Array(activities));
    document.insert("provenance".into(), Value::Object(provenance));
    id
}

fn agent_value(id: &str, author: &Author) -> Value {
    let mut agent = members([("id", id), ("type", author.kind), ("name", &author.name)]);
    if let Some(version) = &author.version {
        agent.insert("version".into(), version.as_str().into());
    }
    Value::Object(agent)
}

fn is_author(agent: &Value, author: &Author) -> bool {
    let is = |name, value: Option<&str>| agent.get(name).and_then(Value::as_str) == value;
    is("type", Some(author.kind))
        && is("name", Some(&author.name))
        && is("version", author.version.as_deref())
}

fn id_of(value: &Value) -> Option<String> {
    value.get("id").and_then(Value::as_str).map(str::to_owned)
}

/// An id that none of `taken` has: the prefix and a number.
fn fresh(taken: &[Value], prefix: &str) -> String {
    let is_free = |id: &String| !taken.iter().any(|item| id_of(item).as_ref() == Some(id));
    let numbers = taken.len() + 1..;
    numbers.map(|number| format!("{prefix}{number}")).find(is_free).unwrap_or_default()
}

fn items(map: &Map, name: &str) -> Vec<Value> {
    map.get(name).and_then(Value::as_array).unwrap_or_default().to_vec()
}

fn members<const N: usize>(members: [(&str, &str); N]) -> Map {
    members.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authors_are_named_once_and_ids_are_free() {
        let mut document = parse(r#"{"provenance": {"agents": [{"id": "p2", "type": "person", "name": "r"}], "activities": []}}"#).unwrap();
        let params: Map = [("reason".to_owned(), Value::from("why"))].into_iter().collect();
        let first = record(&mut document, &Author::person("me"), "other", "t", params.clone());
        let second = record(&mut document, &Author::person("me"), "other", "t", Map::default());
        assert_eq!((first.as_str(), second.as_str()), ("act_other_1", "act_other_2"));
        let text = document.to_string();
        assert!(text.contains(r#"{"id": "p3", "type": "person", "name": "me"}"#), "{text}");
        assert!(
            text.contains(r#""agent": "p3", "tool": "t", "params": {"reason": "why"}}"#),
            "{text}"
        );
        assert_eq!(text.matches(r#""name": "me""#).count(), 1);
    }
}

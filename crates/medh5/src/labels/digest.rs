//! The digest of a label set: equal for equal meaning, wherever the set is stored. Spec: MEDH5 1.0 §5.

use super::{LabelClass, LabelSet, OntologyCode, Relation, Skeleton};
use crate::integrity::{Algorithm, canonical_json};
use crate::json::{Map, Value};

impl LabelSet {
    /// SHA-256 of the set's content, bare hexadecimal: what `sha256` of a set should say.
    ///
    /// The order of classes, relations and skeletons does not matter, nor do `form`, `uri` and `sha256`.
    pub fn digest(&self) -> String {
        let text = canonical_json(&self.content());
        Algorithm::Sha256.digest(text.as_bytes()).hex()
    }

    fn content(&self) -> Value {
        let mut classes: Vec<&LabelClass> = self.classes.iter().collect();
        classes.sort_by_key(|class| class.id);
        let mut relations: Vec<&Relation> = self.relations.iter().collect();
        relations.sort_by_key(|relation| (relation.subject, &relation.predicate, relation.object));
        let mut skeletons: Vec<&Skeleton> = self.skeletons.iter().collect();
        skeletons.sort_by_key(|skeleton| &skeleton.id);

        let mut content = Map::default();
        content.insert("id".into(), self.id.as_str().into());
        content.insert("version".into(), self.version.as_str().into());
        content.insert("classes".into(), classes.into_iter().map(class).collect());
        insert_filled(&mut content, "relations", relations.into_iter().map(relation));
        insert_filled(&mut content, "skeletons", skeletons.into_iter().map(skeleton));
        Value::Object(content)
    }
}

fn class(class: &LabelClass) -> Value {
    let mut members = Map::default();
    members.insert("id".into(), class.id.into());
    members.insert("key".into(), class.key.as_str().into());
    members.insert("name".into(), class.name.as_str().into());
    insert_filled(&mut members, "parents", class.parents.iter().copied().map(Value::from));
    insert_given(&mut members, "category", class.category.as_deref());
    insert_given(&mut members, "laterality", class.laterality.as_deref());
    insert_filled(&mut members, "color", class.color.iter().copied().map(Value::from));
    insert_filled(&mut members, "codes", class.codes.iter().map(code));
    if !class.properties.is_empty() {
        members.insert("properties".into(), Value::Object(class.properties.clone()));
    }
    Value::Object(members)
}

fn code(code: &OntologyCode) -> Value {
    let mut members = Map::default();
    members.insert("system".into(), code.system.as_str().into());
    members.insert("code".into(), code.code.as_str().into());
    insert_given(&mut members, "name", code.name.as_deref());
    Value::Object(members)
}

fn relation(relation: &Relation) -> Value {
    let mut members = Map::default();
    members.insert("subject".into(), relation.subject.into());
    members.insert("predicate".into(), relation.predicate.as_str().into());
    members.insert("object".into(), relation.object.into());
    Value::Object(members)
}

fn skeleton(skeleton: &Skeleton) -> Value {
    let edge = |&(from, to): &(i64, i64)| [from, to].into_iter().map(Value::from).collect();
    let mut members = Map::default();
    members.insert("id".into(), skeleton.id.as_str().into());
    members
        .insert("keypoints".into(), skeleton.keypoints.iter().copied().map(Value::from).collect());
    members.insert("edges".into(), skeleton.edges.iter().map(edge).collect());
    Value::Object(members)
}

fn insert_filled(members: &mut Map, name: &str, items: impl Iterator<Item = Value>) {
    let items: Vec<Value> = items.collect();
    if !items.is_empty() {
        members.insert(name.into(), Value::Array(items));
    }
}

fn insert_given(members: &mut Map, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        members.insert(name.into(), text.into());
    }
}

#[cfg(test)]
mod tests {
    use crate::json::parse;
    use crate::labels::LabelSet;

    /// The digest was computed by the reference for this set.
    #[test]
    fn the_digest_is_the_references() {
        let text = r#"{"id": "l", "version": "1", "form": "inline", "classes": [
            {"id": 2, "key": "b", "name": "B", "parents": [3, 1], "category": "", "laterality": "left",
             "color": [1, 2, 3, 4], "codes": [{"system": "z", "code": "c", "name": ""},
             {"system": "a", "code": "d", "name": "n"}, {"system": "a", "code": "d"}],
             "properties": {"q": 1.0, "a": null}},
            {"id": 3, "key": "c", "name": "C", "parents": []},
            {"id": 1, "key": "a", "name": "A", "category": null}],
          "relations": [
            {"subject": 3, "predicate": "p", "object": 2}, {"subject": 1, "predicate": "q", "object": 2},
            {"subject": 1, "predicate": "p", "object": 2}, {"subject": 1, "predicate": "p", "object": 1}],
          "skeletons": [{"id": "z", "keypoints": [2, 1], "edges": [[2, 1]]},
            {"id": "a", "keypoints": [], "edges": []}]}"#;
        let set = LabelSet::parse(&parse(text).unwrap()).unwrap();
        assert_eq!(
            set.digest(),
            "12f041965da22ceff38f950545737ffb7bd13501ca7379466ac77d96b1c7d854"
        );
    }
}

//! A label set and the invariants that tie its classes together.

use std::collections::{BTreeMap, BTreeSet};

use super::LabelClass;
use crate::document::Flaw;
use crate::document::members::{Members, as_integer};
use crate::json::Value;
use crate::validate::codes;

/// The classes of a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelSet {
    /// Its name.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Whether the classes are here or elsewhere.
    pub form: Form,
    /// Digest of the set, bare hexadecimal.
    pub sha256: Option<String>,
    /// Where the set is.
    pub uri: Option<String>,
    /// The classes in the order of the file; none for a reference.
    pub classes: Vec<LabelClass>,
    /// Statements about pairs of classes.
    pub relations: Vec<Relation>,
    /// How keypoints are joined.
    pub skeletons: Vec<Skeleton>,
}

/// Where the classes of a label set are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// In the document.
    Inline,
    /// At an address.
    Ref,
}

/// A statement about two classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// The class it is about.
    pub subject: i64,
    /// What is said.
    pub predicate: String,
    /// The other class.
    pub object: i64,
}

/// Keypoint classes and the edges between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skeleton {
    /// Its name; keypoint annotations refer to it.
    pub id: String,
    /// The classes of its keypoints.
    pub keypoints: Vec<i64>,
    /// Pairs of keypoint classes.
    pub edges: Vec<(i64, i64)>,
}

impl LabelSet {
    /// The class of this id.
    pub fn class(&self, id: i64) -> Option<&LabelClass> {
        self.classes.iter().find(|class| class.id == id)
    }

    /// The skeleton of this id.
    pub fn skeleton(&self, id: &str) -> Option<&Skeleton> {
        self.skeletons.iter().find(|skeleton| skeleton.id == id)
    }

    /// The classes that the class `id` is a kind of, near and far; none for a class that is not in the set.
    pub fn ancestors(&self, id: i64) -> BTreeSet<i64> {
        let parents = self.parents();
        let mut found = BTreeSet::new();
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            for &parent in parents.get(&next).copied().unwrap_or_default() {
                if found.insert(parent) {
                    open.push(parent);
                }
            }
        }
        found
    }

    fn parents(&self) -> BTreeMap<i64, &[i64]> {
        self.classes.iter().map(|class| (class.id, class.parents.as_slice())).collect()
    }

    pub(crate) fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "the label set")?;
        let classes = members.items("classes").iter().map(LabelClass::parse);
        let classes: Vec<_> = classes.collect::<Result<_, _>>()?;
        let relations = members.items("relations").iter().map(Relation::parse);
        let relations = relations.collect::<Result<_, _>>()?;
        let skeletons = members.items("skeletons").iter().map(Skeleton::parse);
        let skeletons = skeletons.collect::<Result<_, _>>()?;
        let id = members.required_text("id")?;
        let set = Self {
            id,
            version: members.text("version").unwrap_or_else(|| "1.0.0".to_owned()),
            form: Form::parse(members.text("form").as_deref())?,
            sha256: members.text("sha256"),
            uri: members.text("uri"),
            classes,
            relations,
            skeletons,
        };
        set.check()?;
        Ok(set)
    }

    /// E302, E306, E304, E305: in this order, the first that is wrong.
    fn check(&self) -> Result<(), Flaw> {
        unique("id", self.classes.iter().map(|class| class.id.to_string()))?;
        unique("key", self.classes.iter().map(|class| class.key.clone()))?;
        self.check_parents()?;
        self.check_cycles()?;
        match self.form {
            Form::Ref => self.check_reference(),
            Form::Inline => self.check_relations(),
        }
    }

    fn check_parents(&self) -> Result<(), Flaw> {
        let parents = self.parents();
        for class in &self.classes {
            if let Some(parent) = class.parents.iter().find(|parent| !parents.contains_key(parent))
            {
                let message =
                    format!("class {} has the parent {parent}, which is no class", class.id);
                return Err(Flaw::new(codes::E306, message));
            }
        }
        Ok(())
    }

    /// Takes away classes without parents until none is left; what stays is on a cycle or below one.
    fn check_cycles(&self) -> Result<(), Flaw> {
        let mut children: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        let mut waiting: BTreeMap<i64, usize> = BTreeMap::new();
        for class in &self.classes {
            waiting.insert(class.id, class.parents.len());
            for &parent in &class.parents {
                children.entry(parent).or_default().push(class.id);
            }
        }
        let mut free: Vec<i64> =
            waiting.iter().filter(|(_, count)| **count == 0).map(|(id, _)| *id).collect();
        while let Some(id) = free.pop() {
            waiting.remove(&id);
            for child in children.get(&id).into_iter().flatten() {
                if let Some(count) = waiting.get_mut(child) {
                    *count -= 1;
                    if *count == 0 {
                        free.push(*child);
                    }
                }
            }
        }
        match waiting.keys().next() {
            Some(id) => {
                Err(Flaw::new(codes::E304, format!("class {id} is on or below a cycle of parents")))
            }
            None => Ok(()),
        }
    }

    fn check_reference(&self) -> Result<(), Flaw> {
        let is_empty = |text: &Option<String>| text.as_ref().is_none_or(String::is_empty);
        let wrong = if is_empty(&self.uri) {
            "it has no uri"
        } else if is_empty(&self.sha256) {
            "it has no sha256"
        } else if !self.classes.is_empty() {
            "it also holds classes"
        } else {
            return Ok(());
        };
        Err(Flaw::new(codes::E305, format!("label set {:?} is a reference, but {wrong}", self.id)))
    }

    fn check_relations(&self) -> Result<(), Flaw> {
        let ids: BTreeSet<i64> = self.classes.iter().map(|class| class.id).collect();
        let ends = self.relations.iter().flat_map(|relation| [relation.subject, relation.object]);
        match ends.into_iter().find(|id| !ids.contains(id)) {
            Some(id) => {
                Err(Flaw::new(codes::E306, format!("a relation names {id}, which is no class")))
            }
            None => Ok(()),
        }
    }
}

impl Form {
    fn parse(word: Option<&str>) -> Result<Self, Flaw> {
        match word {
            None | Some("inline") => Ok(Self::Inline),
            Some("ref") => Ok(Self::Ref),
            Some(other) => Err(Flaw::new(
                codes::E305,
                format!("the label set has the form {other:?}, not inline or ref"),
            )),
        }
    }
}

impl Relation {
    fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "a relation")?;
        Ok(Self {
            subject: members.required_integer("subject")?,
            predicate: members.required_text("predicate")?,
            object: members.required_integer("object")?,
        })
    }
}

impl Skeleton {
    fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "a skeleton")?;
        let no_class = || Flaw::structure("a skeleton names something that is no class id");
        let ids = |values: &[Value]| -> Result<Vec<i64>, Flaw> {
            values.iter().map(|value| as_integer(value).ok_or_else(no_class)).collect()
        };
        let edge = |value: &Value| match value.as_array().map(ids).transpose()?.as_deref() {
            Some(&[from, to]) => Ok((from, to)),
            _ => Err(Flaw::structure("an edge of a skeleton is no pair")),
        };
        Ok(Self {
            id: members.required_text("id")?,
            keypoints: ids(members.required_items("keypoints")?)?,
            edges: members.items("edges").iter().map(edge).collect::<Result<_, _>>()?,
        })
    }
}

fn unique(what: &str, values: impl Iterator<Item = String>) -> Result<(), Flaw> {
    let mut seen = BTreeSet::new();
    for value in values {
        if seen.contains(&value) {
            return Err(Flaw::new(codes::E302, format!("two classes have the {what} {value:?}")));
        }
        seen.insert(value);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn set(members: &str) -> Result<LabelSet, &'static str> {
        let text = format!(r#"{{"id": "l", "version": "1", {members}}}"#);
        LabelSet::parse(&parse(&text).unwrap()).map_err(|flaw| flaw.code.name)
    }

    fn class(id: i64, parents: &str) -> String {
        format!(r#"{{"id": {id}, "key": "k{id}", "name": "n", "parents": {parents}}}"#)
    }

    #[test]
    fn ancestors_are_near_and_far() {
        let (one, two, three) = (class(1, "[]"), class(2, "[1]"), class(3, "[2]"));
        let set = set(&format!(r#""classes": [{one}, {two}, {three}]"#)).unwrap();
        assert_eq!(set.ancestors(3), BTreeSet::from([1, 2]));
        assert_eq!(set.ancestors(9), BTreeSet::new());
    }

    #[test]
    fn each_flaw_has_its_code() {
        let codes = |members: &str| set(members).map(|_| ());
        let (one, self_parent) = (class(1, "[]"), class(1, "[1]"));
        assert_eq!(codes(&format!(r#""classes": [{one}, {one}]"#)), Err("E302"));
        assert_eq!(codes(&format!(r#""classes": [{self_parent}]"#)), Err("E304"));
        assert_eq!(codes(&format!(r#""classes": [{}]"#, class(1, "[7]"))), Err("E306"));
        assert_eq!(codes(&format!(r#""classes": [{}]"#, class(65_535, "[]"))), Err("E303"));
        assert_eq!(codes(&format!(r#""classes": [{}]"#, class(65_536, "[]"))), Err("E306"));
        assert_eq!(codes(r#""form": "ref""#), Err("E305"));
        assert_eq!(codes(r#""form": "other""#), Err("E305"));
        assert_eq!(
            codes(r#""relations": [{"subject": 1, "predicate": "p", "object": 2}]"#),
            Err("E306")
        );
    }
}

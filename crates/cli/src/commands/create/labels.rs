//! The classes of masks: those of a label set, or new ones.

use std::path::Path;

use medh5::document::Document;
use medh5::json::{self, Map, Value};

use super::Named;
use crate::exit::Failure;

/// A label set, and the classes in it by key.
pub(super) struct Labels {
    set: Map,
    classes: Vec<(String, u16)>,
}

impl Labels {
    /// The label set in a file, as the format has it.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let about = |why: String| Failure::about(path.display(), why);
        let text = std::fs::read_to_string(path).map_err(|error| about(error.to_string()))?;
        let Ok(Value::Object(set)) = json::parse(&text) else {
            return Err(about("it is no label set: not a JSON object".into()));
        };
        let known = parsed(&set).map_err(about)?;
        let classes = known
            .classes
            .iter()
            .filter_map(|class| Some((class.key.clone(), u16::try_from(class.id).ok()?)));
        let classes = classes.collect();
        Ok(Self { set, classes })
    }

    /// New classes, numbered from 1 in the order of the masks.
    pub(super) fn minted(masks: &[Named]) -> Result<Self, Failure> {
        let mut classes: Vec<(String, u16)> = Vec::new();
        for mask in masks {
            let key = &mask.name;
            let is_key = key.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
                && key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            if !is_key {
                return Err(Failure::Usage(format!(
                    "`{key}` is no key of a class: small letters, digits and _"
                )));
            }
            if classes.iter().any(|(known, _)| known == key) {
                return Err(Failure::Usage(format!("there are two masks `{key}`")));
            }
            let id = u16::try_from(classes.len() + 1)
                .map_err(|_| Failure::Usage("there are too many masks".into()))?;
            classes.push((key.clone(), id));
        }
        let entry = |(key, id): &(String, u16)| {
            object([
                ("id", i64::from(*id).into()),
                ("key", key.as_str().into()),
                ("name", display(key).as_str().into()),
            ])
        };
        let entries =
            Value::Array(classes.iter().map(|class| Value::Object(entry(class))).collect());
        let fields = |digest: Option<&str>| {
            let mut set = object([("id", "medh5-lite-create".into()), ("version", "1.0.0".into())]);
            if let Some(digest) = digest {
                set.insert("sha256".into(), digest.into());
            }
            set.insert("form".into(), "inline".into());
            set.insert("classes".into(), entries.clone());
            set
        };
        let digest = parsed(&fields(None)).map_err(Failure::Usage)?.digest();
        Ok(Self { set: fields(Some(&digest)), classes })
    }

    /// The class of a mask.
    pub(super) fn id(&self, mask: &Named) -> Result<u16, Failure> {
        let known = self.classes.iter().find(|(key, _)| *key == mask.name);
        known
            .map(|(_, id)| *id)
            .ok_or_else(|| Failure::Usage(format!("the label set has no class `{}`", mask.name)))
    }

    /// The key of a class.
    pub(super) fn key(&self, id: u16) -> &str {
        self.classes.iter().find(|(_, known)| *known == id).map_or("", |(key, _)| key)
    }

    pub(super) fn into_value(self) -> Value {
        Value::Object(self.set)
    }
}

/// The set as a part of a document reads.
fn parsed(set: &Map) -> Result<medh5::labels::LabelSet, String> {
    let identity = object([("sample_id", "x".into()), ("subject_id", "x".into())]);
    let timepoint = object([("id", "tp0".into()), ("index", 0.into())]);
    let document = object([
        ("identity", Value::Object(identity)),
        ("timepoints", Value::Array(vec![Value::Object(timepoint)])),
        ("label_set", Value::Object(set.clone())),
    ]);
    let document = Document::parse(&Value::Object(document)).map_err(|flaw| flaw.to_string())?;
    document.label_set.ok_or_else(|| "it holds no label set".to_owned())
}

/// `left_kidney` as people write it.
fn display(key: &str) -> String {
    let spaced = key.replace('_', " ");
    let mut letters = spaced.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Map {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

//! One class of a label set.

use super::{FIRST_CLASS_ID, LAST_CLASS_ID, is_reserved_class_id};
use crate::document::Flaw;
use crate::document::members::Members;
use crate::json::{Map, Value};
use crate::validate::codes;

/// A class that annotations may use.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelClass {
    /// What is stored in voxels and columns.
    pub id: i64,
    /// A short name for programs.
    pub key: String,
    /// A name for people.
    pub name: String,
    /// The classes that it is a kind of.
    pub parents: Vec<i64>,
    /// A group of classes.
    pub category: Option<String>,
    /// `left`, `right` or `bilateral`.
    pub laterality: Option<String>,
    /// Red, green, blue and opacity, 0 to 255 each; empty if not given.
    pub color: Vec<i64>,
    /// What terminologies call it.
    pub codes: Vec<OntologyCode>,
    /// What the format does not define.
    pub properties: Map,
}

/// The name of a class in a terminology.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OntologyCode {
    /// The terminology.
    pub system: String,
    /// Its code for the class.
    pub code: String,
    /// What the code means.
    pub name: Option<String>,
}

impl LabelClass {
    pub(super) fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "a class")?;
        members.required("id")?;
        members.required("key")?;
        members.required("name")?;
        let codes = members.items("codes").iter().map(OntologyCode::parse);
        let class = Self {
            id: members.required_integer("id")?,
            key: members.required_text("key")?,
            name: members.required_text("name")?,
            parents: members.integers("parents")?,
            category: members.text("category"),
            laterality: members.text("laterality"),
            color: members.integers("color")?,
            codes: codes.collect::<Result<_, _>>()?,
            properties: members.object("properties"),
        };
        class.check()?;
        Ok(class)
    }

    fn check(&self) -> Result<(), Flaw> {
        let Self { id, key, name, color, .. } = self;
        if is_reserved_class_id(*id) {
            return Err(Flaw::new(codes::E303, format!("class id {id} is reserved")));
        }
        let wrong = if !(i64::from(FIRST_CLASS_ID)..=i64::from(LAST_CLASS_ID)).contains(id) {
            format!("class id {id} is not in {FIRST_CLASS_ID}..={LAST_CLASS_ID}")
        } else if key.is_empty() || name.is_empty() {
            format!("class {id} has an empty key or name")
        } else if !color.is_empty()
            && (color.len() != 4 || color.iter().any(|part| !(0..=255).contains(part)))
        {
            format!("class {id} has the colour {color:?}, not four values in 0..=255")
        } else {
            return Ok(());
        };
        Err(Flaw::new(codes::E306, wrong))
    }
}

impl OntologyCode {
    fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "an ontology code")?;
        Ok(Self {
            system: members.required_text("system")?,
            code: members.required_text("code")?,
            name: members.text("name"),
        })
    }
}

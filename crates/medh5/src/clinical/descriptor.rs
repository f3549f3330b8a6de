//! The descriptor `clinical/meta`: what the clock of the tables counts from. Spec: MEDH5 1.1 §3.

use hdf5::{Dataspace, Elements, Group, Object};

use super::Problem;
use crate::ReadError;
use crate::integrity::canonical_json;
use crate::json::schema::{
    Kind, Schema, condition, constant, object, of, one_of, optional, required,
};
use crate::json::{self, Value};
use crate::validate::codes;

/// Where the descriptor is.
const LOCATION: &str = "/clinical/meta";
/// What marks a descriptor as one.
const SCHEMA_NAME: &str = "medh5.clinical/1";

static DESCRIPTOR: Schema =
    object(&[required("schema", &SCHEMA), required("clock", &CLOCK)]).closed();
static SCHEMA: Schema = constant(&[SCHEMA_NAME]);
static CLOCK: Schema = object(&[
    required("id", &FILLED_STRING),
    required("unit", &UNIT),
    required("reference", &REFERENCE),
    optional("origin_description", &FILLED_STRING),
])
.closed()
.when(&[condition("reference", "relative", &["origin_description"])]);
static FILLED_STRING: Schema = of(&[Kind::String]).min_chars(1);
static UNIT: Schema = constant(&["us"]);
static REFERENCE: Schema = one_of(&["relative", "utc", "shifted_utc"]);

/// The clock of a clinical history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Descriptor {
    /// Identifier of the clock: histories that share it share their zero.
    pub clock_id: String,
    /// What the clock counts from.
    pub reference: ClockReference,
    /// What zero is on a relative clock.
    pub origin_description: Option<String>,
}

/// What a clock counts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockReference {
    /// An event of the subject's own.
    Relative,
    /// 1970-01-01T00:00:00Z.
    Utc,
    /// The same, shifted to hide dates.
    ShiftedUtc,
}

/// A descriptor and what is wrong with it.
#[derive(Debug, Clone, Default)]
pub(crate) struct JudgedDescriptor {
    /// The descriptor, unless it breaks its schema.
    pub(crate) descriptor: Option<Descriptor>,
    pub(crate) problems: Vec<Problem>,
}

/// Judges the descriptor in the group `clinical`. In a projection, what a later minor version may define does not keep it
/// from being used.
///
/// # Errors
/// [`ReadError::File`] when it cannot be read.
pub(crate) fn judge(clinical: &Group, is_projection: bool) -> Result<JudgedDescriptor, ReadError> {
    let mut judged = JudgedDescriptor::default();
    let mut unreadable = |message: &str| {
        judged.problems.push(Problem::new(codes::E801, LOCATION, message));
    };
    let Some(bytes) = stored_text(clinical)? else {
        unreadable("the descriptor is not one text");
        return Ok(judged);
    };
    let Ok(text) = String::from_utf8(bytes) else {
        unreadable("the descriptor is not UTF-8");
        return Ok(judged);
    };
    let value = match json::parse(&text) {
        Ok(value) => value,
        Err(error) => {
            unreadable(&format!("the descriptor is {error}"));
            return Ok(judged);
        }
    };
    if canonical_json(&value) != text {
        unreadable("the descriptor is not spelled as canonical JSON");
    }
    let mut is_sound = true;
    for violation in DESCRIPTOR.violations(&value) {
        is_sound &= is_projection && violation.is_unknown;
        let location = format!("{LOCATION}#{}", violation.location());
        let problem = Problem::new(codes::E802, location, violation.message);
        let problem = if violation.is_unknown { problem.or_newer() } else { problem };
        judged.problems.push(problem);
    }
    judged.descriptor = if is_sound { typed(&value) } else { None };
    Ok(judged)
}

/// Whether the group `clinical` holds a descriptor of this profile, sound or not.
///
/// # Errors
/// [`ReadError::File`] when it cannot be read.
pub(crate) fn is_recognised(clinical: &Group) -> Result<bool, ReadError> {
    let Some(bytes) = stored_text(clinical)? else { return Ok(false) };
    let value = String::from_utf8(bytes).ok().and_then(|text| json::parse(&text).ok());
    let name = value.as_ref().and_then(|value| value.get("schema"));
    Ok(name.and_then(Value::as_str) == Some(SCHEMA_NAME))
}

/// The stored bytes of `meta`, if it is one text.
fn stored_text(clinical: &Group) -> Result<Option<Vec<u8>>, ReadError> {
    let Some(Object::Dataset(dataset)) = clinical.get("meta")? else { return Ok(None) };
    let is_scalar = dataset.shape().is_empty() && *dataset.dataspace() != Dataspace::Null;
    if !is_scalar || !dataset.datatype().is_string() {
        return Ok(None);
    }
    match dataset.read()?.elements {
        Elements::Strings(texts) => Ok(texts.into_iter().next()),
        _ => Ok(None),
    }
}

/// The clock, if its reference is known.
fn typed(value: &Value) -> Option<Descriptor> {
    let text = |name| value.get("clock")?.get(name)?.as_str().map(str::to_owned);
    let reference = match text("reference")?.as_str() {
        "relative" => ClockReference::Relative,
        "utc" => ClockReference::Utc,
        "shifted_utc" => ClockReference::ShiftedUtc,
        _ => return None,
    };
    let origin_description = text("origin_description");
    Some(Descriptor { clock_id: text("id")?, reference, origin_description })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<(String, bool)> {
        let found = DESCRIPTOR.violations(&json::parse(text).unwrap());
        found.iter().map(|found| (found.location().to_owned(), found.is_unknown)).collect()
    }

    #[test]
    fn a_relative_clock_says_what_zero_is() {
        let shifted = r#"{"schema":"medh5.clinical/1","clock":{"id":"c","unit":"us","reference":"shifted_utc"}}"#;
        assert_eq!(paths(shifted), []);
        assert_eq!(
            paths(&shifted.replace("shifted_utc", "relative")),
            [("clock".to_owned(), false)]
        );
    }

    #[test]
    fn only_the_vocabulary_may_grow() {
        let strange = r#"{"schema":"x","clock":{"id":"c","unit":"s","reference":"lunar"}}"#;
        let found = |path: &str, is_unknown| (path.to_owned(), is_unknown);
        let mut paths = paths(strange);
        paths.sort();
        let expected =
            [found("clock/reference", true), found("clock/unit", false), found("schema", false)];
        assert_eq!(paths, expected);
    }
}

//! From the text of `/meta` to a document and the findings about it.

use hdf5::{Dataspace, Elements, Object};

use super::structure::DOCUMENT;
use super::{Document, Flaw};
use crate::ReadError;
use crate::json::{self, Value, schema};
use crate::sample::Sample;
use crate::validate::{Findings, codes};

/// Where findings about the whole document are.
const META: &str = "/meta";

/// A document and what is wrong with it. Flaws of structure do not keep it from being used.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// The document; `None` when it cannot be used.
    pub document: Option<Document>,
    /// What is wrong with it.
    pub findings: Findings,
    /// Whether its structure was judged: the text is a JSON object.
    pub schema_checked: bool,
}

/// Judges the document of a sample.
///
/// # Errors
/// [`ReadError::File`] when `/meta` cannot be read.
pub fn load(sample: &Sample, is_projection: bool) -> Result<Judged, ReadError> {
    Ok(match text(sample)? {
        Ok(text) => judge_text(&text, is_projection),
        Err(reason) => {
            let mut judged = Judged::default();
            judged.findings.report(codes::E004, META, reason);
            judged
        }
    })
}

/// The text of `/meta`, or why there is none.
fn text(sample: &Sample) -> Result<Result<String, &'static str>, ReadError> {
    let dataset = match sample.root().get("meta")? {
        Some(Object::Dataset(dataset)) => dataset,
        Some(_) => return Ok(Err("the document is no dataset")),
        None if sample.root().link("meta")?.is_some() => {
            return Ok(Err("the document is a link that leads nowhere"));
        }
        None => return Ok(Err("there is no document")),
    };
    if !dataset.datatype().is_string() {
        return Ok(Err("the document is no string"));
    }
    if !matches!(dataset.dataspace(), Dataspace::Simple { dims, .. } if dims.is_empty()) {
        return Ok(Err("the document is not one string"));
    }
    let Elements::Strings(mut strings) = dataset.read()?.elements else {
        return Ok(Err("the document is no string"));
    };
    let text = String::from_utf8(strings.pop().unwrap_or_default());
    Ok(text.map_err(|_| "the document is not UTF-8"))
}

/// Judges the text of a document. In a projection, what a later minor version may have added is set aside.
pub fn judge_text(text: &str, is_projection: bool) -> Judged {
    let mut judged = Judged::default();
    if let Some(value) = read(text, &mut judged.findings) {
        judged.schema_checked = true;
        judged.document = judge(&value, is_projection, &mut judged.findings);
    }
    judged
}

/// E004: the text is a JSON object.
fn read(text: &str, out: &mut Findings) -> Option<Value> {
    let value = match json::parse(text) {
        Ok(value) => value,
        Err(error) => {
            let repaired = json::parse_with_non_finite(text).ok();
            let reason = if repaired.is_some() {
                "it has numbers that are not finite".into()
            } else {
                error.to_string()
            };
            out.report(codes::E004, META, format!("the document is not JSON: {reason}"));
            repaired?
        }
    };
    if value.as_object().is_none() {
        out.report(codes::E004, META, "the document is no JSON object");
        return None;
    }
    Some(value)
}

/// E005, W913, and the first flaw that keeps the document from being used.
fn judge(value: &Value, is_projection: bool, out: &mut Findings) -> Option<Document> {
    let (unknown, broken): (Vec<_>, Vec<_>) =
        DOCUMENT.violations(value).into_iter().partition(|found| is_projection && found.is_unknown);
    for found in &broken {
        out.report(codes::E005, at(found), &found.message);
    }
    for found in &unknown {
        let message =
            format!("{}; a later minor version may define it, so it is ignored", found.message);
        out.report(codes::W913, at(found), message);
    }
    let parsed = if unknown.is_empty() {
        Document::parse(value)
    } else if let Ok(known) = DOCUMENT.set_aside(value) {
        Document::parse(&known)
    } else {
        out.report(
            codes::W913,
            META,
            "what is required here is unknown, so no rule uses the document",
        );
        return None;
    };
    match parsed {
        Ok(document) => Some(document),
        Err(Flaw { code, message }) => {
            if code != codes::E005 || broken.is_empty() {
                out.report(code, META, message);
            }
            None
        }
    }
}

fn at(found: &schema::Violation) -> String {
    format!("{META}#{}", found.location())
}

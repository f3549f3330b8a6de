//! From the text of `/meta` to a document and the findings about it.

use hdf5::{Dataspace, Elements, Object};

use super::structure::DOCUMENT;
use super::{Document, Flaw};
use crate::ReadError;
use crate::json::{self, JsonError, Value, schema};
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
            let error = match &repaired {
                Some(_) => JsonError::Malformed("it has numbers that are not finite".into()),
                None => error,
            };
            out.report(codes::E004, META, format!("the document is {error}"));
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

#[cfg(test)]
mod tests {
    use super::*;

    const IDENTITY: &str = r#""identity": {"sample_id": "a", "subject_id": "b"}"#;
    const TIMEPOINTS: &str = r#""timepoints": [{"id": "t", "index": 0}]"#;

    /// The findings about a document with `more` members, and whether it can be used.
    fn judged(more: &str, is_projection: bool) -> (Vec<String>, bool) {
        judged_text(&format!("{{{IDENTITY}, {TIMEPOINTS}{more}}}"), is_projection)
    }

    fn judged_text(text: &str, is_projection: bool) -> (Vec<String>, bool) {
        let judged = judge_text(text, is_projection);
        let findings = judged.findings.iter();
        let shown = findings.map(|found| format!("{} @ {}", found.code.name, found.location));
        (shown.collect(), judged.document.is_some())
    }

    fn expect(findings: &[&str], is_usable: bool) -> (Vec<String>, bool) {
        (findings.iter().map(|&text| text.to_owned()).collect(), is_usable)
    }

    #[test]
    fn a_document_may_break_its_structure_and_be_used() {
        assert_eq!(judged("", false), expect(&[], true));
        assert_eq!(judged(r#", "new": 1"#, false), expect(&["E005 @ /meta#<root>"], true));
    }

    #[test]
    fn numbers_that_are_not_finite_are_forgiven_once_reported() {
        assert_eq!(judged(r#", "extra": {"a": NaN}"#, false), expect(&["E004 @ /meta"], true));
        assert_eq!(judged_text("[NaN]", false), expect(&["E004 @ /meta", "E004 @ /meta"], false));
    }

    #[test]
    fn a_flaw_of_its_own_code_comes_beside_the_structure() {
        let set = r#", "label_set": {"id": "l", "version": "1", "form": "inline", "classes": [{"id": 0, "key": "a", "name": "A"}]}"#;
        assert_eq!(
            judged(set, false),
            expect(&["E005 @ /meta#label_set/classes/0/id", "E303 @ /meta"], false)
        );
    }

    #[test]
    fn only_the_first_flaw_is_reported() {
        let text = format!(
            r#"{{{IDENTITY}, "timepoints": [{{"id": "t", "index": 0, "date": "x"}}, {{"id": "t", "index": 0}}]}}"#
        );
        assert_eq!(judged_text(&text, false), expect(&["E604 @ /meta"], false));
    }

    #[test]
    fn what_a_later_version_adds_is_set_aside() {
        let activity = |kind: &str| {
            format!(
                r#", "provenance": {{"agents": [{{"id": "a", "type": "{kind}", "name": "A"}}], "activities": []}}"#
            )
        };
        let role = r#", "new": {}, "quality": {"q": {"status": "draft", "extra": 1}}"#;
        assert_eq!(
            judged(role, true),
            expect(&["W913 @ /meta#<root>", "W913 @ /meta#quality/q"], true)
        );
        assert_eq!(
            judged(&activity("robot"), true),
            expect(&["W913 @ /meta#provenance/agents/0/type", "W913 @ /meta"], false)
        );
        assert_eq!(
            judged(&activity("robot"), false),
            expect(&["E005 @ /meta#provenance/agents/0/type", "E603 @ /meta"], false)
        );
    }
}

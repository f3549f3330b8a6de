//! Provenance, quality records and de-identification.

use crate::ReadError;
use crate::attributes::Attributes;
use crate::document::Document;
use crate::validate::{Context, Findings, Level, Located, Rule, codes};

pub(in crate::validate) const RULE: Rule = Rule::new("check_curation", Level::Semantic, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(document) = &context.document else { return Ok(()) };
    agents(document, out);
    deidentification(document, out);
    for annotation in context.sample.annotations()? {
        activity(document, annotation.attributes(), annotation.location(), out)?;
        quality(document, annotation.attributes(), "quality", annotation.location(), out)?;
        is_judged(context, annotation.attributes(), annotation.location(), out)?;
    }
    for image in context.sample.images()? {
        activity(document, image.attributes(), image.location(), out)?;
        quality(document, image.attributes(), "quality", image.location(), out)?;
    }
    for transform in context.sample.transforms()? {
        activity(document, transform.attributes(), transform.location(), out)?;
        quality(document, transform.attributes(), "metrics", transform.location(), out)?;
    }
    Ok(())
}

/// E605: an activity was done by a declared agent.
fn agents(document: &Document, out: &mut Findings) {
    let provenance = &document.provenance;
    for activity in &provenance.activities {
        if let Some(agent) = &activity.agent
            && provenance.agent(agent).is_none()
        {
            let location = format!("/meta#provenance/activities/{}", activity.id);
            out.report(codes::E605, location, format!("no agent {agent:?} is declared"));
        }
    }
}

/// W903: the document says how the sample was de-identified.
fn deidentification(document: &Document, out: &mut Findings) {
    if document.deidentification.is_none() {
        out.report(codes::W903, "/meta#deidentification", "no record of de-identification");
    }
}

/// E601: an object was made by a declared activity.
fn activity(
    document: &Document,
    attributes: &Attributes,
    location: &str,
    out: &mut Findings,
) -> Result<(), ReadError> {
    if let Some(prov) = attributes.text("prov")?
        && document.provenance.activity(&prov).is_none()
    {
        out.report(codes::E601, location, format!("no activity {prov:?} is declared"));
    }
    Ok(())
}

/// E602: the judgement that an object names is in the document.
fn quality(
    document: &Document,
    attributes: &Attributes,
    attribute: &str,
    location: &str,
    out: &mut Findings,
) -> Result<(), ReadError> {
    if let Some(record) = attributes.text(attribute)?
        && !document.quality.contains_key(&record)
    {
        let message = format!("`{attribute}` names no quality record: {record:?}");
        out.report(codes::E602, location, message);
    }
    Ok(())
}

/// E009: under the profile `curation`, every annotation has been judged.
fn is_judged(
    context: &Context<'_>,
    attributes: &Attributes,
    location: &str,
    out: &mut Findings,
) -> Result<(), ReadError> {
    if context.holds("curation") && !attributes.has("quality")? {
        out.report(codes::E009, location, "no `quality`, which the profile curation needs");
    }
    Ok(())
}

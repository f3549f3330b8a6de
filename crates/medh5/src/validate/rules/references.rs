//! Annotations that other objects name.

use crate::ReadError;
use crate::attributes::Attributes;
use crate::sample::Chapter;
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule = Rule::new("check_references", Level::Semantic, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    for annotation in context.sample.annotations()? {
        mask(context, annotation.attributes(), "ignore_mask", annotation.path(), out)?;
        sources(context, annotation.attributes(), annotation.path(), out)?;
    }
    for image in context.sample.images()? {
        mask(context, image.attributes(), "valid_mask", image.path(), out)?;
    }
    Ok(())
}

/// E413: a mask is an annotation of that kind, on the same grid. It is named plainly, not by a path.
fn mask(
    context: &Context<'_>,
    attributes: &Attributes,
    attribute: &str,
    location: &str,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some(name) = attributes.text(attribute)? else { return Ok(()) };
    let Some(mask) = context.sample.annotation(&name)? else {
        let message = format!("`{attribute}` names no annotation: {name:?}");
        out.report(codes::E413, location, message);
        return Ok(());
    };
    let kind = mask.kind_name()?.unwrap_or_default();
    let grids = attributes.text("grid")?.zip(mask.grid_reference()?);
    if kind != "mask" {
        let message = format!("`{attribute}` names {name:?}, which is of kind {kind:?}");
        out.report(codes::E413, location, message);
    } else if let Some((own, other)) = grids
        && own != other
    {
        let message = format!("`{attribute}` names {name:?} on grid {other:?}, not on {own:?}");
        out.report(codes::E413, location, message);
    }
    Ok(())
}

/// E413: what an annotation was derived from are annotations.
fn sources(
    context: &Context<'_>,
    attributes: &Attributes,
    location: &str,
    out: &mut Findings,
) -> Result<(), ReadError> {
    for source in attributes.strings("derived_from")?.unwrap_or_default() {
        let name = source.strip_prefix("annotations/").unwrap_or(&source);
        if context.sample.child(Chapter::Annotations, name)?.is_none() {
            let message = format!("`derived_from` names no annotation: {source:?}");
            out.report(codes::E413, location, message);
        }
    }
    Ok(())
}

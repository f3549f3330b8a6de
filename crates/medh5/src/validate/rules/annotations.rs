//! Annotations, one by one.

mod classification;
mod coverage;
mod curves;
mod datasets;
mod declarations;
mod geometric;
mod instances;
mod subject;
mod voxels;

use subject::Subject;

use crate::ReadError;
use crate::annotations::{AnnotationView, Family, Kind};
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule = Rule::new("check_annotations", Level::Structural, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let annotations = context.sample.annotations()?;
    out.each(&annotations, |view, out| check_annotation(context, view, out))
}

fn check_annotation(
    context: &Context<'_>,
    view: &AnnotationView,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some(kind) = kind(context, view, out)? else { return Ok(()) };
    let mut subject = Subject::of(context, view, kind)?;
    declarations::check(&subject, out)?;
    datasets::check(&mut subject, out)?;
    voxels::check(&subject, out)?;
    datasets::dtypes(&subject, out)?;
    datasets::class_columns(&subject, out)?;
    match kind.family() {
        Family::Geometric => geometric::check(&subject, out)?,
        Family::Classification => classification::check(&subject, out)?,
        Family::Voxel => {}
    }
    coverage::check(&subject, out)
}

/// E412, E401: a kind that the file's version defines.
fn kind(
    context: &Context<'_>,
    view: &AnnotationView,
    out: &mut Findings,
) -> Result<Option<Kind>, ReadError> {
    let Some(name) = view.kind_name()? else {
        out.report(codes::E412, view.path(), "no `kind`");
        return Ok(None);
    };
    let newest = context.is_projection || context.version.is_none();
    let is_defined = |kind: &Kind| {
        newest || context.version.is_some_and(|(_, minor)| kind.since_minor() <= minor)
    };
    let kind = Kind::parse(&name).filter(is_defined);
    if kind.is_none() {
        let message = format!("`kind` is {name:?}, which this version does not define");
        out.report(context.unless_projection(codes::E401), view.path(), message);
    }
    Ok(kind)
}

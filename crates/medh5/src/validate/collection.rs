//! Validates a collection: its root, then each of its samples by itself.

use hdf5::Object;

use super::file::judge_sample;
use super::report::Checked;
use super::version::{Standing, Version};
use super::{Findings, Options, codes};
use crate::ReadError;
use crate::attributes::Attributes;
use crate::names::is_sample_key;
use crate::parallel::in_order;
use crate::sample::{ChapterState, Collection, Member, Sample, Walk};

/// The findings about a collection and its samples, and the samples that were looked at.
pub(super) fn judge_collection(
    collection: &Collection,
    walk: &Walk,
    options: &Options<'_>,
) -> Result<(Findings, Checked), ReadError> {
    let mut out = Findings::limited_to(options.limits.max_findings);
    let version = Version::read(collection.attributes())?;
    version.judge(&mut out);
    let members = match version.standing() {
        Standing::Unsupported => Vec::new(),
        _ => members(collection, &mut out)?,
    };
    for member in &members {
        check_member(member, &version, &mut out)?;
    }
    let mut samples = Vec::new();
    for (prefix, findings) in judge_members(&members, walk, options)?.into_iter().flatten() {
        out.append_below(&prefix, findings);
        samples.push(prefix.trim_end_matches(':').to_owned());
    }
    Ok((out, Checked::Collection { samples }))
}

/// E008: the collection holds samples.
fn members(collection: &Collection, out: &mut Findings) -> Result<Vec<Member>, ReadError> {
    if !matches!(collection.samples()?, ChapterState::Group(_)) {
        out.report(codes::E008, "/samples", "a collection keeps its samples in a group here");
        return Ok(Vec::new());
    }
    let members = collection.members()?;
    if members.is_empty() {
        out.report(codes::E008, "/samples", "the collection holds no sample");
    }
    Ok(members)
}

/// E003, E001, E011, E007, E010: what the collection asks of a member, before it is looked into.
fn check_member(member: &Member, outer: &Version, out: &mut Findings) -> Result<(), ReadError> {
    let Member { name, path, .. } = member;
    if !is_sample_key(name) {
        out.report(codes::E003, path, format!("{name:?} is no sample key"));
    }
    let Some(child) = member.child() else {
        out.report(codes::E001, path, "leads to neither a group nor a dataset");
        return Ok(());
    };
    version(child.attributes(), path, outer, out)?;
    if !child.attributes().has("medh5_profiles")? {
        out.report(codes::E007, path, "the sample has no `medh5_profiles`");
    }
    if !child.attributes().has("content_id")? {
        out.report(codes::E010, path, "the sample has no `content_id`");
    }
    Ok(())
}

/// E011: the collection's version, if it has one, is not below the member's.
fn version(
    member: &Attributes,
    path: &str,
    outer: &Version,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let own = Version::read(member)?.numbers();
    let Some((own, stated)) = own.zip(outer.text.as_deref()) else { return Ok(()) };
    if outer.numbers().is_none_or(|outer| outer < own) {
        let (major, minor) = own;
        let message = format!("version {major}.{minor}, the collection declares {stated:?}");
        out.report(codes::E011, path, message);
    }
    Ok(())
}

/// The member as a sample, if it is a group.
fn sample(member: &Member, walk: &Walk) -> Option<Sample> {
    let Some(Object::Group(root)) = &member.object else { return None };
    let sample = Sample::new(root.clone(), Some(&member.name));
    Some(match walk.below(root) {
        Some(own) => sample.with_walk(own),
        None => sample,
    })
}

/// The findings about each member that is a sample, with what goes before their locations. A sample is gone once it is judged:
/// what it had read would add up over thousands.
fn judge_members(
    members: &[Member],
    walk: &Walk,
    options: &Options<'_>,
) -> Result<Vec<Option<(String, Findings)>>, ReadError> {
    in_order(members, |member| {
        let Some(sample) = sample(member, walk) else { return Ok(None) };
        Ok(Some((sample.prefix(), judge_sample(&sample, options)?.findings)))
    })
}

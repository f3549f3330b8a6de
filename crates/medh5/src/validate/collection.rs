//! Validates a collection: its root, then each of its samples by itself.

use hdf5::{Group, Link, LinkTarget, Object};

use super::file::{is_judged, judge_sample};
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
    options: &Options<'_>,
) -> Result<(Findings, Checked), ReadError> {
    match judge_side_by_side(collection, options) {
        Err(error) if !error.is_interruption() => {
            // Of several things that are wrong, the first on the way through the file is told.
            Walk::of(collection.root())?;
            Err(error)
        }
        judged => judged,
    }
}

fn judge_side_by_side(
    collection: &Collection,
    options: &Options<'_>,
) -> Result<(Findings, Checked), ReadError> {
    let mut out = Findings::limited_to(options.limits.max_findings);
    let version = Version::read(collection.attributes())?;
    version.judge(&mut out);
    let judge = Judge {
        version: &version,
        is_supported: version.standing() != Standing::Unsupported,
        options,
        walks: walk_around_members(collection)?,
    };
    let mut members = Vec::new();
    if let ChapterState::Group(samples) = collection.samples()? {
        members = judge.members(&samples, &mut out)?;
    } else if judge.is_supported {
        out.report(codes::E008, "/samples", "a collection keeps its samples in a group here");
    }
    let mut samples = Vec::new();
    for (prefix, findings) in members {
        out.append_below(&prefix, findings);
        samples.push(prefix.trim_end_matches(':').to_owned());
    }
    Ok((out, Checked::Collection { samples }))
}

/// Walks everything but the members, and says whether these are still to be walked: they are out of reach where no hard link
/// leads to their group.
fn walk_around_members(collection: &Collection) -> Result<bool, ReadError> {
    let root = collection.root();
    let is_hard =
        root.link("samples")?.is_some_and(|link| matches!(link.target, LinkTarget::Hard(_)));
    let walks = is_hard && matches!(collection.samples()?, ChapterState::Group(_));
    if walks {
        Walk::without(root, "samples")?
    } else {
        Walk::of(root)?
    };
    Ok(walks)
}

/// Judges members, each by itself.
struct Judge<'a> {
    version: &'a Version,
    /// Whether samples of a collection of this version can be judged.
    is_supported: bool,
    options: &'a Options<'a>,
    /// Whether members must stand alone.
    walks: bool,
}

/// What was found in a sample, and what goes before the locations.
type InSample = (String, Findings);

impl Judge<'_> {
    /// What was found in each member that is a sample; what the collection asks of members is added to `out`.
    fn members(&self, samples: &Group, out: &mut Findings) -> Result<Vec<InSample>, ReadError> {
        let links = samples.links()?;
        if links.is_empty() && self.is_supported {
            out.report(codes::E008, "/samples", "the collection holds no sample");
        }
        let judged = in_order(&links, |link| self.member(samples, link))?;
        let mut found = Vec::with_capacity(judged.len());
        for (standing, sample) in judged {
            out.append(standing);
            found.extend(sample);
        }
        Ok(found)
    }

    /// Nothing of the member is kept: what was read would add up over thousands.
    fn member(
        &self,
        samples: &Group,
        link: &Link,
    ) -> Result<(Findings, Option<InSample>), ReadError> {
        let member = Member::of(samples, "/samples", link)?;
        let sample = self.sample(&member, link)?;
        let mut standing = Findings::limited_to(self.options.limits.max_findings);
        if !self.is_supported {
            return Ok((standing, None));
        }
        check_member(&member, self.version, &mut standing)?;
        let Some(sample) = sample else { return Ok((standing, None)) };
        let judged = judge_sample(&sample, self.options)?;
        Ok((standing, Some((sample.prefix(), judged.findings))))
    }

    /// The member as a sample, if it is a group. What was judged by an earlier call is not walked again.
    fn sample(&self, member: &Member, link: &Link) -> Result<Option<Sample>, ReadError> {
        let sample = match &member.object {
            Some(Object::Group(root)) => Some(Sample::new(root.clone(), Some(&member.name))),
            _ => None,
        };
        if !self.walks || sample.as_ref().is_some_and(|sample| is_judged(sample, self.options)) {
            return Ok(sample);
        }
        Ok(match (sample, Walk::of_member(member, link)?) {
            (Some(sample), Some(walk)) => Some(sample.with_walk(walk)),
            (sample, _) => sample,
        })
    }
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

//! The container: version, kind, profiles and the groups of the layout.

use crate::ReadError;
use crate::names::is_member_name;
use crate::sample::{Chapter, ChapterState, Member};
use crate::validate::version::{Standing, Version};
use crate::validate::{Context, Findings, Level, Rule, codes, is_profile};

pub(in crate::validate) const RULE: Rule = Rule::new("check_container", Level::Structural, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let version = Version::read(context.sample.attributes())?;
    version.judge(out);
    if version.standing() == Standing::Unsupported {
        return Ok(());
    }
    kind(context, out)?;
    profiles(context, out)?;
    for chapter in Chapter::ALL {
        group(context, chapter, out)?;
        for member in context.sample.members(chapter)? {
            name(member, out);
            target(member, out);
        }
    }
    Ok(())
}

/// E006: the kind of file is one that the format has. A member of a collection may call itself one.
fn kind(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    match context.sample.attributes().text("medh5_kind")?.as_deref() {
        Some("sample" | "collection") => {}
        Some(other) => out.report(codes::E006, "/", format!("unknown `medh5_kind` {other:?}")),
        None => out.report(codes::E006, "/", "there is no `medh5_kind`"),
    }
    Ok(())
}

/// E007: the profiles are stated and known.
fn profiles(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(declared) = context.sample.attributes().strings("medh5_profiles")? else {
        out.report(codes::E007, "/", "there is no `medh5_profiles`");
        return Ok(());
    };
    let unknown: Vec<_> = declared.iter().filter(|profile| !is_profile(profile)).collect();
    if !unknown.is_empty() {
        let code = context.unless_projection(codes::E007);
        out.report(code, "/", format!("unknown profiles: {unknown:?}"));
    }
    Ok(())
}

/// E008: the groups of the layout are groups, and those without which there is no sample exist.
fn group(context: &Context<'_>, chapter: Chapter, out: &mut Findings) -> Result<(), ReadError> {
    let location = format!("/{}", chapter.name());
    match context.sample.chapter(chapter)? {
        ChapterState::NotAGroup => out.report(codes::E008, location, "not a group"),
        ChapterState::Absent if matches!(chapter, Chapter::Grids | Chapter::Images) => {
            out.report(codes::E008, location, "every sample has this group");
        }
        ChapterState::Group(_) | ChapterState::Absent => {}
    }
    Ok(())
}

/// E003: a member's name is an identifier.
fn name(member: &Member, out: &mut Findings) {
    if !is_member_name(&member.name) {
        out.report(codes::E003, &member.path, format!("{:?} may not name a member", member.name));
    }
}

/// E001: a member is a group or a dataset.
fn target(member: &Member, out: &mut Findings) {
    if member.child().is_none() {
        out.report(codes::E001, &member.path, "leads to neither a group nor a dataset");
    }
}

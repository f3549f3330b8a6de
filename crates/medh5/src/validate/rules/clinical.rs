//! The clinical profile: its place, its descriptor and the encoding of its tables.

use hdf5::{Group, Object};

use crate::ReadError;
use crate::attributes::Attributes;
use crate::clinical::{CLINICAL, DOCUMENTS, EVENTS, LINKS, Problem, is_recognised, judge};
use crate::sample::{ChapterState, Walk};
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule = Rule::new("check_clinical", Level::Structural, check);

/// The first version that has the profile.
const FIRST_VERSION: (u32, u32) = (1, 1);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(clinical) = place(context, out)? else { return Ok(()) };
    attributes(context, &clinical, out)?;
    unknown_members(context, &clinical, out)?;
    descriptor(context, &clinical, out)?;
    tables(context, out)
}

/// E009, E803: the profile is declared where there is clinical content, and only there. The content, if it is to be judged.
fn place(context: &Context<'_>, out: &mut Findings) -> Result<Option<Group>, ReadError> {
    let is_held = context.holds(CLINICAL);
    let is_modern = context.version.is_some_and(|version| version >= FIRST_VERSION);
    let state = ChapterState::of(context.sample.root(), CLINICAL)?;
    let ChapterState::Group(clinical) = state else {
        if is_held {
            out.report(codes::E009, "/", "the profile `clinical` needs a group `clinical`");
        } else if is_modern && matches!(state, ChapterState::NotAGroup) {
            let message = "clinical content, but the profile `clinical` is not declared";
            out.report(codes::E803, "/clinical", message);
        }
        return Ok(None);
    };
    let declared = context.sample.attributes().strings("medh5_profiles")?.unwrap_or_default();
    let is_declared = declared.iter().any(|profile| profile == CLINICAL);
    if !is_declared && (is_modern || is_recognised(&clinical)?) {
        let message = "clinical content, but the profile `clinical` is not declared";
        out.report(codes::E803, "/clinical", message);
    }
    if !is_held {
        return Ok(None);
    }
    if !is_modern {
        out.report(codes::E009, "/", "the profile `clinical` needs version 1.1 or later");
    }
    Ok(Some(clinical))
}

/// E819, W913: facts are in columns; the only attribute is the digest of a dataset.
fn attributes(
    context: &Context<'_>,
    clinical: &Group,
    out: &mut Findings,
) -> Result<(), ReadError> {
    for visit in Walk::of(clinical)?.visits() {
        let is_dataset = matches!(visit.object, Object::Dataset(_));
        let separator = if visit.path.is_empty() { "" } else { "/" };
        let attributes = Attributes::of(visit.object.clone());
        for attribute in attributes.list()? {
            if is_dataset && attribute.name == "digest" {
                continue;
            }
            let location = format!("/{CLINICAL}{separator}{}@{}", visit.path, attribute.name);
            let code = context.unless_projection(codes::E819);
            out.report(code, location, "the clinical profile defines no such attribute");
        }
    }
    Ok(())
}

/// E804, W913: members other than the descriptor and the tables.
fn unknown_members(
    context: &Context<'_>,
    clinical: &Group,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let known = ["meta", EVENTS.name, DOCUMENTS.name, LINKS.name];
    for link in clinical.links()?.iter() {
        let name = link.name();
        if !known.contains(&name.as_ref()) {
            let code = context.unless_projection(codes::E804);
            let message = format!("the clinical profile has {}", known.join(", "));
            out.report(code, format!("/{CLINICAL}/{name}"), message);
        }
    }
    Ok(())
}

/// E801, E802, W913: the descriptor is canonical JSON and follows its schema.
fn descriptor(
    context: &Context<'_>,
    clinical: &Group,
    out: &mut Findings,
) -> Result<(), ReadError> {
    report_all(context, &judge(clinical, context.is_projection)?.problems, out);
    Ok(())
}

/// E009, E804 to E808, W913: the tables follow their encoding, and there is an event.
fn tables(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(history) = context.sample.history()? else { return Ok(()) };
    report_all(context, &history.problems, out);
    for table in history.tables() {
        report_all(context, &table.problems, out);
    }
    if let Some(events) = history.event_table()
        && events.rows() == 0
        && events.problems.is_empty()
    {
        out.report(codes::E009, "/clinical/events", "no event");
    }
    Ok(())
}

fn report_all(context: &Context<'_>, problems: &[Problem], out: &mut Findings) {
    for problem in problems {
        let code = if problem.may_be_newer {
            context.unless_projection(problem.code)
        } else {
            problem.code
        };
        out.report(code, &problem.location, &problem.message);
    }
}

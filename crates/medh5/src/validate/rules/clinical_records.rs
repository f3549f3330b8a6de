//! Clinical events, documents and links: what their rows say.

mod assessments;
mod documents;
mod events;
mod links;
mod owners;
mod revisions;
mod spans;
mod surroundings;

use crate::ReadError;
use crate::clinical::{CLINICAL, ClockReference, History, judge};
use crate::sample::ChapterState;
use crate::validate::{Context, Findings, Level, Rule, codes};
use surroundings::Surroundings;

pub(in crate::validate) const RULE: Rule =
    Rule::new("check_clinical_records", Level::Semantic, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let Some(history) = sound_history(context)? else { return Ok(()) };
    let surroundings = Surroundings::of(context, history)?;
    clock(context, out)?;
    events::check(context, &surroundings, out);
    documents::check(context, history, out);
    links::check(context, &surroundings, out)?;
    owners::check(&surroundings, out);
    revisions::check(&surroundings, out);
    assessments::check(history, out);
    Ok(())
}

/// The tables, if the profile is held and all of them can be taken at their word.
fn sound_history<'a>(context: &'a Context<'_>) -> Result<Option<&'a History>, ReadError> {
    if !context.holds(CLINICAL) {
        return Ok(None);
    }
    let is_sound = |history: &&History| {
        history.event_table().is_some()
            && history
                .tables()
                .flat_map(|table| &table.problems)
                .all(|problem| problem.may_be_newer && context.is_projection)
    };
    Ok(context.sample.history()?.filter(is_sound))
}

/// E802: a clock that hides dates is one of a de-identified sample.
fn clock(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let state = ChapterState::of(context.sample.root(), CLINICAL)?;
    let ChapterState::Group(clinical) = state else { return Ok(()) };
    let judged = judge(&clinical, context.is_projection)?;
    let is_shifted = judged
        .descriptor
        .is_some_and(|descriptor| descriptor.reference == ClockReference::ShiftedUtc);
    let is_deidentified =
        context.document.as_ref().is_none_or(|document| document.deidentification.is_some());
    if is_shifted && !is_deidentified {
        let message = "a clock of `shifted_utc`, but no record of de-identification";
        out.report(codes::E802, "/clinical/meta", message);
    }
    Ok(())
}

/// Where findings about a row are: by its id, or by its number when it has none.
fn row_location(table: &str, id: &str, row: usize) -> String {
    if id.is_empty() {
        format!("/{CLINICAL}/{table}#row={row}")
    } else {
        format!("/{CLINICAL}/{table}#{id}")
    }
}

/// What is wrong with a word of a vocabulary.
fn unknown_word(column: &str, word: &str, vocabulary: &[&str]) -> Option<String> {
    let is_known = vocabulary.contains(&word);
    (!is_known).then(|| format!("`{column}` is `{word}`, not one of {}", vocabulary.join(", ")))
}

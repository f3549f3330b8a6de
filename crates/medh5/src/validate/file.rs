//! Validates a file: a sample, or every sample of a collection.

use std::sync::Arc;

use hdf5::{ByteSource, OpenOptions};

use super::collection::judge_collection;
use super::meter::Meter;
use super::report::{Checked, Report};
use super::run::{Outcome, run};
use super::{Context, Findings, Options, Question, What};
use crate::ReadError;
use crate::sample::{Opened, Sample, open_with};

/// Validates the file whose bytes `source` gives; `path` is its name in the report.
///
/// A bad file is no error: everything that is wrong with it is in the report, and a file that cannot be opened at all has
/// a report that says so.
///
/// # Errors
/// Only interruptions, which say nothing about the file: [`ReadError::File`] when bytes must be fetched first
/// ([`hdf5::SourceError::NotResident`]; then the whole call is repeated), [`ReadError::Stopped`] when the observer asks.
pub fn validate(
    path: &str,
    source: Arc<dyn ByteSource>,
    options: &Options<'_>,
) -> Result<Report, ReadError> {
    within_limits(path, source.len(), options, |options| open_and_report(path, source, options))
}

/// Opens a file for [`validate_opened`]: under the limits and the filters of `options`.
///
/// # Errors
/// [`ReadError::File`] when it cannot be opened, or bytes must be fetched first.
pub fn open_to_validate(
    source: Arc<dyn ByteSource>,
    options: &Options<'_>,
) -> Result<Opened, ReadError> {
    open_with(source, how_to_open(options))
}

/// As [`validate`], for a host that repeats calls: `opened` came of [`open_to_validate`] and keeps what was read of the file of
/// `file_bytes` bytes.
///
/// # Errors
/// As [`validate`].
pub fn validate_opened(
    path: &str,
    opened: &Opened,
    file_bytes: u64,
    options: &Options<'_>,
) -> Result<Report, ReadError> {
    within_limits(path, file_bytes, options, |options| report_on(path, opened, options))
}

/// Validates one member of a collection as a sample of its own; locations start at the member.
///
/// A file that holds no such member is refused like one that cannot be opened.
///
/// # Errors
/// As [`validate`].
pub fn validate_member(
    path: &str,
    source: Arc<dyn ByteSource>,
    key: &str,
    options: &Options<'_>,
) -> Result<Report, ReadError> {
    within_limits(path, source.len(), options, |options| {
        validate_opened_member(path, source, key, options)
    })
}

/// Runs `judge` for as long as the file keeps within its limits. A bad file is a verdict; only an interruption stays an error.
fn within_limits(
    path: &str,
    file_bytes: u64,
    options: &Options<'_>,
    judge: impl FnOnce(&Options<'_>) -> Result<Report, ReadError>,
) -> Result<Report, ReadError> {
    let meter = Meter::new(options.observer, options.limits.decoded_bytes_of(file_bytes));
    let report = judge(&options.clone().observed_by(&meter));
    let report = match meter.excess() {
        Some(excess) if report == Err(ReadError::Stopped) => Err(excess),
        _ => report,
    };
    or_refused(path, options, report)
}

fn or_refused(
    path: &str,
    options: &Options<'_>,
    report: Result<Report, ReadError>,
) -> Result<Report, ReadError> {
    match report {
        Err(error) if !error.is_interruption() => {
            Ok(Report::refused(path, options, &error.sentence()))
        }
        report => report,
    }
}

fn open_and_report(
    path: &str,
    source: Arc<dyn ByteSource>,
    options: &Options<'_>,
) -> Result<Report, ReadError> {
    report_on(path, &open_to_validate(source, options)?, options)
}

fn report_on(path: &str, opened: &Opened, options: &Options<'_>) -> Result<Report, ReadError> {
    match opened {
        Opened::Sample(sample) => report_on_sample(path, sample, options),
        Opened::Collection(collection) => {
            let (findings, checked) = judge_collection(collection, options)?;
            Ok(Report::new(path, options, findings, checked))
        }
    }
}

fn validate_opened_member(
    path: &str,
    source: Arc<dyn ByteSource>,
    key: &str,
    options: &Options<'_>,
) -> Result<Report, ReadError> {
    let Opened::Collection(collection) = open_with(source, how_to_open(options))? else {
        return Err(ReadError::value("this is a sample, it has no members"));
    };
    let no_member = || ReadError::value(format!("the collection has no member `{key}`"));
    report_on_sample(path, &collection.sample(key)?.ok_or_else(no_member)?, options)
}

fn report_on_sample(
    path: &str,
    sample: &Sample,
    options: &Options<'_>,
) -> Result<Report, ReadError> {
    sample.walk()?;
    let judged = judge_sample(sample, options)?;
    let mut report = Report::new(path, options, judged.findings, judged.checked);
    report.profiles = judged.profiles;
    Ok(report)
}

fn how_to_open(options: &Options<'_>) -> OpenOptions {
    OpenOptions {
        limits: options.limits.file.clone(),
        filters: options.filters.clone(),
        ..OpenOptions::default()
    }
}

/// What was found in one sample.
#[derive(Clone)]
pub(super) struct Judged {
    pub(super) findings: Findings,
    pub(super) profiles: Vec<String>,
    pub(super) checked: Checked,
}

/// Runs the rules over one sample, unless the memo has the outcome.
pub(super) fn judge_sample(sample: &Sample, options: &Options<'_>) -> Result<Judged, ReadError> {
    let memo = options.observer.memo();
    if let Some(known) = memo.and_then(|memo| memo.get(&question(sample))) {
        return Ok(known);
    }
    let context = Context::new(sample, options)?;
    let Outcome { findings, rules } = run(&context)?;
    let checked = Checked::Sample { rules, schema_checked: context.schema_checked };
    let judged = Judged { findings, profiles: context.held_profiles, checked };
    if let Some(memo) = memo {
        memo.keep(question(sample), judged.clone());
    }
    Ok(judged)
}

/// Whether the memo has the outcome of [`judge_sample`].
pub(super) fn is_judged(sample: &Sample, options: &Options<'_>) -> bool {
    options.observer.memo().is_some_and(|memo| memo.has(&question(sample)))
}

fn question(sample: &Sample) -> Question {
    Question { address: sample.root().address(), what: What::Sample(sample.prefix()) }
}

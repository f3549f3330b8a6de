//! One input, judged.

use std::sync::Arc;

use hdf5::ByteSource;
use medh5::ReadError;
use medh5::integrity::fingerprint;
use medh5::validate::{self, Checked, Finding, Level, Observer, Options, Report};

use crate::batch::isolate;
use crate::exit::Failure;
use crate::inputs::Input;
use crate::limits::{self, Deadline};
use crate::selection::Selection;
use crate::source;
use report::Verdict;

/// What to ask of every input.
pub(super) struct Judge {
    level: Level,
    profiles: Vec<String>,
    codes_revision: Option<i64>,
    selection: Selection,
    wants_fingerprint: bool,
}

impl Judge {
    /// Checks that the request makes sense, before the first file is opened.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a profile or a revision that does not exist.
    pub(super) fn new(
        level: Level,
        profiles: Vec<String>,
        codes_revision: Option<i64>,
        selection: Selection,
        wants_fingerprint: bool,
    ) -> Result<Self, Failure> {
        let judge = Self { level, profiles, codes_revision, selection, wants_fingerprint };
        judge.options(&validate::Silent)?;
        Ok(judge)
    }

    fn options<'a>(&self, observer: &'a dyn Observer) -> Result<Options<'a>, Failure> {
        let mut options = Options::new(self.level).observed_by(observer);
        options.limits = limits::current();
        for profile in &self.profiles {
            options =
                options.require(profile).map_err(|error| Failure::Usage(error.to_string()))?;
        }
        match self.codes_revision {
            Some(revision) => {
                options.pin(revision).map_err(|error| Failure::Usage(error.to_string()))
            }
            None => Ok(options),
        }
    }

    /// Judges one input; nothing when asked to stop. A file that cannot be read has a verdict that says so.
    pub(super) fn judge(&self, input: &Input, observer: &dyn Observer) -> Option<Verdict> {
        let deadline = Deadline::new(observer);
        // The request was checked when this was made.
        let options = self.options(&deadline).ok()?;
        let name = input.to_string();
        let source = match source::open(&input.path) {
            Ok(source) => Arc::new(source) as Arc<dyn ByteSource>,
            Err(why) => return Some(self.verdict(Report::refused(&name, &options, &why), None)),
        };
        let refused = |why: &str| Report::refused(&name, &options, why);
        let report = match isolate(|| Self::report(&name, input, &source, &options)) {
            Ok(Ok(report)) => report,
            Ok(Err(ReadError::Stopped)) => refused(&deadline.excess()?),
            Ok(Err(error)) => refused(&error.sentence()),
            Err(bug) => refused(&bug),
        };
        Some(self.verdict(report, Some(source.as_ref())))
    }

    fn report(
        name: &str,
        input: &Input,
        source: &Arc<dyn ByteSource>,
        options: &Options<'_>,
    ) -> Result<Report, ReadError> {
        let source = Arc::clone(source);
        match &input.key {
            None => validate::validate(name, source, options),
            Some(key) => validate::validate_member(name, source, key, options),
        }
    }

    fn verdict(&self, report: Report, source: Option<&dyn ByteSource>) -> Verdict {
        // That nothing is known of a file cannot be muted: it would pass for one in order.
        let may_mute = report.checked != Checked::Nothing;
        let mutes = |found: &Finding| may_mute && self.selection.mutes(&report.path, found.code);
        let muted = report.findings.iter().map(mutes).collect();
        let bytes = source.map_or(0, ByteSource::len);
        let fingerprint = source
            .filter(|_| self.wants_fingerprint)
            .and_then(|source| fingerprint(source).ok())
            .map(|fingerprint| fingerprint.to_string());
        Verdict { report, muted, bytes, fingerprint }
    }
}

//! What a rule sees of the sample and of the run.

use super::codes::{self, Code};
use super::version::{Standing, Version};
use super::{Finding, Findings, Level, Memo, Options, Scans, profiles};
use crate::ReadError;
use crate::document::{self, Document, Judged};
use crate::sample::Sample;

/// The sample under judgement, and how it is to be judged.
pub struct Context<'a> {
    /// The sample.
    pub sample: &'a Sample,
    /// How deep the validation goes.
    pub level: Level,
    /// The profiles that the sample declares, as stored.
    pub declared_profiles: Vec<String>,
    /// The declared profiles, then those that the caller asks for.
    pub held_profiles: Vec<String>,
    /// The version as `(major, minor)`; `None` when it is absent or not spelled as one.
    pub version: Option<(u32, u32)>,
    /// Whether the sample is of a later minor version, so that only what this validator knows is judged.
    pub is_projection: bool,
    /// The sample document, where it can be used.
    pub document: Option<Document>,
    /// Whether the structure of the document was judged: `/meta` is a JSON object.
    pub schema_checked: bool,
    /// What is wrong with the document, or why it could not be read.
    pub(super) document_findings: Result<Findings, ReadError>,
    /// What is known of stored elements; starts empty.
    pub scans: Scans,
    /// Hears of progress, and may ask to stop.
    pub observer: &'a dyn Observer,
    /// How many findings of one code are kept.
    pub(super) max_findings: u64,
}

/// The host's side of a long run.
pub trait Observer: Sync {
    /// Whether the host wants the run to end; asked once per slab of data.
    fn should_stop(&self) -> bool {
        false
    }

    /// Whether the host would rather have the call end now and be repeated. Asked only where what was done is kept in
    /// [`Observer::memo`], so that a repeated call goes on from here; the call ends with [`ReadError::Stopped`].
    fn should_pause(&self) -> bool {
        false
    }

    /// What is known of the file so far, if the host repeats calls.
    fn memo(&self) -> Option<&Memo> {
        None
    }

    /// A rule has made these findings; told once, before the call ends. Their locations start at the sample's root, which is
    /// at `prefix` in the file.
    fn found(&self, prefix: &str, findings: &[Finding]) {
        let _ = (prefix, findings);
    }

    /// This many bytes of stored values (decoded) were looked at since the last call.
    fn progress(&self, bytes: u64) {
        let _ = bytes;
    }
}

/// An observer that neither listens nor stops.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

impl<'a> Context<'a> {
    /// Looks at what decides how the sample is judged: version, profiles and document.
    ///
    /// What cannot be read counts as absent here; the rule that reports on it meets the same failure.
    ///
    /// # Errors
    /// Only interruptions.
    pub(super) fn new(sample: &'a Sample, options: &Options<'a>) -> Result<Self, ReadError> {
        let root = sample.attributes();
        let version = or_default(Version::read(root))?;
        let declared = or_default(root.strings("medh5_profiles"))?.unwrap_or_default();
        let is_projection = version.standing() == Standing::Projection;
        let judged = match version.standing() {
            Standing::Unsupported => Ok(Judged::default()),
            _ => document::load(sample, is_projection),
        };
        let Judged { document, schema_checked, .. } = or_default(judged.clone())?;
        Ok(Self {
            sample,
            level: options.level,
            held_profiles: profiles::held(&declared, options.profiles()),
            declared_profiles: declared,
            version: version.numbers(),
            is_projection,
            document,
            schema_checked,
            document_findings: judged.map(|judged| judged.findings),
            scans: Scans::default(),
            observer: options.observer,
            max_findings: options.limits.max_findings,
        })
    }
}

/// The default in place of what cannot be read.
///
/// # Errors
/// Only interruptions.
pub(super) fn or_default<T: Default>(result: Result<T, ReadError>) -> Result<T, ReadError> {
    match result {
        Err(error) if !error.is_interruption() => Ok(T::default()),
        other => other,
    }
}

impl Context<'_> {
    /// Whether the profile is declared or asked for.
    pub fn holds(&self, profile: &str) -> bool {
        self.held_profiles.iter().any(|held| held == profile)
    }

    /// The code for something that a later minor version may have added: `W913` in a projection.
    pub fn unless_projection(&self, code: &'static Code) -> &'static Code {
        if self.is_projection { codes::W913 } else { code }
    }

    /// Tells the host that `bytes` more were looked at, and asks whether to go on. Call it once per slab.
    ///
    /// # Errors
    /// [`ReadError::Stopped`] when the host wants to stop.
    pub fn checkpoint(&self, bytes: u64) -> Result<(), ReadError> {
        checkpoint(self.observer, bytes)
    }
}

/// Ends the call if the host would rather have it repeated. What was done must be kept by now.
///
/// # Errors
/// [`ReadError::Stopped`] when the host wants to pause.
pub(crate) fn pause(observer: &dyn Observer) -> Result<(), ReadError> {
    if observer.should_pause() { Err(ReadError::Stopped) } else { Ok(()) }
}

/// Tells the host that `bytes` more were looked at, and asks whether to go on.
///
/// # Errors
/// [`ReadError::Stopped`] when the host wants to stop.
pub(crate) fn checkpoint(observer: &dyn Observer, bytes: u64) -> Result<(), ReadError> {
    observer.progress(bytes);
    if observer.should_stop() { Err(ReadError::Stopped) } else { Ok(()) }
}

//! What a rule sees of the sample and of the run.

use super::codes::{self, Code};
use super::{Findings, Level, Scans};
use crate::ReadError;
use crate::document::Document;
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
    pub version: Option<(u64, u64)>,
    /// Whether the sample is of a later minor version, so that only what this validator knows is judged.
    pub is_projection: bool,
    /// The sample document, where it can be used.
    pub document: Option<Document>,
    /// What is known of stored elements; starts empty.
    pub scans: Scans,
    /// Hears of progress, and may ask to stop.
    pub observer: &'a dyn Observer,
}

/// The host's side of a long run.
pub trait Observer: Sync {
    /// Whether the host wants the run to end; asked once per slab of data.
    fn should_stop(&self) -> bool {
        false
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

/// Something that findings are reported at.
pub(crate) trait Located: Sync {
    /// The path from the sample's root, such as `/images/CT`.
    fn location(&self) -> &str;
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
        self.observer.progress(bytes);
        if self.observer.should_stop() { Err(ReadError::Stopped) } else { Ok(()) }
    }

    /// Runs `check` on each object, with [`Findings::object`] around it; findings keep the order of the objects.
    ///
    /// # Errors
    /// Only interruptions.
    pub(crate) fn each<T: Located>(
        &self,
        objects: &[T],
        out: &mut Findings,
        check: impl Fn(&T, &mut Findings) -> Result<(), ReadError> + Sync,
    ) -> Result<(), ReadError> {
        for object in objects {
            out.object(object.location(), |out| check(object, out))?;
        }
        Ok(())
    }
}

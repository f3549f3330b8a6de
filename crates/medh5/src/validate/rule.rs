//! A rule: a named check and the level at which it starts to run.

use super::{Context, Findings, Level};
use crate::ReadError;

/// A named check of a sample.
#[derive(Clone, Copy)]
pub struct Rule {
    /// The name that reports list under `checked.rules`.
    pub name: &'static str,
    /// The first level that runs it.
    pub level: Level,
    pub(super) check: Check,
}

/// Looks at a sample and reports. An error that leaves the check costs the rule all its findings but one, `E001 @ /`;
/// [`Findings::object`] and [`Findings::each`] confine it to one object.
pub(crate) type Check = fn(&Context<'_>, &mut Findings) -> Result<(), ReadError>;

impl Rule {
    pub(super) const fn new(name: &'static str, level: Level, check: Check) -> Self {
        Self { name, level, check }
    }
}

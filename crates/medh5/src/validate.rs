//! Judges whether a file follows the format: rules, findings, reports.

pub mod codes;
mod collection;
mod context;
mod file;
mod findings;
mod level;
mod memo;
mod meter;
mod options;
mod profiles;
mod report;
mod rule;
mod rules;
mod run;
mod scan;
mod version;

pub use codes::{Code, Domain, Severity};
use context::or_default;
pub use context::{Context, Observer, Silent};
pub(crate) use context::{checkpoint, pause};
pub use file::{open_to_validate, validate, validate_member, validate_opened};
pub(crate) use findings::Located;
pub use findings::{Finding, Findings};
pub use level::{Level, UnknownLevel};
pub use memo::Memo;
pub(crate) use memo::{Question, What};
pub use options::{Options, OptionsError};
pub use profiles::{PROFILES, is_profile};
pub use report::{Checked, Counts, NoReport, Report, ReportObject, from_json, to_json, to_text};
pub use rule::Rule;
pub(crate) use scan::ElementTest;
#[cfg(feature = "encode")]
pub(crate) use scan::LabelSets;
pub use scan::Scans;
#[cfg(feature = "encode")]
pub(crate) use version::Standing;
pub(crate) use version::Version;

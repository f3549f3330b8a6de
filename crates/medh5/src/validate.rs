//! Judges whether a file follows the format: rules, findings, reports.

pub mod codes;
mod collection;
mod context;
mod file;
mod findings;
mod level;
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
pub(crate) use context::checkpoint;
pub use context::{Context, Observer, Silent};
pub use file::{validate, validate_member};
pub(crate) use findings::Located;
pub use findings::{Finding, Findings};
pub use level::{Level, UnknownLevel};
pub use options::{Options, OptionsError};
pub use profiles::{PROFILES, is_profile};
pub use report::{Checked, Counts, NoReport, Report, failure_to_json, from_json, to_json, to_text};
pub use rule::Rule;
pub(crate) use scan::LabelSets;
pub use scan::Scans;
pub(crate) use version::{Standing, Version};

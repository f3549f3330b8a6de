//! Judges whether a file follows the format: rules, findings, reports.

pub mod codes;
mod context;
mod findings;
mod level;
mod rule;
mod rules;
mod run;
mod scan;

pub use codes::{Code, Domain, Severity};
pub(crate) use context::Located;
pub use context::{Context, Observer, Silent};
pub use findings::{Finding, Findings};
pub use level::{Level, UnknownLevel};
pub use rule::Rule;
pub use scan::Scans;

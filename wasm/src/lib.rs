//! The JavaScript side of MEDH5: converts values and errors, and nothing else.
//!
//! `wasm/js` wraps these exports in the typed API that people use.

mod cohort;
mod error;
mod file;
mod reports;
mod shapes;
mod source;
mod texts;
mod validation;
mod values;

pub use cohort::CoreAudit;
pub use file::CoreFile;
pub use reports::{CoreReport, refused_report};
pub use texts::{codes, explain, version};

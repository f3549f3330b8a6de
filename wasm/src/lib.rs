//! The JavaScript side of MEDH5: converts values and errors, and nothing else.
//!
//! `wasm/js` wraps these exports in the typed API that people use.

mod error;
mod file;
mod source;
mod texts;
mod validation;
mod values;

pub use file::CoreFile;
pub use texts::{codes, explain, version};

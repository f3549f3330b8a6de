//! JSON values, and their strict reading from text.
//!
//! The text is read by `serde_json`, whose limits are the format's: 127 levels, no lone surrogates, no number beyond a
//! double. The values are ours, so that members keep their order in the file and no third-party type is public.

mod read;
pub(crate) mod schema;
mod serialize;
mod value;

pub(crate) use read::parse_with_non_finite;
pub use read::{JsonError, parse};
pub use value::{Map, Number, Value};

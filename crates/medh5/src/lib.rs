//! MEDH5 from the bytes up: samples, collections, and the judgement whether they follow the format.
#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

mod error;
pub mod integrity;
pub mod json;
pub mod sample;
mod slabs;
pub mod validate;

pub use error::ReadError;

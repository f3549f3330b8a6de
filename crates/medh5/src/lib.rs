//! MEDH5 from the bytes up: samples, collections, and the judgement whether they follow the format.
//!
//! [`open`] takes any [`hdf5::ByteSource`] and reads metadata only; voxels are read window by window when asked for.
#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

mod about;
pub mod annotations;
pub mod attributes;
pub mod clinical;
pub mod cohort;
pub mod decimal;
pub mod document;
mod error;
pub mod geometry;
pub mod images;
pub mod index;
pub mod integrity;
pub mod json;
pub mod labels;
mod limits;
pub mod names;
mod parallel;
mod plausible;
pub mod sample;
pub mod sampling;
pub mod storage;
pub mod summary;
mod tiles;
pub mod transforms;
pub mod validate;
pub mod values;
#[cfg(feature = "encode")]
pub mod write;

pub use about::{ABOUT, About};
pub use error::ReadError;
pub use limits::Limits;
pub use sample::{Collection, Opened, Sample, open};

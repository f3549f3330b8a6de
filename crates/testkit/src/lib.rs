//! What tests of every crate share; uses none of our crates, so that it can judge them.

mod bytes;

pub use bytes::Bytes;

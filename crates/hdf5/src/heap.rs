//! Heaps: local (names of old groups), global (variable-length values), fractal (dense links and attributes).
pub(crate) mod fractal;
pub(crate) mod global;
pub(crate) mod local;

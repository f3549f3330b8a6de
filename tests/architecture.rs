//! The project's own rules: which crate may use which, what may be in the tree, what must agree with what.
#![expect(clippy::panic, reason = "a test fails by panicking")]

#[path = "architecture/codes.rs"]
mod codes;
#[path = "architecture/dependencies.rs"]
mod dependencies;
#[path = "architecture/generated.rs"]
mod generated;
#[path = "architecture/source.rs"]
mod source;

//! Files that appear whole or not at all.

mod atomic;

pub use atomic::{NewFile, WriteError};

//! Where things are.

use std::path::{Path, PathBuf};

/// The folder of the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("this package is two folders below the root").to_path_buf()
}

/// Data that the commands make and tests read; never committed.
pub(crate) fn scratch() -> PathBuf {
    root().join("target/scratch")
}

/// The Python environment with the reference: `MEDH5_LITE_VENV`, or `.venv` in the workspace.
pub(crate) fn venv() -> PathBuf {
    std::env::var_os("MEDH5_LITE_VENV").map_or_else(|| root().join(".venv"), PathBuf::from)
}

/// A script of `tests/python`.
pub(crate) fn script(name: &str) -> PathBuf {
    root().join("tests/python").join(name)
}

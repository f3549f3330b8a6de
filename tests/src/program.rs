//! The program of this workspace, as built for tests.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use crate::scratch;

/// Builds it and gives its path; another package's tests do not get that from cargo.
pub fn path() -> PathBuf {
    static PATH: LazyLock<PathBuf> = LazyLock::new(build);
    PATH.clone()
}

fn build() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = ["build", "--quiet", "--locked", "--package", "medh5-lite-cli"];
    let status = Command::new(cargo)
        .args(build)
        .current_dir(scratch::workspace())
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the program does not build");
    let here = std::env::current_exe().expect("a running test has a path");
    let folder = here.ancestors().find(|folder| folder.join("medh5-lite").is_file());
    folder.expect("the program lies above its tests").join("medh5-lite")
}

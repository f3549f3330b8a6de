//! The files that `cargo xtask setup` makes.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of `target/scratch`.
///
/// # Panics
/// When it is missing: tests never skip.
pub fn folder(name: &str) -> PathBuf {
    let path = workspace().join("target/scratch").join(name);
    assert!(path.is_dir(), "{} is missing: run `cargo xtask setup`", path.display());
    path
}

/// The files of a folder whose names contain `part`, sorted by name; never empty.
pub fn files(folder: &Path, part: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder that `folder` found");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| name_of(path).contains(part))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no {part} in {}", folder.display());
    files
}

/// The last part of a path, as text.
pub fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("this package is a folder of the workspace")
        .into()
}

//! Judges that run in Node: packages that `cargo xtask setup` installs in `tests/node`.

use std::ffi::OsStr;
use std::process::Command;

use crate::scratch;

/// Runs a script of `tests/node` and gives what it writes to standard output.
///
/// # Panics
/// When it fails.
pub fn script(name: &str, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let folder = scratch::workspace().join("tests/node");
    let output = Command::new("node").arg(folder.join(name)).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("node: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {said}; has `cargo xtask setup` run?");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

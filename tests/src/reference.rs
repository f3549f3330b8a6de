//! The reference program and scripts of ours beside it, from the Python environment that `cargo xtask setup` makes.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::scratch;

/// Runs the reference with these arguments and gives what it writes to standard output, whatever its exit status.
///
/// # Panics
/// When it is not there.
pub fn medh5(arguments: &[String]) -> Vec<u8> {
    let program = environment().join("bin/medh5");
    let output = Command::new(&program).args(arguments).output();
    output
        .unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask setup`", program.display()))
        .stdout
}

/// Runs a script of `tests/python` and gives what it writes to standard output.
///
/// # Panics
/// When it fails.
pub fn script(name: &str, arguments: &[OsString]) -> String {
    let script = scratch::workspace().join("tests/python").join(name);
    let program = environment().join("bin/python");
    let output = Command::new(&program).arg(script).args(arguments).output();
    let output = output
        .unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask setup`", program.display()));
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn environment() -> PathBuf {
    std::env::var_os("MEDH5_LITE_VENV")
        .map_or_else(|| scratch::workspace().join(".venv"), PathBuf::from)
}

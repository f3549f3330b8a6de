//! The reference program and scripts of ours beside it, from the Python environment that `cargo xtask setup` makes.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

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
    script_with_input(name, arguments, "")
}

/// The same, with something to read from standard input.
///
/// # Panics
/// When it fails.
pub fn script_with_input(name: &str, arguments: &[OsString], input: &str) -> String {
    let script = scratch::workspace().join("tests/python").join(name);
    let program = environment().join("bin/python");
    let mut child = Command::new(&program)
        .arg(script)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask setup`", program.display()));
    let mut stdin = child.stdin.take().expect("it was asked for");
    let output = std::thread::scope(|threads| {
        threads.spawn(move || stdin.write_all(input.as_bytes()));
        child.wait_with_output().expect("a process that was started ends")
    });
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The Python environment with the reference.
pub(crate) fn environment() -> PathBuf {
    std::env::var_os("MEDH5_LITE_VENV")
        .map_or_else(|| scratch::workspace().join(".venv"), PathBuf::from)
}

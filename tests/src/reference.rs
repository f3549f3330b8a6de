//! The reference program, from the Python environment that `cargo xtask setup` makes.

use std::path::PathBuf;
use std::process::Command;

use crate::scratch;

/// Runs the reference with these arguments and gives what it writes to standard output, whatever its exit status.
///
/// # Panics
/// When it is not there.
pub fn medh5(arguments: &[String]) -> Vec<u8> {
    let environment = std::env::var_os("MEDH5_LITE_VENV")
        .map_or_else(|| scratch::workspace().join(".venv"), PathBuf::from);
    let program = environment.join("bin/medh5");
    let output = Command::new(&program).args(arguments).output();
    output
        .unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask setup`", program.display()))
        .stdout
}

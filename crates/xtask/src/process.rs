//! Running other programs.

use std::ffi::OsStr;
use std::process::Command;

use crate::{Failure, workspace};

/// A command that starts in the root of the workspace.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(workspace::root());
    command
}

/// The cargo that runs us.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs to the end with output passed through.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(|error| format!("{}: {error}", shown(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", shown(command))) }
}

/// Runs to the end and gives what it printed, whatever its exit code.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(|error| format!("{}: {error}", shown(command)))?;
    String::from_utf8(output.stdout)
        .map_err(|_| format!("{}: its output is not UTF-8", shown(command)))
}

/// Whether it runs and succeeds; what it prints is dropped.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

fn shown(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().take(6).map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}

/// Installs a package of the system, where that is Debian or alike.
pub(crate) fn install(package: &str) -> Result<(), Failure> {
    println!("installing {package}");
    let install =
        || run(command("apt-get").args(["install", "--yes", "--no-install-recommends", package]));
    install().or_else(|_| run(command("apt-get").arg("update")).and_then(|()| install()))
}

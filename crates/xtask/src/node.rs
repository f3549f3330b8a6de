//! Node, and packages for it: what checks types, bundles the page, and reads HDF5 with another build of libhdf5.

use std::fs;
use std::process::Command;

use crate::process::{command, run};
use crate::{Failure, workspace};

/// Runs a script, from the root of the workspace.
pub(crate) fn script(path: &str) -> Command {
    let mut command = command("node");
    command.arg(path);
    command
}

/// The packages that the lock file of a folder names; nothing is run that they bring along.
pub(crate) fn packages(folder: &str) -> Result<(), Failure> {
    let folder = workspace::root().join(folder);
    let wanted =
        fs::read_to_string(folder.join("package-lock.json")).map_err(|error| error.to_string())?;
    let stamp = folder.join("node_modules/.lock");
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    run(Command::new("npm").current_dir(&folder).args([
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
    ]))?;
    fs::write(&stamp, wanted).map_err(|error| error.to_string())
}

//! The Python environment that holds the reference and libhdf5: the judges from outside.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Failure, process, workspace};

/// The h5py-based writers of the format's first years; each gets a folder of its own inside the environment.
pub(crate) const EARLY_WRITERS: [&str; 2] = ["1.0.0", "1.4.4"];

/// Makes the environment hold exactly what `requirements.txt` says.
pub(crate) fn ensure() -> Result<(), Failure> {
    let venv = workspace::venv();
    if !interpreter().exists() {
        println!("making {}", venv.display());
        process::run(process::command("python3").args(["-m", "venv"]).arg(&venv)).map_err(
            |reason| format!("{reason} (Python 3.11 or later with its venv module is needed)"),
        )?;
    }
    let wanted = read(&workspace::script("requirements.txt"))?;
    let stamp = venv.join("medh5-lite-requirements.txt");
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    process::run(pip().arg("-r").arg(workspace::script("requirements.txt")))?;
    for version in EARLY_WRITERS {
        let folder = early_writer(version);
        let package = format!("medh5=={version}");
        process::run(pip().args(["--no-deps", "--upgrade", "--target"]).arg(folder).arg(package))?;
    }
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// A script of `tests/python`, ready for its arguments.
pub(crate) fn script(name: &str) -> Command {
    let mut command = process::command(interpreter());
    command.arg(workspace::script(name));
    command
}

/// The reference program.
pub(crate) fn reference() -> Command {
    process::command(workspace::venv().join("bin/medh5"))
}

/// The folder that puts an early writer first on Python's path.
pub(crate) fn early_writer(version: &str) -> PathBuf {
    workspace::venv().join("early-writers").join(version)
}

fn interpreter() -> PathBuf {
    workspace::venv().join("bin/python")
}

fn pip() -> Command {
    let mut command = process::command(interpreter());
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

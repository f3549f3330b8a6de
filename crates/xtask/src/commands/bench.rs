//! `bench`: speed against the reference, interleaved on this machine.

use crate::{Failure, process, python, workspace};

pub(super) fn run(arguments: &[String]) -> Result<(), Failure> {
    python::ensure()?;
    let build = [
        "build",
        "--release",
        "--package",
        "medh5-lite-cli",
        "--package",
        "medh5-lite-tests",
        "--bins",
    ];
    process::run(process::cargo().args(build))?;
    let folder = workspace::scratch().join("bench");
    let programs = workspace::root().join("target/release");
    let table = workspace::root().join("spec/benchmarks.md");
    process::run(python::script("bench.py").arg(folder).arg(programs).arg(table).args(arguments))
}

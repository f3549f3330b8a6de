//! `bench`: speed against the reference, interleaved on this machine; then in a browser, against h5wasm. `bench --browser` does
//! only the latter, with the samples of an earlier run.

use super::web;
use crate::{Failure, process, python, workspace};

pub(super) fn run(arguments: &[String]) -> Result<(), Failure> {
    let own = "--browser";
    if !arguments.iter().any(|argument| argument == own) {
        programs(arguments)?;
    }
    let arguments: Vec<_> = arguments.iter().filter(|argument| *argument != own).collect();
    let folder = workspace::scratch().join("bench");
    let program = workspace::root().join("target/release/medh5-lite");
    web::bench(|command| command.arg(folder).arg(program).arg(table()).args(arguments))
}

/// Where the figures go.
fn table() -> std::path::PathBuf {
    workspace::root().join("spec/benchmarks.md")
}

fn programs(arguments: &[String]) -> Result<(), Failure> {
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
    process::run(python::script("bench.py").arg(folder).arg(programs).arg(table()).args(arguments))
}

//! `differential`: mutants of valid files, judged by the reference and by us.

use super::setup;
use crate::{Failure, process, python, workspace};

pub(super) fn run(arguments: &[String]) -> Result<(), Failure> {
    setup::run(&[])?;
    let folder = workspace::scratch().join("mutants-all");
    let suite = workspace::scratch().join("suite");
    process::run(python::script("mutate.py").arg(&folder).arg(suite).args(arguments))?;
    let test = [
        "test",
        "--release",
        "--package",
        "medh5-lite-tests",
        "--test",
        "differential",
        "--",
        "--nocapture",
    ];
    process::run(process::cargo().args(test).env("MEDH5_LITE_MUTANTS", folder))
}

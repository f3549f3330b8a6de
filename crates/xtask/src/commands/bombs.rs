//! `bombs`: what the worst files cost the program as released.

use super::setup;
use crate::{Failure, process, workspace};

pub(super) fn run(_: &[String]) -> Result<(), Failure> {
    setup::run(&[])?;
    let build = ["build", "--release", "--package", "medh5-lite-cli", "--locked"];
    process::run(process::cargo().args(build))?;
    let program = workspace::root().join("target/release/medh5-lite");
    let test =
        ["test", "--package", "medh5-lite-tests", "--test", "bombs", "a_bomb", "--", "--nocapture"];
    process::run(process::cargo().args(test).env("MEDH5_LITE_PROGRAM", program))
}

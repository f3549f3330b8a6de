//! `bless`: writes again what is generated from the code. The test that compares them also knows how to write them.

use crate::{Failure, process};

pub(super) fn run(_: &[String]) -> Result<(), Failure> {
    let test =
        ["test", "--package", "medh5-lite-tests", "--test", "architecture", "--", "generated"];
    process::run(process::cargo().args(test).env("MEDH5_LITE_BLESS", "1"))
}

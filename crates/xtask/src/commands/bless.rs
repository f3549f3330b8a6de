//! `bless`: writes again what is generated from the code. The test that compares them also knows how to write them.

use crate::{Failure, process};

pub(super) fn run(_: &[String]) -> Result<(), Failure> {
    let package = ["test", "--package", "medh5-lite-tests"];
    for test in [&["--test", "architecture", "--", "generated"][..], &["--test", "cli"]] {
        let mut cargo = process::cargo();
        process::run(cargo.args(package).args(test).env("MEDH5_LITE_BLESS", "1"))?;
    }
    Ok(())
}

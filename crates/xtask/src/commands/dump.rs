//! `dump FILE`: every HDF5 structure with its offset, by the program's own command.

use crate::{Failure, process};

pub(super) fn run(arguments: &[String]) -> Result<(), Failure> {
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let program = ["run", "--quiet", "--package", "medh5-lite-cli", "--", "dump"];
    process::run(process::cargo().args(program).args(arguments).current_dir(here))
}

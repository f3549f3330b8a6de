//! The program `medh5-lite`: arguments, progress and output forms around the crate `medh5`.

mod about;
mod commands;
mod config;
mod exit;
mod inputs;
mod output;
mod page;
mod selection;
mod terminal;
mod verdict;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::run()
}

//! The program `medh5-lite`: arguments, progress and output forms around the crate `medh5`.

mod arrays;
mod batch;
mod class;
mod commands;
mod config;
mod each;
mod exit;
mod inputs;
mod interrupt;
mod limits;
mod npy;
mod os_text;
mod output;
mod page;
mod progress;
mod report_file;
mod rewriting;
mod samples;
mod selection;
mod source;
mod table;
mod target;
mod terminal;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::run()
}

//! The project's own commands. `cargo xtask` alone lists them; each is one file in `commands/`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command talks to the person who ran it"
)]

mod commands;
mod node;
mod process;
mod python;
mod scratch;
mod workspace;

use std::process::ExitCode;

use commands::{ALL, Command};

/// A failure, as the sentence that is shown.
type Failure = String;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    match ALL.iter().find(|command| command.name == name) {
        Some(command) => finish((command.run)(&rest)),
        None => usage(&name),
    }
}

fn finish(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("xtask: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn usage(name: &str) -> ExitCode {
    if !name.is_empty() {
        eprintln!("xtask: there is no command `{name}`\n");
    }
    println!("cargo xtask COMMAND\n");
    for Command { name, summary, .. } in ALL {
        println!("  {name:<14} {summary}");
    }
    if name.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

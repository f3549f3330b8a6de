//! `completions`: the script that makes a shell complete our commands.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
use crate::exit::{Failure, Outcome};
use crate::terminal::stdout;

/// Prints the completion script for a shell
///
/// For bash: medh5-lite completions bash > ~/.local/share/bash-completion/completions/medh5-lite
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> Result<Outcome, Failure> {
        // Into memory first: the generator panics when its output is closed.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "medh5-lite", &mut script);
        stdout().write_all(&script)?;
        Ok(Outcome::Good)
    }
}

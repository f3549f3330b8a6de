//! `man`: the manual page.

use std::io::Write;

use clap::{Args, CommandFactory};

use super::Cli;
use crate::exit::{Failure, Outcome};
use crate::terminal::stdout;

/// Prints a manual page
///
/// To read it: medh5-lite man validate | man -l -
#[derive(Debug, Args)]
pub(super) struct Man {
    /// The command that the page is about; the whole program if left out
    command: Option<String>,
}

impl Man {
    pub(super) fn run(self) -> Result<Outcome, Failure> {
        let mut program = Cli::command();
        program.build();
        let command = match &self.command {
            None => program,
            Some(name) => program
                .find_subcommand(name)
                .cloned()
                // The title of a page is its file's name: medh5-lite-validate(1).
                .map(|command| command.display_name(format!("medh5-lite-{name}")))
                .ok_or_else(|| Failure::Usage(format!("there is no command `{name}`")))?,
        };
        let mut page = Vec::new();
        let source = concat!("medh5-lite ", env!("CARGO_PKG_VERSION"));
        clap_mangen::Man::new(command).source(source).render(&mut page)?;
        stdout().write_all(&page)?;
        Ok(Outcome::Good)
    }
}

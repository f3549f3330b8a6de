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
                .ok_or_else(|| Failure::Usage(format!("there is no command `{name}`")))?,
        };
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        stdout().write_all(&page)?;
        Ok(Outcome::Good)
    }
}

//! The verbs of the program, one file each.

mod audit;
mod codes;
mod completions;
mod create;
mod dump;
mod explain;
mod fix;
mod index;
mod info;
mod ls;
mod man;
mod meta;
mod pack;
mod recompress;
mod sample;
mod slice;
mod tree;
mod unpack;
mod validate;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::exit::{self, Failure, Outcome};
use crate::limits::LimitArgs;
use crate::terminal::{Color, Terminal, say};

/// Validates and inspects MEDH5 files (.medh5, .medh5c), without HDF5 or Blosc2 libraries.
#[derive(Debug, Parser)]
#[command(name = "medh5-lite", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// When to colour the output
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Nothing on standard error but failures
    #[arg(short, long, global = true)]
    quiet: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes, the same for every output form:
  0    everything in order
  1    a file is not in order, or could not be read
  2    the command line or the configuration makes no sense, for the file that it names either, or no input matched
  130  interrupted, by Ctrl-C or because nobody reads the output any more; what was done until then is reported";

#[derive(Debug, Subcommand)]
enum Command {
    Validate(validate::Validate),
    Audit(audit::Audit),
    Verify(verify::Verify),
    Create(create::Create),
    Fix(fix::Fix),
    Recompress(recompress::Recompress),
    Pack(pack::Pack),
    Unpack(unpack::Unpack),
    Info(info::Info),
    Tree(tree::Tree),
    Meta(meta::Meta),
    Ls(ls::Ls),
    Index(index::Index),
    Sample(sample::SampleCommand),
    Slice(slice::Slice),
    Dump(dump::Dump),
    Explain(explain::Explain),
    Codes(codes::Codes),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Command {
    fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        match self {
            Self::Validate(command) => command.run(terminal),
            Self::Audit(command) => command.run(terminal),
            Self::Verify(command) => command.run(terminal),
            Self::Create(command) => command.run(terminal),
            Self::Fix(command) => command.run(terminal),
            Self::Recompress(command) => command.run(terminal),
            Self::Pack(command) => command.run(terminal),
            Self::Unpack(command) => command.run(terminal),
            Self::Info(command) => command.run(terminal),
            Self::Tree(command) => command.run(terminal),
            Self::Meta(command) => command.run(),
            Self::Ls(command) => command.run(),
            Self::Index(command) => command.run(terminal),
            Self::Sample(command) => command.run(terminal),
            Self::Slice(command) => command.run(terminal),
            Self::Dump(command) => command.run(terminal),
            Self::Explain(command) => command.run(terminal),
            Self::Codes(command) => command.run(terminal),
            Self::Completions(command) => command.run(),
            Self::Man(command) => command.run(),
        }
    }
}

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    let cli = Cli::parse();
    cli.limits.put_in_force();
    let result = cli.command.run(Terminal::new(cli.color, cli.quiet));
    if let Some(message) = result.as_ref().err().and_then(Failure::message) {
        say(&format!("medh5-lite: {message}"));
    }
    exit::code(&result)
}

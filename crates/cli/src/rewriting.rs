//! Many files to be rewritten, in place unless told otherwise: what such commands have in common.

use clap::Args;
use medh5::validate::Observer;
use medh5::write::WriteError;

use crate::batch;
use crate::each::{Finding, Looked, look_into_each};
use crate::exit::{Failure, Outcome};
use crate::inputs::{Input, InputArgs};
use crate::source;
use crate::terminal::Terminal;

/// Which files to rewrite, and how to report.
#[derive(Debug, Args)]
pub(crate) struct RewriteArgs {
    #[command(flatten)]
    inputs: InputArgs,
    /// Only say what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
    /// Threads over all files together; as many as there are processors, if left out
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(batch::JOBS))]
    jobs: Option<u16>,
}

impl RewriteArgs {
    /// The files; no members of collections, which cannot be rewritten alone.
    ///
    /// # Errors
    /// As [`InputArgs::expand`]; [`Failure::Usage`] for a member.
    pub(crate) fn files(&self) -> Result<Vec<Input>, Failure> {
        let inputs = self.inputs.expand()?;
        match inputs.iter().find(|input| input.key.is_some()) {
            Some(member) => Err(Failure::misfit(
                member,
                "a member is rewritten with its collection; name the file",
            )),
            None => Ok(inputs),
        }
    }

    /// Rewrites each of `files`. What fails leaves its file as it was, is reported, and stops no other.
    ///
    /// # Errors
    /// As [`look_into_each`].
    pub(crate) fn each<T: Finding>(
        &self,
        files: &[Input],
        terminal: Terminal,
        rewrite: impl Fn(&Input, &dyn Observer) -> Result<T, WriteError> + Sync,
    ) -> Result<Outcome, Failure> {
        rewrite_each(files, (self.json, self.jobs), terminal, rewrite)
    }
}

/// The same, for commands with arguments of their own.
///
/// # Errors
/// As [`look_into_each`].
pub(crate) fn rewrite_each<T: Finding>(
    files: &[Input],
    (as_json, jobs): (bool, Option<u16>),
    terminal: Terminal,
    rewrite: impl Fn(&Input, &dyn Observer) -> Result<T, WriteError> + Sync,
) -> Result<Outcome, Failure> {
    look_into_each(files, (as_json, jobs), terminal, |input, progress| {
        let name = input.to_string();
        // What is wrong before a byte is read has plain words of its own.
        let done = match source::open(&input.path) {
            Err(why) => Err(why),
            Ok(_) => match rewrite(input, progress) {
                Err(error) if error.is_interruption() => return None,
                Err(error) => Err(error.to_string()),
                Ok(done) => Ok(done),
            },
        };
        let short = |why: String| match why.strip_prefix(&format!("{name}: ")) {
            Some(short) => short.to_owned(),
            None => why,
        };
        Some(vec![Looked { result: done.map_err(short), name }])
    })
}

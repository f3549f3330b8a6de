//! `validate`: does a file follow the format?

mod judge;
mod reports;

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use medh5::validate::{Level, PROFILES};

use crate::batch;
use crate::config::Config;
use crate::exit::{Failure, Outcome};
use crate::inputs::InputArgs;
use crate::interrupt;
use crate::output::{FailOn, Form, GroupBy, Style};
use crate::progress::Progress;
use crate::report_file;
use crate::selection::Selection;
use crate::terminal::Terminal;
use report::Summary;

use judge::Judge;
use reports::Reports;

/// Checks whether files follow the format
///
/// Levels: structural looks at each object by itself; semantic (the default) also at how they fit together and fit the document;
/// integrity also compares the stored data with their digests; strict counts warnings as errors.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch on the command line")]
pub(super) struct Validate {
    #[command(flatten)]
    inputs: InputArgs,
    /// How deep to look: structural, semantic, integrity or strict [default: semantic]
    #[arg(long, value_parser = level)]
    level: Option<Level>,
    /// Hold the files to this profile too, beside those they declare; repeatable
    #[arg(long = "profile", value_name = "PROFILE", value_parser = profiles())]
    profiles: Vec<String>,
    /// Report only codes that this revision of the code table knows, so that a strict verdict does not move with an upgrade
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    codes_revision: Option<i64>,
    /// Only codes that begin like this count; the others are suppressed, still exported and counted; repeatable
    #[arg(long, value_name = "PREFIX", value_delimiter = ',')]
    select: Vec<String>,
    /// Codes that begin like this are suppressed; repeatable
    #[arg(long, value_name = "PREFIX", value_delimiter = ',')]
    ignore: Vec<String>,
    /// What makes the exit code 1 [default: error]
    #[arg(long, value_name = "WHAT")]
    fail_on: Option<FailOn>,
    /// How to write the report on standard output [default: human]
    #[arg(long, value_name = "FORM")]
    format: Option<Form>,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Also write a report of this form to a file, such as `html=report.html`; repeatable
    #[arg(long = "report", value_name = "FORM=FILE", value_parser = report_file::target::<Form>())]
    reports: Vec<(Form, PathBuf)>,
    /// What findings are listed under [default: file]
    #[arg(long, value_name = "WHAT")]
    group_by: Option<GroupBy>,
    /// How many findings of one code to list per file before the rest becomes a count; 0 lists all [default: 20]
    ///
    /// Concerns the forms for people (human, concise, github, markdown, html); the others always hold everything.
    #[arg(long, value_name = "N")]
    max_findings: Option<usize>,
    /// Also say what each code means
    #[arg(short, long)]
    verbose: bool,
    /// Add the BLAKE3 fingerprint of each file to the report
    #[arg(long)]
    fingerprint: bool,
    /// Threads over all files together; as many as there are processors, if left out
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(batch::JOBS))]
    jobs: Option<u16>,
    /// Take options from this file, not from the nearest medh5-lite.toml
    #[arg(long, value_name = "FILE", conflicts_with = "isolated")]
    config: Option<PathBuf>,
    /// Look for no configuration file
    #[arg(long)]
    isolated: bool,
}

const EXAMPLES: &str = "Examples:
  medh5-lite validate case.medh5
  medh5-lite validate --level strict --ignore W912 data/ more/*.medh5
  medh5-lite validate shard.medh5c::case-7 --json
  medh5-lite validate data/ --report sarif=out.sarif --report html=out.html
  find . -name '*.medh5' -print0 | medh5-lite validate -

Keys of medh5-lite.toml: level, profiles, codes-revision, select, ignore, fail-on, format, group-by, max-findings, jobs, and
[[per-file]] with files and ignore; they mean what the options of the same names mean. What the command line says counts more;
ignore and profiles add up.

Exit codes: 0 all files ok, 1 some file is not, 2 usage error or no input matched, 130 interrupted.
`medh5-lite explain CODE` tells more about a code.";

const MAX_FINDINGS: usize = 20;

fn profiles() -> PossibleValuesParser {
    PossibleValuesParser::new(PROFILES)
}

fn level(word: &str) -> Result<Level, String> {
    word.parse().map_err(|error: medh5::validate::UnknownLevel| error.to_string())
}

impl Validate {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let config = Config::load(self.config.as_deref(), self.isolated)?;
        let inputs = self.inputs.expand()?;
        let judge = self.judge(&config)?;
        let fail_on = self.fail_on.or(config.fail_on).unwrap_or_default();
        let mut reports = self.open_reports(&config, terminal, &inputs)?;
        batch::set_jobs(self.jobs.or(config.jobs.map(|jobs| jobs.0)).map(usize::from))?;
        interrupt::listen();
        let progress = Progress::new(inputs.len(), terminal);
        let mut summary = Summary::of(inputs.len());
        let ran = batch::run(
            &inputs,
            &progress,
            |input| judge.judge(input, &progress),
            |verdicts| {
                for verdict in &verdicts {
                    summary.add(verdict);
                }
                reports.add(&verdicts)
            },
        );
        progress.clear();
        // That nobody reads on does not change what was found.
        match ran.and_then(|()| reports.finish(&summary)) {
            Ok(()) => {}
            Err(Failure::ClosedPipe) => return Ok(outcome(&summary, fail_on)),
            Err(failure) => return Err(failure),
        }
        if inputs.len() > 1 || summary.is_interrupted() || summary.counts.muted > 0 {
            terminal.note(&summary.line());
        }
        Ok(outcome(&summary, fail_on))
    }

    fn judge(&self, config: &Config) -> Result<Judge, Failure> {
        let select = if self.select.is_empty() { &config.select } else { &self.select };
        let ignore: Vec<_> = config.ignore.iter().chain(&self.ignore).cloned().collect();
        let mut selection = Selection::new(select, &ignore)?;
        for rule in &config.per_file {
            selection = selection.with_file_rule(&rule.files, &rule.ignore)?;
        }
        let profiles = config.profiles.iter().chain(&self.profiles).cloned().collect();
        Judge::new(
            self.level.or(config.level.map(|level| level.0)).unwrap_or_default(),
            profiles,
            self.codes_revision.or(config.codes_revision),
            selection,
            self.fingerprint,
        )
    }

    fn open_reports(
        &self,
        config: &Config,
        terminal: Terminal,
        inputs: &[crate::inputs::Input],
    ) -> Result<Reports, Failure> {
        let style = Style {
            paint: terminal.paint,
            verbose: self.verbose,
            group_by: self.group_by.or(config.group_by).unwrap_or_default(),
            max_findings: self.max_findings.or(config.max_findings).unwrap_or(MAX_FINDINGS),
        };
        let form = if self.json { Some(Form::Json) } else { self.format.or(config.format) };
        Reports::open(form.unwrap_or_default(), &self.reports, style, inputs)
    }
}

/// The exit code does not depend on the form of the report.
fn outcome(summary: &Summary, fail_on: FailOn) -> Outcome {
    let fails = match fail_on {
        FailOn::Error => summary.ok < summary.files,
        FailOn::Warning => summary.counts.errors + summary.counts.warnings > 0,
        FailOn::Never => false,
    };
    match (summary.is_interrupted(), fails) {
        (true, _) => Outcome::Interrupted,
        (false, true) => Outcome::Bad,
        (false, false) => Outcome::Good,
    }
}

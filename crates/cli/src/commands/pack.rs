//! `pack`: samples into one collection.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use indicatif::HumanBytes;
use medh5::write::{Packed, Unpacker, check_keys, default_key, pack};
use serde_json::json;

use crate::batch;
use crate::exit::{Failure, Outcome};
use crate::inputs::{InputArgs, is_same_file};
use crate::interrupt;
use crate::progress::Progress;
use crate::terminal::{Terminal, stdout};
use report::plural;

/// Packs samples into one collection (.medh5c)
///
/// Stored chunks move as bytes: nothing is decoded, and every `content_id` stays. The collection appears whole or not at
/// all, in place of a file of that name, once it was read back and compared with the samples.
#[derive(Debug, Args)]
pub(super) struct Pack {
    #[command(flatten)]
    inputs: InputArgs,
    /// The collection
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Key of a sample, once for each in their order; the file's name up to its first dot, if left out
    #[arg(long = "key", value_name = "KEY")]
    keys: Vec<String>,
    /// Only look whether the samples could be packed
    #[arg(long)]
    dry_run: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
    /// Threads; as many as there are processors, if left out
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(batch::JOBS))]
    jobs: Option<u16>,
}

impl Pack {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let samples = self.samples()?;
        batch::set_jobs(self.jobs.map(usize::from))?;
        interrupt::listen();
        let progress = Progress::of_one(&self.out.display().to_string(), terminal);
        let out = (!self.dry_run).then_some(self.out.as_path());
        let packed = pack(&samples, out, &progress);
        progress.clear();
        let packing = match packed {
            Ok(packing) => packing,
            Err(error) if error.is_interruption() => {
                terminal.note("interrupted: nothing was written");
                return Ok(Outcome::Interrupted);
            }
            Err(error) => return Err(Failure::Failed(error.to_string())),
        };
        let mut to = stdout();
        if self.json {
            let report = json!({
                "out": self.out.display().to_string(),
                "samples": packing.samples,
                "bytes": packing.len,
                "source_bytes": packing.len_of_sources,
            });
            serde_json::to_writer_pretty(&mut to, &report).map_err(std::io::Error::from)?;
            writeln!(to)?;
        } else {
            let (count, sources) =
                (plural(packing.samples, "sample"), HumanBytes(packing.len_of_sources));
            let size =
                packing.len.map_or_else(|| "not written".into(), |len| HumanBytes(len).to_string());
            writeln!(to, "{}: {count}, {size} (sources {sources})", self.out.display())?;
        }
        to.flush()?;
        Ok(Outcome::Good)
    }

    /// A collection may be made anew; anything else that is there is not replaced.
    fn check_target(&self) -> Result<(), Failure> {
        if self.out.symlink_metadata().is_err() || Unpacker::open(&self.out).is_ok() {
            return Ok(());
        }
        let why = "there is a file already that is no collection: give the collection another name";
        Err(Failure::misfit(self.out.display(), why))
    }

    fn samples(&self) -> Result<Vec<Packed>, Failure> {
        let mut inputs = self.inputs.expand()?;
        self.check_target()?;
        // The folder of the samples may be where the collection goes, too.
        inputs.retain(|input| !is_same_file(&input.path, &self.out));
        if inputs.is_empty() {
            return Err(Failure::Usage(
                "there is nothing to pack but the collection itself".into(),
            ));
        }
        if let Some(member) = inputs.iter().find(|input| input.key.is_some()) {
            return Err(Failure::misfit(
                member,
                "only files are packed; `unpack` takes a member out",
            ));
        }
        if !self.keys.is_empty() && self.keys.len() != inputs.len() {
            let (keys, samples) = (plural(self.keys.len(), "key"), plural(inputs.len(), "sample"));
            return Err(Failure::Usage(format!("{keys} for {samples}")));
        }
        let keys = self.keys.iter().cloned().map(Some).chain(std::iter::repeat(None));
        let packed = inputs.into_iter().zip(keys).map(|(input, key)| Packed {
            key: key.unwrap_or_else(|| default_key(&input.path)),
            path: input.path,
        });
        let packed: Vec<Packed> = packed.collect();
        check_keys(&packed).map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(packed)
    }
}

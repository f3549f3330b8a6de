//! `unpack`: the samples of a collection as files of their own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::HumanBytes;
use medh5::write::{Unpacker, WriteError};
use serde_json::{Value, json};

use crate::batch;
use crate::each::{Finding, Looked, look_into_each};
use crate::exit::{Failure, Outcome};
use crate::inputs::Input;
use crate::terminal::{Paint, Terminal};

/// Takes the samples out of a collection, each into a file of its own
///
/// Stored chunks move as bytes. A file appears whole or not at all, in place of one of that name, once it was read back and
/// compared with what it came from. What fails for one sample does not stop the others.
#[derive(Debug, Args)]
pub(super) struct Unpack {
    /// The collection
    path: OsString,
    /// Folder for the files KEY.medh5; it is made if it is missing
    #[arg(short, long, value_name = "FOLDER")]
    out: PathBuf,
    /// Only this sample; repeatable
    #[arg(long = "key", value_name = "KEY")]
    keys: Vec<String>,
    /// Only look whether the samples could be taken out
    #[arg(long)]
    dry_run: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
    /// Threads over all samples together; as many as there are processors, if left out
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(batch::JOBS))]
    jobs: Option<u16>,
}

impl Unpack {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let path = PathBuf::from(&self.path);
        let about = |error: WriteError| match error {
            named @ WriteError::System { .. } => Failure::Failed(named.to_string()),
            other => Failure::about(path.display(), other),
        };
        let unpacker = Unpacker::open(&path).map_err(about)?;
        let known = unpacker.keys().map_err(about)?;
        if let Some(key) = self.keys.iter().find(|key| !known.contains(key)) {
            return Err(Failure::misfit(
                path.display(),
                format!("there is no sample {key:?}; `ls` lists them"),
            ));
        }
        if !self.dry_run {
            std::fs::create_dir_all(&self.out)
                .map_err(|error| Failure::about(self.out.display(), error))?;
        }
        let keys = if self.keys.is_empty() { known } else { self.keys };
        let members: Vec<Input> =
            keys.into_iter().map(|key| Input { path: path.clone(), key: Some(key) }).collect();
        look_into_each(&members, (self.json, self.jobs), terminal, |member, progress| {
            let key = member.key.as_deref()?;
            let name = self.out.join(format!("{key}.medh5"));
            let out = (!self.dry_run).then_some(Path::new(&name));
            let result = match unpacker.extract(key, out, progress) {
                Err(error) if error.is_interruption() => return None,
                result => result.map_err(|error| error.to_string()),
            };
            let name = name.display().to_string();
            Some(vec![Looked { name, result: result.map(|len| Extracted { len }) }])
        })
    }
}

/// A sample that was taken out, or could be.
struct Extracted {
    /// Length of its file, in bytes.
    len: Option<u64>,
}

impl Finding for Extracted {
    fn is_good(&self) -> bool {
        true
    }

    fn lines(&self, name: &str, _: Paint) -> Vec<String> {
        vec![match self.len {
            Some(len) => format!("{name}: {}", HumanBytes(len)),
            None => format!("{name}: not written"),
        }]
    }

    fn as_json(&self, name: &str) -> Value {
        json!({ "path": name, "ok": true, "bytes": self.len })
    }
}

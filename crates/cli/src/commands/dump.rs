//! `dump`: every HDF5 structure of a file with its place, for people who debug files.

use std::ffi::OsString;
use std::io::Write;

use clap::Args;
use hdf5::{OpenOptions, Structure};
use medh5::storage;
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::inputs::Input;
use crate::limits;
use crate::source;
use crate::terminal::{Terminal, say, stdout};

/// Lists every HDF5 structure of a file: where it is, how long, whose, and what it says
///
/// Takes any HDF5 file. Exit code 1 when some structure cannot be read; the others are listed all the same.
#[derive(Debug, Args)]
pub(super) struct Dump {
    /// The file
    path: OsString,
    /// Only structures that belong to this object, such as /images/CT
    #[arg(long, value_name = "OBJECT")]
    object: Option<String>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Dump {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let input = Input::parse(&self.path);
        let source = source::open(&input.path).map_err(|what| Failure::about(&input, what))?;
        let options = OpenOptions {
            filters: storage::reading(),
            limits: limits::current().file,
            ..OpenOptions::default()
        };
        let found = hdf5::File::open_with(std::sync::Arc::new(source), options)
            .and_then(|file| file.structures())
            .map_err(|error| Failure::about(&input, error))?;
        let object = self.object.as_ref().map(|object| format!("/{}", object.trim_matches('/')));
        let wanted = |structure: &&Structure| {
            object.as_ref().is_none_or(|object| *structure.object == **object)
        };
        let structures: Vec<_> = found.structures.iter().filter(wanted).collect();
        if let (Some(object), true) = (&object, structures.is_empty()) {
            return Err(Failure::misfit(
                &input,
                format!("there is no object `{object}`; `tree` lists them"),
            ));
        }
        let errors: Vec<_> = found.errors.iter().map(ToString::to_string).collect();
        let mut out = stdout();
        if self.json {
            let list: Vec<_> = structures.into_iter().map(as_json).collect();
            let report = json!({ "path": input.to_string(), "structures": list, "errors": errors });
            serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            for structure in structures {
                let bytes = structure.range.end - structure.range.start;
                let object = terminal.paint.faint(&structure.object);
                let line = format!(
                    "{:#010x} {bytes:>9}  {}  {object}  {}",
                    structure.range.start, structure.name, structure.fields
                );
                writeln!(out, "{}", line.trim_end())?;
            }
        }
        out.flush()?;
        for error in errors.iter().filter(|_| !self.json) {
            say(&format!("{input}: {error}"));
        }
        Ok(if errors.is_empty() { Outcome::Good } else { Outcome::Bad })
    }
}

fn as_json(structure: &Structure) -> Value {
    json!({
        "offset": structure.range.start,
        "bytes": structure.range.end - structure.range.start,
        "name": structure.name,
        "object": &*structure.object,
        "fields": structure.fields,
    })
}

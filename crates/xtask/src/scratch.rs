//! The files that tests compare with: made by the judges, kept in `target/scratch`, made again when their scripts change.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, io};

use crate::{Failure, process, python, workspace};

/// A folder of `target/scratch`.
struct DataSet {
    name: &'static str,
    /// What it is made from: scripts in `tests/python`, or folders of them.
    scripts: &'static [&'static str],
    /// Other data sets that it is made from; they come earlier in the list.
    inputs: &'static [&'static str],
    make: fn(&Path) -> Result<(), Failure>,
}

const ALL: &[DataSet] = &[
    DataSet { name: "suite", scripts: &[], inputs: &[], make: make_suite },
    DataSet {
        name: "interop",
        scripts: &["make_interop.py", "interop"],
        inputs: &[],
        make: make_interop,
    },
    DataSet {
        name: "reference",
        scripts: &["make_reference.py"],
        inputs: &[],
        make: make_reference,
    },
    DataSet {
        name: "blosc2",
        scripts: &["make_blosc2.py", "blosc2_cases.py", "interop"],
        inputs: &[],
        make: make_blosc2,
    },
    DataSet { name: "large", scripts: &["make_large.py"], inputs: &[], make: make_large },
    DataSet {
        name: "bombs",
        scripts: &["make_bombs.py"],
        inputs: &[],
        make: |folder| process::run(python::script("make_bombs.py").arg(folder)),
    },
    DataSet {
        name: "bulk",
        scripts: &["make_bulk.py"],
        inputs: &[],
        make: |folder| process::run(python::script("make_bulk.py").arg(folder)),
    },
    DataSet {
        name: "hostile",
        scripts: &["make_hostile.py"],
        inputs: &[],
        make: |folder| process::run(python::script("make_hostile.py").arg(folder)),
    },
    DataSet {
        name: "cohort",
        scripts: &["make_cohort.py"],
        inputs: &[],
        make: |folder| process::run(python::script("make_cohort.py").arg(folder)),
    },
    DataSet {
        name: "phantoms",
        scripts: &["make_phantoms.py"],
        inputs: &[],
        make: |folder| process::run(python::script("make_phantoms.py").arg(folder)),
    },
    DataSet {
        name: "descriptions",
        scripts: &["describe.py"],
        inputs: &["suite", "interop", "reference"],
        make: make_descriptions,
    },
    DataSet {
        name: "verdicts",
        scripts: &["verdicts.py"],
        inputs: &["suite"],
        make: make_verdicts,
    },
    DataSet {
        name: "content",
        scripts: &["make_content.py"],
        inputs: &[],
        make: |folder| process::run(python::script("make_content.py").arg(folder)),
    },
    DataSet {
        name: "compressible",
        scripts: &["make_compressible.py"],
        inputs: &[],
        make: |folder| process::run(python::script("make_compressible.py").arg(folder)),
    },
    DataSet {
        name: "volumes",
        scripts: &["make_volumes.py"],
        inputs: &[],
        make: |folder| process::run(python::script("make_volumes.py").arg(folder)),
    },
    DataSet {
        name: "index",
        scripts: &["index_tables.py"],
        inputs: &["suite", "reference"],
        make: make_index_tables,
    },
    DataSet {
        name: "codes",
        scripts: &["apply_edits.py", "make_bases.py", "seal.py", CODE_PAGES],
        inputs: &[],
        make: make_codes,
    },
    DataSet {
        name: "mutants",
        scripts: &["mutate.py", "mutations", "verdicts.py"],
        inputs: &["suite"],
        make: make_mutants,
    },
    DataSet {
        name: "branches",
        scripts: &["make_branches.py", "mutations", "verdicts.py"],
        inputs: &["suite"],
        make: make_branches,
    },
];

/// The pages of the codes, as seen from `tests/python`: their examples are scripts too.
const CODE_PAGES: &str = "../../crates/medh5/src/validate/codes";

/// Makes what is missing or older than its scripts.
pub(crate) fn ensure() -> Result<(), Failure> {
    for set in ALL {
        set.ensure()?;
    }
    Ok(())
}

impl DataSet {
    fn ensure(&self) -> Result<(), Failure> {
        let folder = workspace::scratch().join(self.name);
        // A link is a folder that somebody else keeps.
        if folder.is_symlink() {
            return Ok(());
        }
        let stamp = stamp_of(self.name);
        let wanted = self.fingerprint()?;
        if folder.exists() && fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
            return Ok(());
        }
        println!("making target/scratch/{}", self.name);
        let start = Instant::now();
        remove(&folder)
            .and_then(|()| fs::create_dir_all(&folder))
            .map_err(|error| shown(&folder, &error))?;
        (self.make)(&folder)?;
        fs::write(&stamp, wanted).map_err(|error| shown(&stamp, &error))?;
        println!("  {:.1} s", start.elapsed().as_secs_f64());
        Ok(())
    }

    /// Changes when a script, the pinned versions or an input changes.
    fn fingerprint(&self) -> Result<String, Failure> {
        let mut state = DefaultHasher::new();
        for name in self.scripts.iter().chain(&["requirements.txt"]) {
            let path = workspace::script(name);
            hash_tree(&path, &mut state).map_err(|error| shown(&path, &error))?;
        }
        for input in self.inputs {
            fs::read(stamp_of(input)).unwrap_or_default().hash(&mut state);
        }
        Ok(format!("{:016x}", state.finish()))
    }
}

fn stamp_of(name: &str) -> PathBuf {
    workspace::scratch().join(format!("{name}.stamp"))
}

fn hash_tree(path: &Path, state: &mut DefaultHasher) -> io::Result<()> {
    if path.is_dir() {
        for file in files_in(path, ".")? {
            hash_tree(&file, state)?;
        }
        return Ok(());
    }
    fs::read(path)?.hash(state);
    Ok(())
}

fn make_suite(folder: &Path) -> Result<(), Failure> {
    process::output(python::reference().args(["conformance", "publish"]).arg(folder)).map(drop)
}

fn make_interop(folder: &Path) -> Result<(), Failure> {
    process::run(python::script("make_interop.py").arg(folder))
}

fn make_reference(folder: &Path) -> Result<(), Failure> {
    process::run(python::script("make_reference.py").arg(folder))?;
    for version in python::EARLY_WRITERS {
        let path = python::early_writer(version);
        process::run(python::script("make_reference.py").env("PYTHONPATH", path).arg(folder))?;
    }
    Ok(())
}

fn make_blosc2(folder: &Path) -> Result<(), Failure> {
    process::run(python::script("make_blosc2.py").arg(folder))
}

fn make_large(folder: &Path) -> Result<(), Failure> {
    process::run(python::script("make_large.py").arg(folder))
}

fn make_descriptions(folder: &Path) -> Result<(), Failure> {
    for (corpus, suffix) in [("suite", ".medh5"), ("interop", ".h5"), ("reference", ".medh5")] {
        let source = workspace::scratch().join(corpus);
        let files = files_in(&source, suffix).map_err(|error| shown(&source, &error))?;
        process::run(python::script("describe.py").arg(folder.join(corpus)).args(files))?;
    }
    Ok(())
}

fn make_verdicts(folder: &Path) -> Result<(), Failure> {
    process::run(python::script("verdicts.py").arg(folder).arg(workspace::scratch().join("suite")))
}

fn make_index_tables(folder: &Path) -> Result<(), Failure> {
    for corpus in ["suite", "reference"] {
        let source = workspace::scratch().join(corpus);
        let files = files_in(&source, ".medh5").map_err(|error| shown(&source, &error))?;
        process::run(python::script("index_tables.py").arg(folder).args(files))?;
    }
    Ok(())
}

fn make_codes(folder: &Path) -> Result<(), Failure> {
    process::run(python::script("apply_edits.py").arg(folder))
}

fn make_branches(folder: &Path) -> Result<(), Failure> {
    let suite = workspace::scratch().join("suite");
    process::run(python::script("make_branches.py").arg(folder).arg(suite))
}

/// The quick set; `cargo xtask differential` makes another, larger one.
fn make_mutants(folder: &Path) -> Result<(), Failure> {
    let suite = workspace::scratch().join("suite");
    let options = ["--count", "200", "--seed", "2"];
    process::run(python::script("mutate.py").arg(folder).arg(suite).args(options))
}

/// The files of a folder whose names contain `part`, sorted.
fn files_in(folder: &Path, part: &str) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    files.retain(|path| path.is_file() && path.to_string_lossy().contains(part));
    files.sort();
    Ok(files)
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn shown(path: &Path, error: &io::Error) -> Failure {
    format!("{}: {error}", path.display())
}

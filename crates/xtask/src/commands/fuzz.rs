//! `fuzz`: runs the fuzz targets with nightly Rust and `cargo-fuzz`, from a corpus made of the files that tests read.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Failure, process, scratch, workspace};

/// How long a target runs when nothing is said.
const DEFAULT_SECONDS: &str = "600";

/// Seeds of more bytes than this teach a fuzzer little and slow it down.
const MAX_SEED_BYTES: u64 = 64 << 10;

/// A target of `fuzz/fuzz_targets`, and what its corpus starts from.
struct Target {
    name: &'static str,
    seeds: fn(&Path) -> Result<(), String>,
}

const ALL: &[Target] = &[
    Target { name: "arrival", seeds: edited_seeds },
    Target { name: "blosc2_decode", seeds: blosc2_seeds },
    Target { name: "clinical", seeds: cell_seeds },
    Target { name: "copied", seeds: edited_seeds },
    Target { name: "document", seeds: document_seeds },
    Target { name: "encode_then_decode", seeds: element_seeds },
    Target { name: "filters", seeds: filter_seeds },
    Target { name: "open_and_walk", seeds: file_seeds },
    Target { name: "read_everything", seeds: file_seeds },
    Target { name: "recompress_keeps_content_id", seeds: recompressed_seeds },
    Target { name: "structures", seeds: edited_seeds },
    Target { name: "validate", seeds: file_seeds },
    Target { name: "views", seeds: edited_seeds },
    Target { name: "windows", seeds: window_seeds },
];

pub(super) fn run(arguments: &[String]) -> Result<(), Failure> {
    scratch::ensure()?;
    let mut seconds = DEFAULT_SECONDS;
    let mut chosen = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word == "--seconds" {
            seconds = words.next().ok_or("--seconds needs a number")?;
        } else {
            let target = ALL.iter().find(|target| target.name == word);
            chosen.push(target.ok_or_else(|| format!("there is no target `{word}`"))?);
        }
    }
    if chosen.is_empty() {
        chosen.extend(ALL);
    }
    chosen.into_iter().try_for_each(|target| fuzz(target, seconds))
}

fn fuzz(target: &Target, seconds: &str) -> Result<(), Failure> {
    let corpus = workspace::root().join("fuzz/corpus").join(target.name);
    fs::create_dir_all(&corpus).map_err(|error| error.to_string())?;
    (target.seeds)(&corpus)?;
    // A toolchain is chosen by rustup's cargo, not by the one that runs us.
    process::run(
        process::command("cargo")
            .env_remove("CARGO")
            .env_remove("RUSTUP_TOOLCHAIN")
            .args(["+nightly", "fuzz", "run", target.name])
            .arg(&corpus)
            .args(["--", "-timeout=20", "-rss_limit_mb=2048", "-max_len=131072"])
            .arg(format!("-max_total_time={seconds}")),
    )
}

/// Frames and chunks of the Blosc2 tests.
fn blosc2_seeds(corpus: &Path) -> Result<(), String> {
    let fixtures = workspace::root().join("tests/fixtures/blosc2");
    for folder in [fixtures, workspace::scratch().join("blosc2")] {
        let read = |name: &str| fs::read(folder.join(name)).map_err(|error| error.to_string());
        let (stored, cases) = (read("stored.bin")?, read("cases.txt")?);
        for line in String::from_utf8_lossy(&cases).lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [name, _, start, len, ..] = words[..] else { continue };
            let range = start.parse().ok().zip(len.parse().ok());
            let bytes =
                range.and_then(|(start, len): (usize, usize)| stored.get(start..)?.get(..len));
            let bytes = bytes.ok_or_else(|| format!("{name}: no such bytes in stored.bin"))?;
            if bytes.len() as u64 <= MAX_SEED_BYTES / 8 {
                fs::write(corpus.join(name), bytes).map_err(|error| error.to_string())?;
            }
        }
    }
    Ok(())
}

/// Files of all corpora that are small enough.
fn file_seeds(corpus: &Path) -> Result<(), String> {
    prefixed_seeds(corpus, &[])
}

/// Files with one edit: of a structure of the eighth kind, byte 5, by exclusive or.
fn edited_seeds(corpus: &Path) -> Result<(), String> {
    prefixed_seeds(corpus, &[7, 1, 0, 0, 5, 0, 0, 1, 0, 0])
}

/// The same, under the second profile.
fn recompressed_seeds(corpus: &Path) -> Result<(), String> {
    prefixed_seeds(corpus, &[1, 7, 1, 0, 0, 5, 0, 0, 1, 0, 0])?;
    // What is small has nothing to re-encode; these are large when decoded.
    for path in small_files(&workspace::scratch().join("compressible"))
        .map_err(|error| error.to_string())?
    {
        let bytes = fs::read(&path).map_err(|error| error.to_string())?;
        let name = path.file_name().unwrap_or_default();
        fs::write(corpus.join(name), [&[2, 0, 0][..], &bytes].concat())
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// A ramp under each chain of filters, at a level of its own.
fn element_seeds(corpus: &Path) -> Result<(), String> {
    for filters in 0..8 {
        let ramp: Vec<u8> = (0..=u8::MAX).collect();
        let seed =
            [&[filters | 0x10, filters, 12, 20, 30, filters, filters * 3, 0][..], &ramp].concat();
        fs::write(corpus.join(format!("filters-{filters}")), seed)
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Three tables of a few rows, each with cells of its own.
fn cell_seeds(corpus: &Path) -> Result<(), String> {
    for step in [1, 7, 31, 53, 97_u8] {
        let cells = (0..200).scan(step, |cell, _| {
            *cell = cell.wrapping_mul(5).wrapping_add(step);
            Some(*cell)
        });
        let seed: Vec<u8> = [3].into_iter().chain(cells).collect();
        fs::write(corpus.join(format!("cells-{step}")), seed).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// A window on each axis (start, extent, step), and a file without an edit.
fn window_seeds(corpus: &Path) -> Result<(), String> {
    prefixed_seeds(corpus, &[0, 2, 1, 1, 1, 1, 0, 1, 2, 0, 1, 1, 0, 0])
}

/// Without parameters, of elements of 2 bytes: fuzzing finds the rest.
fn filter_seeds(corpus: &Path) -> Result<(), String> {
    for filter in 0..11 {
        let seed = [&[filter, 1, 2, 0, 0, 0, 2, 4, 4, 4][..], &[0x2a; 128]].concat();
        fs::write(corpus.join(format!("filter-{filter}")), seed)
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The documents of samples, cut out of the files: text between the outermost braces.
fn document_seeds(corpus: &Path) -> Result<(), String> {
    let suite = workspace::scratch().join("suite");
    for path in small_files(&suite).map_err(|error| error.to_string())? {
        let bytes = fs::read(&path).map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&bytes);
        let start = text.find("{\"").unwrap_or_default();
        let document = text[start..].split('\0').next().unwrap_or_default();
        let name = path.file_name().unwrap_or_default();
        fs::write(corpus.join(name), document).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Small files of all corpora behind `prefix`.
fn prefixed_seeds(corpus: &Path, prefix: &[u8]) -> Result<(), String> {
    let samples = workspace::root().join("tests/fixtures/samples");
    let made = ["suite", "interop"].map(|name| workspace::scratch().join(name));
    for folder in made.into_iter().chain([samples]) {
        for path in small_files(&folder).map_err(|error| error.to_string())? {
            let name = path.file_name().unwrap_or_default();
            let bytes = fs::read(&path).map_err(|error| error.to_string())?;
            let seed = [prefix, &bytes].concat();
            fs::write(corpus.join(name), seed).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

fn small_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = fs::metadata(entry.path())?;
        let is_hdf5 = entry.file_name().to_string_lossy().contains('5');
        if metadata.is_file() && is_hdf5 && metadata.len() <= MAX_SEED_BYTES {
            files.push(entry.path());
        }
    }
    Ok(files)
}

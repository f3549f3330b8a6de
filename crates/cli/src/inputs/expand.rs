//! Folders and globs become files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use glob::MatchOptions;
use walkdir::{DirEntry, WalkDir};

use super::Input;
use crate::exit::Failure;

/// The extensions of the format.
const EXTENSIONS: [&str; 2] = ["medh5", "medh5c"];

/// Whether an argument is a pattern rather than a name.
pub(super) fn is_glob(argument: &str) -> bool {
    argument.contains(['*', '?', '['])
}

/// The files that match, sorted by name; hidden ones only where the pattern spells their dot, and each file once, by
/// whatever links it is reached.
///
/// # Errors
/// [`Failure::Usage`] when the pattern is malformed or matches no file.
pub(super) fn glob(pattern: &str) -> Result<Vec<Input>, Failure> {
    let usage = |what: &str| Failure::Usage(format!("{pattern}: {what}"));
    // Quirk: the crate's own rule for leading dots panics on names that are not UTF-8.
    let paths = glob::glob_with(pattern, MatchOptions::new()).map_err(|error| usage(error.msg))?;
    let folder = spelled_folder(pattern);
    let matched = |path: &Path| path.strip_prefix(&folder).unwrap_or(path).to_owned();
    let wants_hidden = has_hidden_part(&matched(Path::new(pattern)));
    let mut seen = HashSet::new();
    let is_new = |path: &PathBuf| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone()));
    // A folder that cannot be read stays in the list: judging it reports why.
    let path_of = |entry: glob::GlobResult| entry.unwrap_or_else(|error| error.path().to_owned());
    let inputs: Vec<_> = paths
        .map(path_of)
        .filter(|path| !path.is_dir())
        .filter(|path| wants_hidden || !has_hidden_part(&matched(path)))
        .filter(is_new)
        .map(Input::file)
        .collect();
    if inputs.is_empty() { Err(usage("matches no file")) } else { Ok(inputs) }
}

/// The folders that a pattern names without a wildcard: whoever spells a hidden one wants it.
fn spelled_folder(pattern: &str) -> PathBuf {
    Path::new(pattern).iter().take_while(|part| !is_glob(&part.to_string_lossy())).collect()
}

fn has_hidden_part(path: &Path) -> bool {
    path.iter().any(|part| is_hidden_name(&part.to_string_lossy()))
}

/// The files of the format below `folder`, sorted by name; hidden files and folders are skipped.
///
/// # Errors
/// [`Failure::Usage`] when there is none.
pub(super) fn folder(
    folder: &Path,
    recursive: bool,
    extra: &[String],
) -> Result<Vec<Input>, Failure> {
    let depth = if recursive { usize::MAX } else { 1 };
    let walk = WalkDir::new(folder).max_depth(depth).follow_links(true).sort_by_file_name();
    let mut inputs = Vec::new();
    let mut others = 0_usize;
    for entry in walk.into_iter().filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry)) {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) if is_ours(entry.path(), extra) => inputs.push(Input::file(entry.path())),
            Ok(_) => others += 1,
            // A link back to a folder above: its files are listed already.
            Err(error) if error.loop_ancestor().is_some() => {}
            // What cannot be read stays in the list: judging it reports why.
            Err(error) => {
                inputs.push(Input::file(error.path().map_or_else(PathBuf::new, Path::to_owned)));
            }
        }
    }
    if inputs.is_empty() {
        let wanted: Vec<_> =
            EXTENSIONS.iter().copied().chain(extra.iter().map(|e| bare(e))).collect();
        return Err(Failure::Usage(format!(
            "{}: holds no .{} file (other files seen: {others})",
            folder.display(),
            wanted.join(" or .")
        )));
    }
    Ok(inputs)
}

fn is_hidden(entry: &DirEntry) -> bool {
    is_hidden_name(&entry.file_name().to_string_lossy())
}

/// `.` and `..` are places, not hidden names.
fn is_hidden_name(name: &str) -> bool {
    name.starts_with('.') && name != "." && name != ".."
}

fn is_ours(path: &Path, extra: &[String]) -> bool {
    let Some(extension) = path.extension().and_then(|extension| extension.to_str()) else {
        return false;
    };
    let mut known = EXTENSIONS.iter().copied().chain(extra.iter().map(|e| bare(e)));
    known.any(|known| known.eq_ignore_ascii_case(extension))
}

fn bare(extension: &str) -> &str {
    extension.trim_start_matches('.')
}

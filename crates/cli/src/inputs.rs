//! What to look at: files, folders, globs, lists, members of collections.

mod expand;
mod list;

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::exit::Failure;
use crate::os_text;

/// Where the inputs come from.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Files, folders, globs, `shard.medh5c::KEY` for one member, or `-` for a list on standard input
    ///
    /// Folders are searched for .medh5 and .medh5c files, with all folders in them; what is hidden is skipped. What is named twice
    /// is looked at once.
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    paths: Vec<OsString>,
    /// Also take the paths listed in this file, one per line or NUL-separated; `-` is standard input
    ///
    /// Lines that begin with `#` are comments.
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// Do not enter folders inside folders
    #[arg(long)]
    no_recursive: bool,
    /// Also take files with this extension from folders; repeatable
    #[arg(long = "ext", value_name = "EXT")]
    extensions: Vec<String>,
}

/// One thing to look at: a file, or a member of the collection in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Input {
    /// The file.
    pub(crate) path: PathBuf,
    /// The member's key, when only one member is meant.
    pub(crate) key: Option<String>,
}

impl Input {
    fn file(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), key: None }
    }

    /// `PATH` or `PATH::KEY`, unless a file of that very name exists.
    pub(crate) fn parse(argument: impl AsRef<OsStr>) -> Self {
        let argument = argument.as_ref();
        let member = os_text::split_once(argument, "::")
            .and_then(|(path, key)| Some((path, key.to_str()?)))
            .filter(|_| !Path::new(argument).exists());
        match member {
            Some((path, key)) => Self { path: path.into(), key: Some(key.to_owned()) },
            None => Self::file(argument),
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        match &self.key {
            Some(key) => write!(f, "::{key}"),
            None => Ok(()),
        }
    }
}

impl InputArgs {
    /// The inputs in the order of the arguments; what a folder or a glob holds is sorted by name.
    ///
    /// # Errors
    /// [`Failure::Usage`] when an argument matches nothing: an empty run must not look like a clean one.
    pub(crate) fn expand(&self) -> Result<Vec<Input>, Failure> {
        let mut inputs = Vec::new();
        for path in &self.paths {
            if path == OsStr::new("-") {
                self.expand_list(&list::from_stdin()?, &mut inputs)?;
            } else {
                self.expand_one(path, &mut inputs)?;
            }
        }
        if let Some(file) = &self.files_from {
            self.expand_list(&list::from_file(file)?, &mut inputs)?;
        }
        if inputs.is_empty() {
            return Err(Failure::Usage("the list of files is empty".into()));
        }
        Ok(without_repeats(inputs))
    }

    fn expand_list(&self, list: &[OsString], inputs: &mut Vec<Input>) -> Result<(), Failure> {
        list.iter().try_for_each(|path| self.expand_one(path, inputs))
    }

    fn expand_one(&self, argument: &OsStr, inputs: &mut Vec<Input>) -> Result<(), Failure> {
        let path = Path::new(argument);
        let pattern = argument.to_str().filter(|argument| expand::is_glob(argument));
        if path.is_dir() {
            inputs.extend(expand::folder(path, !self.no_recursive, &self.extensions)?);
        } else if let Some(pattern) = pattern.filter(|_| !path.exists()) {
            inputs.extend(expand::glob(pattern)?);
        } else {
            inputs.push(Input::parse(argument));
        }
        Ok(())
    }
}

/// The first of each name, however its folder was spelled. A link is a name of its own.
fn without_repeats(inputs: Vec<Input>) -> Vec<Input> {
    let mut folders = HashMap::<PathBuf, PathBuf>::new();
    let mut seen = HashSet::new();
    let mut is_new = |input: &Input| {
        let Some(name) = input.path.file_name() else { return true };
        let folder = input.path.parent().unwrap_or(Path::new(""));
        let place = folders.entry(folder.to_owned()).or_insert_with(|| {
            let folder = if folder == Path::new("") { Path::new(".") } else { folder };
            folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
        });
        seen.insert((place.join(name), input.key.clone()))
    };
    inputs.into_iter().filter(|input| is_new(input)).collect()
}

/// Whether two paths lead to one file that exists.
pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(paths: &[&str]) -> Result<Vec<String>, Failure> {
        let args = InputArgs {
            paths: paths.iter().map(OsString::from).collect(),
            files_from: None,
            no_recursive: false,
            extensions: vec!["h5".into()],
        };
        Ok(args.expand()?.iter().map(Input::to_string).collect())
    }

    fn tree() -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for inner in ["b", ".hidden"] {
            std::fs::create_dir(root.join(inner)).unwrap();
        }
        for file in [
            "z.medh5",
            "a.MEDH5",
            "b/shard.medh5c",
            "b/other.h5",
            "b/notes.txt",
            ".x.medh5",
            ".hidden/y.medh5",
        ] {
            std::fs::write(root.join(file), "").unwrap();
        }
        let name = root.display().to_string();
        (folder, name)
    }

    #[test]
    fn folders_are_searched_in_the_order_of_names() {
        let (_folder, root) = tree();
        let expected = ["a.MEDH5", "b/other.h5", "b/shard.medh5c", "z.medh5"]
            .map(|name| format!("{root}/{name}"));
        assert_eq!(expand(&[&root]).unwrap(), expected);
    }

    #[cfg(unix)]
    #[test]
    fn a_circle_of_links_ends() {
        let (folder, root) = tree();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("b/again")).unwrap();
        assert_eq!(expand(&[&root]).unwrap().len(), 4);
    }

    #[test]
    fn what_is_named_twice_is_looked_at_once() {
        let (_folder, root) = tree();
        let twice = [format!("{root}/z.medh5"), format!("{root}/b/../z.medh5"), root.clone()];
        let found = expand(&twice.each_ref().map(String::as_str)).unwrap();
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(found[0], twice[0], "the first spelling stays");
    }

    #[cfg(unix)]
    #[test]
    fn names_need_not_be_text() {
        let (folder, root) = tree();
        let name = os_text::from_bytes(b"f\xfc.medh5").unwrap();
        std::fs::write(folder.path().join(&name), "").unwrap();
        assert_eq!(Input::parse(folder.path().join(&name)).path, folder.path().join(&name));
        let found = expand(&[&root]).unwrap();
        assert!(found.contains(&format!("{root}/f\u{fffd}.medh5")), "{found:?}");
    }

    #[test]
    fn globs_match_files_and_search_folders_with_stars() {
        let (_folder, root) = tree();
        assert_eq!(expand(&[&format!("{root}/*.medh5")]).unwrap(), [format!("{root}/z.medh5")]);
        let all = expand(&[&format!("{root}/**/*.medh5*")]).unwrap();
        assert_eq!(all, [format!("{root}/b/shard.medh5c"), format!("{root}/z.medh5")]);
    }

    #[test]
    fn nothing_matched_is_a_usage_error() {
        let (_folder, root) = tree();
        let message = |path: &str| match expand(&[path]) {
            Err(Failure::Usage(message)) => message,
            other => panic!("{other:?}"),
        };
        assert!(message(&format!("{root}/*.nii")).ends_with("matches no file"));
        let empty = tempfile::tempdir().unwrap();
        std::fs::write(empty.path().join("scan.nii"), "").unwrap();
        let found = message(&empty.path().display().to_string());
        assert!(
            found.ends_with("holds no .medh5 or .medh5c or .h5 file (other files seen: 1)"),
            "{found}"
        );
    }

    #[test]
    fn a_member_is_named_after_two_colons() {
        assert_eq!(
            Input::parse("a.medh5c::k"),
            Input { path: "a.medh5c".into(), key: Some("k".into()) }
        );
        assert_eq!(Input::parse("a.medh5"), Input::file("a.medh5"));
        assert_eq!(Input::parse("a.medh5c::k").to_string(), "a.medh5c::k");
    }
}

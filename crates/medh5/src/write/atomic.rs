//! A file takes its name only when it is complete: it is written beside its place, made durable, and renamed.
//!
//! Killed at any point, the old file is what it was; at worst a hidden sibling is left behind, which the next writer of the
//! same file takes over. A lock on the sibling, which ends with the process that has it, keeps two writers apart.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use hdf5::FileSink;

use super::WriteError;

/// A file on its way to its place. Unless [`NewFile::commit`] is reached, it is removed.
#[derive(Debug)]
pub struct NewFile {
    /// Where it will be, links followed.
    target: PathBuf,
    temporary: PathBuf,
    /// What it replaces, as it was found.
    replaced: Option<Metadata>,
    /// Open until it is complete.
    sink: Option<FileSink>,
    /// Open from then on: the lock on the sibling is held as long as it is.
    complete: Option<File>,
    /// Whether it has its name; what has the sibling's name then is another writer's.
    is_placed: bool,
}

impl NewFile {
    /// Begins a file that will replace what is at `target`, or be new there. It has the same permissions then.
    ///
    /// # Errors
    /// [`WriteError::Busy`] when somebody else does the same; [`WriteError::System`] when no file can be created in that folder.
    pub fn replacing(target: &Path) -> Result<Self, WriteError> {
        let target = match fs::canonicalize(target) {
            Ok(target) => target,
            Err(error) if error.kind() == io::ErrorKind::NotFound => target.to_path_buf(),
            Err(source) => return Err(WriteError::System { path: target.to_path_buf(), source }),
        };
        let replaced = match fs::metadata(&target) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(source) => return Err(WriteError::System { path: target, source }),
        };
        let temporary = sibling(&target);
        let file = open_alone(&temporary, &target)?;
        let sink = FileSink::new(file);
        let new = Self {
            target,
            temporary,
            replaced,
            sink: Some(sink),
            complete: None,
            is_placed: false,
        };
        if let Some(replaced) = &new.replaced {
            fs::set_permissions(&new.temporary, replaced.permissions())
                .map_err(|source| new.system(source))?;
        }
        Ok(new)
    }

    /// Begins a file where there is none.
    ///
    /// # Errors
    /// [`WriteError::Exists`] when there is one; else as [`NewFile::replacing`].
    pub fn create(target: &Path) -> Result<Self, WriteError> {
        if target.symlink_metadata().is_ok() {
            return Err(WriteError::Exists { path: target.to_path_buf() });
        }
        Self::replacing(target)
    }

    /// Where its bytes go.
    ///
    /// # Panics
    /// After [`NewFile::complete`].
    pub fn sink(&mut self) -> &mut FileSink {
        self.sink.as_mut().expect("the file is not complete yet")
    }

    /// Makes its bytes durable, and gives the path at which it can be read until it is in its place.
    ///
    /// # Errors
    /// [`WriteError::System`] when the bytes cannot all be stored.
    pub fn complete(&mut self) -> Result<&Path, WriteError> {
        if let Some(sink) = self.sink.take() {
            let file = self.complete.insert(sink.into_file());
            file.sync_all().map_err(|source| self.system(source))?;
        }
        Ok(&self.temporary)
    }

    /// Puts it in its place, and makes that durable.
    ///
    /// # Errors
    /// [`WriteError::Changed`] when what it replaces is no longer what it was, or there is something now where nothing was;
    /// [`WriteError::System`] when it cannot be renamed. What is there then stays.
    pub fn commit(mut self) -> Result<(), WriteError> {
        self.complete()?;
        let now = fs::metadata(&self.target).ok();
        if identity(self.replaced.as_ref()) != identity(now.as_ref()) {
            return Err(WriteError::Changed { path: self.target.clone() });
        }
        fs::rename(&self.temporary, &self.target).map_err(|source| self.system(source))?;
        self.is_placed = true;
        sync_folder(&self.target).map_err(|source| self.system(source))
    }

    fn system(&self, source: io::Error) -> WriteError {
        WriteError::System { path: self.target.clone(), source }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_placed {
            // Nothing more can be done if it fails. The lock is held until after: the next writer's file must stay.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// A hidden name in the same folder: only within one file system is a rename whole.
fn sibling(target: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(".medh5-lite.tmp");
    target.with_file_name(name)
}

/// Opens `temporary` for the only writer of `target`, empty. What a killed writer left there is overwritten.
fn open_alone(temporary: &Path, target: &Path) -> Result<File, WriteError> {
    let system = |source: io::Error| {
        // Whoever gets this knows nothing of siblings; what is missing is their folder.
        let is_folder = source.kind() == io::ErrorKind::NotFound;
        let place = target.parent().filter(|_| is_folder).unwrap_or(target);
        WriteError::System { path: place.to_path_buf(), source }
    };
    loop {
        let options = OpenOptions::new().write(true).create(true).truncate(false).clone();
        let file = options.open(temporary).map_err(system)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(WriteError::Busy { path: target.to_path_buf() });
            }
            Err(TryLockError::Error(source)) => return Err(system(source)),
        }
        // Between opening and locking, its writer may have put it in its place or removed it.
        if is_at(&file, temporary) {
            file.set_len(0).map_err(system)?;
            return Ok(file);
        }
    }
}

/// Whether `path` leads to the open `file`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |metadata: Metadata| (metadata.dev(), metadata.ino());
    let there = fs::symlink_metadata(path).map(place);
    file.metadata().map(place).ok().is_some_and(|here| there.is_ok_and(|there| here == there))
}

/// An open file cannot be renamed or removed by others here.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// What changes when a file is written to.
fn identity(metadata: Option<&Metadata>) -> Option<(u64, Option<std::time::SystemTime>)> {
    metadata.map(|metadata| (metadata.len(), metadata.modified().ok()))
}

/// Makes the entry of `file` in its folder durable.
#[cfg(unix)]
fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Folders cannot be opened as files here; the system orders renames itself.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdf5::Sink;

    /// A folder that goes away with its test.
    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder for a test")
    }

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_complete() {
        let folder = folder();
        let path = folder.path().join("a.medh5");
        fs::write(&path, "old").unwrap();
        let mut new = NewFile::replacing(&path).unwrap();
        new.sink().write_at(0, b"newer").unwrap();
        let beside = new.complete().unwrap().to_path_buf();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read(&beside).unwrap(), b"newer");
        assert_eq!(beside.parent(), Some(fs::canonicalize(folder.path()).unwrap().as_path()));
        new.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"newer");
        assert_eq!(names(folder.path()), ["a.medh5"]);
    }

    #[test]
    fn what_is_not_committed_leaves_nothing() {
        let folder = folder();
        let path = folder.path().join("a.medh5");
        let mut new = NewFile::create(&path).unwrap();
        new.sink().write_at(0, b"half").unwrap();
        drop(new);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn another_program_wins() {
        let folder = folder();
        let path = folder.path().join("a.medh5");
        let new = NewFile::create(&path).unwrap();
        fs::write(&path, "theirs").unwrap();
        assert!(matches!(new.commit(), Err(WriteError::Changed { .. })));
        assert!(matches!(NewFile::create(&path), Err(WriteError::Exists { .. })));
        let new = NewFile::replacing(&path).unwrap();
        fs::write(&path, "theirs again").unwrap();
        assert!(matches!(new.commit(), Err(WriteError::Changed { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"theirs again");
        assert_eq!(names(folder.path()), ["a.medh5"]);
    }

    #[test]
    fn two_writers_are_kept_apart() {
        let folder = folder();
        let path = folder.path().join("a.medh5");
        let mut first = NewFile::replacing(&path).unwrap();
        assert!(matches!(NewFile::replacing(&path), Err(WriteError::Busy { .. })));
        first.complete().unwrap();
        assert!(matches!(NewFile::replacing(&path), Err(WriteError::Busy { .. })));
        drop(first);
        NewFile::replacing(&path).unwrap().commit().unwrap();
        assert_eq!(names(folder.path()), ["a.medh5"]);
    }

    #[test]
    fn what_a_killed_writer_left_is_taken_over() {
        let folder = folder();
        let path = folder.path().join("a.medh5");
        fs::write(sibling(&path), "half a file, and longer").unwrap();
        let mut new = NewFile::create(&path).unwrap();
        new.sink().write_at(0, b"whole").unwrap();
        new.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(names(folder.path()), ["a.medh5"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder();
        let (path, link) = (folder.path().join("a.medh5"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let mut new = NewFile::replacing(&link).unwrap();
        new.sink().write_at(0, b"new").unwrap();
        new.commit().unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
}

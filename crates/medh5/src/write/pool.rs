//! More files than a process may have open: those read last stay open, the others are opened again.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hdf5::{ByteSource, FileSource, SourceError, check_bounds};

use super::WriteError;

/// Files that stay open; far fewer than any system allows.
const OPEN_FILES: usize = 64;

/// Keeps some files open.
#[derive(Debug, Default)]
pub(super) struct FilePool {
    /// The file read last at the back.
    open: Mutex<VecDeque<(PathBuf, Arc<FileSource>)>>,
}

/// A file of a pool.
#[derive(Debug)]
struct PooledFile {
    pool: Arc<FilePool>,
    path: PathBuf,
    len: u64,
}

impl FilePool {
    /// The file at `path` as a source of bytes. It must not change while it is read.
    pub(super) fn source(self: &Arc<Self>, path: &Path) -> Result<Arc<dyn ByteSource>, WriteError> {
        let system = |source| WriteError::System { path: path.to_path_buf(), source };
        let len = self.file(path).map_err(system)?.len();
        Ok(Arc::new(PooledFile { pool: Arc::clone(self), path: path.to_path_buf(), len }))
    }

    fn file(&self, path: &Path) -> std::io::Result<Arc<FileSource>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let known = open.iter().position(|(known, _)| known == path);
        let file = match known.and_then(|at| open.remove(at)) {
            Some((_, file)) => file,
            None => Arc::new(FileSource::open(path)?),
        };
        if open.len() >= OPEN_FILES {
            open.pop_front();
        }
        open.push_back((path.to_path_buf(), Arc::clone(&file)));
        Ok(file)
    }
}

impl ByteSource for PooledFile {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
        check_bounds(offset, buf.len(), self.len)?;
        let refuse = |reason: String| SourceError::Io { offset, reason };
        let file = self.pool.file(&self.path).map_err(|error| refuse(error.to_string()))?;
        if file.len() != self.len {
            return Err(refuse("another program changed the file in the meantime".into()));
        }
        file.read_at(offset, buf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn closed_files_are_opened_again() {
        let folder = tempfile::tempdir().expect("a folder for a test");
        let pool = Arc::new(FilePool::default());
        let sources: Vec<_> = (0..OPEN_FILES + 10)
            .map(|number| {
                let path = folder.path().join(number.to_string());
                fs::write(&path, format!("{number:04}")).unwrap();
                pool.source(&path).unwrap()
            })
            .collect();
        let mut found = [0; 4];
        for (number, source) in sources.iter().enumerate() {
            source.read_at(0, &mut found).unwrap();
            assert_eq!(found, *format!("{number:04}").as_bytes());
        }
        assert_eq!(pool.open.lock().unwrap().len(), OPEN_FILES);
        fs::write(folder.path().join("0"), "longer").unwrap();
        assert!(sources[0].read_at(0, &mut found).is_err());
    }
}

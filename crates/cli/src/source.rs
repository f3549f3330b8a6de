//! A file as a source of bytes.

use std::fs::File;
use std::io;
use std::path::Path;

use hdf5::{ByteSource, SourceError, check_bounds};

/// A file on disk, read at offsets; its length is the one it had when it was opened.
#[derive(Debug)]
pub(crate) struct FileSource {
    file: File,
    len: u64,
}

impl FileSource {
    /// Opens a regular file.
    ///
    /// # Errors
    /// A phrase about the path, without the path: that it is missing, a folder, empty, not a file, or what the system says.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let metadata = std::fs::metadata(path).map_err(|error| say(&error))?;
        if metadata.is_dir() {
            return Err("this is a folder, not a file".into());
        }
        if !metadata.is_file() {
            return Err("this is not a regular file".into());
        }
        if metadata.len() == 0 {
            return Err("the file is empty".into());
        }
        let file = File::open(path).map_err(|error| say(&error))?;
        Ok(Self { file, len: metadata.len() })
    }
}

fn say(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "reading it is not permitted".into(),
        _ => format!("it cannot be opened: {error}"),
    }
}

impl ByteSource for FileSource {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
        check_bounds(offset, buf.len(), self.len)?;
        read_exact_at(&self.file, buf, offset)
            .map_err(|error| SourceError::Io { offset, reason: error.to_string() })
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buf: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buf, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buf: &mut [u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !buf.is_empty() {
        match file.seek_read(buf, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                buf = &mut buf[read..];
                offset += read as u64;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_opened_is_said_plainly() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |path: &Path| FileSource::open(path).unwrap_err();
        assert_eq!(refused(folder.path()), "this is a folder, not a file");
        assert_eq!(refused(&folder.path().join("gone")), "there is no such file");
        let empty = folder.path().join("empty");
        std::fs::write(&empty, "").unwrap();
        assert_eq!(refused(&empty), "the file is empty");
    }

    #[test]
    fn bytes_are_read_where_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("digits");
        std::fs::write(&path, "0123456789").unwrap();
        let source = FileSource::open(&path).unwrap();
        let mut buf = [0; 3];
        source.read_at(7, &mut buf).unwrap();
        assert_eq!(&buf, b"789");
        assert!(matches!(source.read_at(8, &mut buf), Err(SourceError::OutOfBounds { .. })));
    }
}

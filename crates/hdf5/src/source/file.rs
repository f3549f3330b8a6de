//! A file of the operating system as a byte source.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::Range;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use bytes::Bytes;

use super::{ByteSource, SourceError, check_bounds};

/// Files up to this length are read in one go: their many small structures would cost a call each.
const SMALL_FILE_BYTES: u64 = 64 << 10;

/// An open file, read at positions: threads share it without a lock and without moving a cursor.
#[derive(Debug)]
pub struct FileSource {
    file: File,
    len: u64,
    /// All of a small file, as it was when it was opened.
    whole: Option<Bytes>,
}

impl FileSource {
    /// Opens the file at `path` for reading.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::at_start(File::open(path)?)
    }

    /// Reads from `file`, whose length is taken now.
    ///
    /// # Errors
    /// What the operating system says about its start or its length.
    pub fn new(mut file: File) -> io::Result<Self> {
        file.rewind()?;
        Self::at_start(file)
    }

    /// The same for a file whose cursor is at its start.
    fn at_start(file: File) -> io::Result<Self> {
        let len = file.metadata()?.len();
        let is_small = len <= SMALL_FILE_BYTES;
        // Where that fails, reading what is asked for says why.
        let whole = if is_small { read_whole(&file, len).ok().flatten() } else { None };
        Ok(Self { file, len, whole })
    }
}

/// All of a file of `len` bytes; nothing when it has fewer by now.
fn read_whole(file: &File, len: u64) -> io::Result<Option<Bytes>> {
    let len = usize::try_from(len).unwrap_or(0);
    let mut bytes = Vec::with_capacity(len);
    file.take(len as u64).read_to_end(&mut bytes)?;
    Ok((bytes.len() == len).then(|| bytes.into()))
}

impl ByteSource for FileSource {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
        check_bounds(offset, buf.len(), self.len)?;
        if let Some(whole) = &self.whole {
            return whole.read_at(offset, buf);
        }
        read_exact_at(&self.file, offset, buf)
            .map_err(|error| SourceError::Io { offset, reason: error.to_string() })
    }

    fn is_in_memory(&self) -> bool {
        self.whole.is_some()
    }

    fn share(&self, range: &Range<u64>) -> Option<Bytes> {
        self.whole.as_ref()?.share(range)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, offset: u64, buf: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buf, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut offset: u64, mut buf: &mut [u8]) -> io::Result<()> {
    while !buf.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buf, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        offset = offset.saturating_add(read as u64);
        buf = buf.get_mut(read..).unwrap_or_default();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn reads_at_positions_and_refuses_what_is_past_the_end() {
        let path = std::env::temp_dir().join(std::format!("file-source-{}", std::process::id()));
        File::create(&path).unwrap().write_all(b"0123456789").unwrap();
        let source = FileSource::open(&path).unwrap();
        let mut buf = [0; 3];
        source.read_at(4, &mut buf).unwrap();
        assert_eq!((&buf, source.len()), (b"456", 10));
        assert_eq!(
            source.read_at(8, &mut buf).unwrap_err(),
            SourceError::OutOfBounds { offset: 8, len: 3, file_len: 10 }
        );
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_is_read_from_its_start_wherever_its_cursor_is() {
        let path = std::env::temp_dir().join(std::format!("file-cursor-{}", std::process::id()));
        std::fs::write(&path, b"0123456789").unwrap();
        let mut file = File::open(&path).unwrap();
        file.seek(io::SeekFrom::Start(7)).unwrap();
        let source = FileSource::new(file).unwrap();
        assert!(source.is_in_memory());
        assert_eq!(source.share(&(2..5)).unwrap(), &b"234"[..]);
        std::fs::remove_file(path).unwrap();
    }
}

//! Where bytes go.

use alloc::vec::Vec;

use crate::error::Error;

/// Random access to the bytes of one new file.
pub trait Sink {
    /// Writes `bytes` from `offset` on, in bytes from the start of the file; bytes in between that are never written are zero.
    ///
    /// # Errors
    /// [`Error::Sink`] when they cannot be written.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Error>;
}

/// A file in memory.
impl Sink for Vec<u8> {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        let too_large = || Error::Sink { offset, reason: "the file does not fit memory".into() };
        let start = usize::try_from(offset).map_err(|_| too_large())?;
        let end = start.checked_add(bytes.len()).ok_or_else(too_large)?;
        if self.len() < end {
            self.try_reserve(end.saturating_sub(self.len())).map_err(|_| too_large())?;
            self.resize(end, 0);
        }
        if let Some(place) = self.get_mut(start..end) {
            place.copy_from_slice(bytes);
        }
        Ok(())
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        (**self).write_at(offset, bytes)
    }
}

/// A file of the operating system, written from its start. Making it appear whole or not at all is up to the caller.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct FileSink {
    file: std::fs::File,
    /// Where the file's cursor is.
    position: u64,
}

#[cfg(feature = "std")]
impl FileSink {
    /// Writes to `file`, which must be empty and open for writing.
    pub fn new(file: std::fs::File) -> Self {
        Self { file, position: u64::MAX }
    }

    /// The file, to be synchronised or closed.
    pub fn into_file(self) -> std::fs::File {
        self.file
    }
}

#[cfg(feature = "std")]
impl Sink for FileSink {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        use alloc::string::ToString;
        use std::io::{Seek, SeekFrom, Write};
        let refuse = |error: std::io::Error| Error::Sink { offset, reason: error.to_string() };
        if self.position != offset {
            self.file.seek(SeekFrom::Start(offset)).map_err(refuse)?;
        }
        // Unknown again if only a part gets written.
        self.position = u64::MAX;
        self.file.write_all(bytes).map_err(refuse)?;
        self.position = offset.saturating_add(bytes.len() as u64);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_grows_over_gaps() {
        let mut sink = Vec::new();
        sink.write_at(3, b"de").unwrap();
        sink.write_at(0, b"a").unwrap();
        assert_eq!(sink, b"a\0\0de");
        assert!(sink.write_at(u64::MAX, b"a").is_err());
    }

    #[test]
    fn a_file_is_written_out_of_order() {
        let path = std::env::temp_dir().join(std::format!("file-sink-{}", std::process::id()));
        let mut sink = FileSink::new(std::fs::File::create(&path).unwrap());
        for (offset, bytes) in [(2, b"cd"), (4, b"ef"), (0, b"ab")] {
            sink.write_at(offset, bytes).unwrap();
        }
        drop(sink.into_file());
        assert_eq!(std::fs::read(&path).unwrap(), b"abcdef");
        std::fs::remove_file(path).unwrap();
    }
}

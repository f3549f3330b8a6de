//! Where bytes come from. The reader only ever asks; it never fetches.

mod block_cache;
#[cfg(all(feature = "std", any(unix, windows)))]
mod file;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use bytes::Bytes;

pub use block_cache::BlockCache;
#[cfg(all(feature = "std", any(unix, windows)))]
pub use file::FileSource;

/// Random access to the bytes of one file.
///
/// A source may hold only part of the file: it then answers [`SourceError::NotResident`], the host
/// fetches the ranges it names and repeats the whole call. Every read is therefore repeatable, and
/// its result does not depend on how or when the bytes arrived.
pub trait ByteSource: Send + Sync {
    /// Length of the file, in bytes.
    fn len(&self) -> u64;

    /// Fills `buf` with the bytes that start at `offset`.
    ///
    /// # Errors
    /// [`SourceError::NotResident`] names the ranges the host must fetch first,
    /// [`SourceError::OutOfBounds`] a read past the end, [`SourceError::Io`] a failed read.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError>;

    /// Announces ranges that will be read soon, so that a host can fetch them together.
    ///
    /// # Errors
    /// [`SourceError::NotResident`] with all of them that are missing; other sources do nothing.
    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<(), SourceError> {
        let _ = ranges;
        Ok(())
    }

    /// Whether every byte is in memory, so that nothing is won by keeping copies of what was read.
    fn is_in_memory(&self) -> bool {
        false
    }

    /// The bytes of `range`, all inside the file, from a source that has them in memory and can share them uncopied.
    fn share(&self, range: &Range<u64>) -> Option<Bytes> {
        let _ = range;
        None
    }

    /// Whether the file has no bytes at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Why bytes could not be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The host must fetch these ranges (offsets in bytes from the start of the file) and try again.
    #[error("{} byte ranges are not resident yet", ranges.len())]
    NotResident {
        /// What is missing.
        ranges: Vec<Range<u64>>,
    },
    /// The bytes asked for are not all inside the file.
    #[error("bytes {offset:#x}..{:#x} are past the end of the file, which has {file_len:#x} bytes", offset.saturating_add(*len))]
    OutOfBounds {
        /// First byte asked for.
        offset: u64,
        /// Number of bytes asked for.
        len: u64,
        /// Length of the file.
        file_len: u64,
    },
    /// The operating system or the network refused.
    #[error("reading at byte {offset:#x} failed: {reason}")]
    Io {
        /// First byte asked for.
        offset: u64,
        /// What the host said.
        reason: String,
    },
}

/// Checks that `len` bytes from `offset` are inside a file of `file_len` bytes.
///
/// # Errors
/// [`SourceError::OutOfBounds`] if they are not.
pub fn check_bounds(offset: u64, len: usize, file_len: u64) -> Result<(), SourceError> {
    let len = len as u64;
    match offset.checked_add(len) {
        Some(end) if end <= file_len => Ok(()),
        _ => Err(SourceError::OutOfBounds { offset, len, file_len }),
    }
}

fn read_slice(bytes: &[u8], offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
    check_bounds(offset, buf.len(), bytes.len() as u64)?;
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    let end = start.saturating_add(buf.len());
    if let Some(found) = bytes.get(start..end) {
        buf.copy_from_slice(found);
    }
    Ok(())
}

/// A file that is already in memory.
impl ByteSource for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
        read_slice(self, offset, buf)
    }

    fn is_in_memory(&self) -> bool {
        true
    }
}

impl ByteSource for &'static [u8] {
    fn len(&self) -> u64 {
        (**self).len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
        read_slice(self, offset, buf)
    }

    fn is_in_memory(&self) -> bool {
        true
    }

    fn share(&self, range: &Range<u64>) -> Option<Bytes> {
        self.get(in_memory(range)).map(Bytes::from_static)
    }
}

/// A file that is already in memory, and whose bytes many may keep.
impl ByteSource for Bytes {
    fn len(&self) -> u64 {
        (**self).len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
        read_slice(self, offset, buf)
    }

    fn is_in_memory(&self) -> bool {
        true
    }

    fn share(&self, range: &Range<u64>) -> Option<Bytes> {
        let found = self.get(in_memory(range))?;
        Some(self.slice_ref(found))
    }
}

/// The range as this machine counts bytes; where it does not fit, there is no such byte.
fn in_memory(range: &Range<u64>) -> Range<usize> {
    let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    place(range.start)..place(range.end)
}

impl<S: ByteSource + ?Sized> ByteSource for Arc<S> {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
        (**self).read_at(offset, buf)
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<(), SourceError> {
        (**self).prefetch(ranges)
    }

    fn is_in_memory(&self) -> bool {
        (**self).is_in_memory()
    }

    fn share(&self, range: &Range<u64>) -> Option<Bytes> {
        (**self).share(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn what_is_shared_is_what_is_read() {
        static DIGITS: &[u8] = b"0123456789";
        let sources: [&dyn ByteSource; 3] =
            [&DIGITS, &Bytes::from_static(DIGITS), &Arc::new(Bytes::copy_from_slice(DIGITS))];
        for source in sources {
            for range in [0..0, 0..10, 3..7, 10..10] {
                let mut read = vec![0; usize::try_from(range.end - range.start).unwrap()];
                source.read_at(range.start, &mut read).unwrap();
                assert_eq!(source.share(&range).unwrap(), read, "{range:?}");
            }
            for range in [9..11, 11..11, 0..u64::MAX, u64::MAX..u64::MAX] {
                assert_eq!(source.share(&range), None, "{range:?}");
            }
        }
        assert_eq!(DIGITS.to_vec().share(&(0..1)), None, "nobody else could keep it");
    }
}

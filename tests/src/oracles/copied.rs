//! Copies of files made of any bytes.

use std::sync::Arc;

use hdf5::{Error, File, NewGroup, Sink, WriteOptions, write};

use super::edited;
use crate::{open, walk};

/// A copy that grows beyond this was not of a small file.
const MAX_COPY: u64 = 64 << 20;

/// Copies the file that `data` describes ([`edited`]).
///
/// Nothing panics. A copy has the content of its original: the same where all of that can be read, and no error more.
/// Copied again it has the same bytes.
pub fn copied(data: &[u8]) {
    let Some(bytes) = edited(data) else { return };
    let Some((original, first)) = copy(bytes) else { return };
    let (copied, second) = copy(first.clone()).expect("what we write can be copied");
    let (here, there) = (walk::everything(&original), walk::everything(&copied));
    if here.errors.is_empty() {
        assert!(there.errors.is_empty(), "an error that the original has not: {:?}", there.errors);
        assert_eq!(here.digest, there.digest, "the copy has other content");
    }
    assert!(first == second, "a copy of a copy has other bytes");
}

/// The file in `bytes`, and a copy of it; `None` where it does not open, or is refused.
fn copy(bytes: Vec<u8>) -> Option<(File, Vec<u8>)> {
    let file = open::source(Arc::new(bytes)).ok()?;
    let root = NewGroup::copy_of(&file.root().ok()?).ok()?;
    let mut sink = Small(Vec::new());
    write(root, &medh5::storage::reading(), &mut sink, &WriteOptions::default()).ok()?;
    Some((file, sink.0))
}

/// A file in memory that does not grow beyond [`MAX_COPY`].
struct Small(Vec<u8>);

impl Sink for Small {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        if offset.saturating_add(bytes.len() as u64) > MAX_COPY {
            return Err(Error::Sink { offset, reason: "the copy is too large".into() });
        }
        self.0.write_at(offset, bytes)
    }
}

//! Recompression of files made of any bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use medh5::storage::{ChunkBudget, Profile};
use medh5::validate::Observer;
use medh5::write::{Recompression, WriteError};

use super::edited;
use crate::{open, walk};

/// A file that asks for more work than this was not a small one, in bytes that are looked at.
const MAX_WORK: u64 = 64 << 20;

/// Recompresses the file that `data` describes: a byte that chooses profile and chunks, then as [`edited`] reads them.
///
/// Nothing panics. What comes out opens, has every `content_id` and the values of what went in, and no error more; recompressed
/// once more under the same profile, nothing is left to change.
pub fn recompress_keeps_content_id(data: &[u8]) {
    let [how, data @ ..] = data else { return };
    let Some(bytes) = edited(data) else { return };
    let profile = Profile::ALL[usize::from(*how) % Profile::ALL.len()];
    let rechunk = (how & 0x10 != 0).then(|| ChunkBudget::of_cache_share(700 << 10));
    let how = Recompression { profile, rechunk };
    let original = Arc::new(bytes);
    let work = Work(AtomicU64::new(0));
    let (out, found) = match how.in_memory(Arc::clone(&original) as _, &work) {
        Ok(done) => done,
        Err(WriteError::System { .. } | WriteError::Changed { .. } | WriteError::Exists { .. }) => {
            panic!("there is no system in memory")
        }
        Err(_) => return,
    };
    assert_eq!(found.len_after, Some(out.len() as u64));
    let (before, after) = (open::source(original), open::source(Arc::new(out.clone())));
    let (before, after) = (before.expect("it was read"), after.expect("we wrote it"));
    assert_eq!(content_id(&before), content_id(&after), "another content_id");
    let (here, there) = (walk::everything(&before), walk::everything(&after));
    assert_eq!(here.objects, there.objects, "objects were lost or made");
    if here.errors.is_empty() {
        assert!(there.errors.is_empty(), "an error that the original has not: {:?}", there.errors);
    }
    let again = how.in_memory(Arc::new(out), &Work(AtomicU64::new(0)));
    if let Ok((_, again)) = again {
        assert!(again.changed.is_empty(), "changed again: {:?}", again.changed);
    }
}

/// What the root states, of samples; nothing of collections.
fn content_id(file: &hdf5::File) -> Option<Vec<u8>> {
    let attribute = file.root().ok()?.attribute("content_id").ok()??;
    match attribute.read().ok()?.elements {
        hdf5::Elements::Strings(texts) => texts.into_iter().next(),
        _ => None,
    }
}

/// Stops after so much work.
struct Work(AtomicU64);

impl Observer for Work {
    fn should_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) > MAX_WORK
    }

    fn progress(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

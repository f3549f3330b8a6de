//! The same file by other ways.

use std::io::Write;
use std::sync::{Arc, LazyLock};

use hdf5::{ByteSource, File, FileSource};
use medh5::ReadError;
use medh5::validate::{Level, Options, validate as judge};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::edited;
use crate::sources::Remote;
use crate::{open, walk};

/// One thread, and two. Kept: a pool's threads outlive it for a while, which counts as a leak.
static POOLS: LazyLock<[ThreadPool; 2]> = LazyLock::new(|| {
    [1, 2].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads"))
});

/// Rounds of "not resident" after which a read counts as endless.
const MAX_ROUNDS: usize = 20_000;

/// Bytes behind the end of the data that make a file too long to be read in one go.
const PADDING: usize = 64 << 10;

/// Reads the file that `data` describes ([`edited`]) from memory, from a file of the system, from a source whose bytes arrive
/// late, and on one thread and two: content, errors and verdict are the same.
pub fn arrival(data: &[u8]) {
    let Some(mut file) = edited(data) else { return };
    file.resize(file.len() + PADDING, 0);
    let bytes: Arc<dyn ByteSource> = Arc::new(file.clone());
    let here = read(open::source(Arc::clone(&bytes))).expect("bytes in memory are never missing");
    for pool in POOLS.iter() {
        let found = pool.install(|| read(open::source(Arc::clone(&bytes))));
        assert_eq!(found.as_ref(), Ok(&here), "{} threads", pool.current_num_threads());
    }
    let stored = on_disk(&file);
    let found = read(open::source(Arc::clone(&stored)));
    assert_eq!(found.as_ref(), Ok(&here), "a file of the system");
    let remote = Arc::new(Remote::new(file));
    let late = until_resident(&remote, |source| read(open::source(source)));
    assert_eq!(here, late, "bytes that arrive late");
    let options = Options::new(Level::Integrity);
    let verdict =
        judge("file", Arc::clone(&bytes), &options).expect("bytes in memory are never missing");
    assert_eq!(judge("file", stored, &options).as_ref(), Ok(&verdict), "a file of the system");
    for pool in POOLS.iter() {
        let found = pool.install(|| judge("file", Arc::clone(&bytes), &options));
        assert_eq!(found.as_ref(), Ok(&verdict), "{} threads", pool.current_num_threads());
    }
    let judge_late = |source| match judge("file", source, &options) {
        Err(ReadError::File(error)) => Err(error),
        Err(error) => panic!("no verdict: {error}"),
        Ok(verdict) => Ok(verdict),
    };
    let late = until_resident(&remote, judge_late);
    assert_eq!(verdict, late, "the verdict on bytes that arrive late");
}

/// The bytes as a file without a name.
fn on_disk(bytes: &[u8]) -> Arc<dyn ByteSource> {
    let mut file = tempfile::tempfile().expect("room for a small file");
    file.write_all(bytes).expect("room for a small file");
    Arc::new(FileSource::new(file).expect("a file that was just written"))
}

/// What a read gives: a digest of all content, and every error's text.
type Content = Result<([u8; 32], Vec<String>), String>;

/// # Errors
/// Only when bytes are missing.
fn read(file: Result<File, hdf5::Error>) -> Result<Content, hdf5::Error> {
    match file {
        Err(error) if error.not_resident().is_some() => Err(error),
        Err(error) => Ok(Err(error.to_string())),
        Ok(file) => {
            let outcome = walk::everything(&file);
            if let Some(error) = outcome.errors.iter().find(|error| error.not_resident().is_some())
            {
                return Err(error.clone());
            }
            let errors = outcome.errors.iter().map(ToString::to_string).collect();
            Ok(Ok((outcome.digest, errors)))
        }
    }
}

/// Fetches what is missing and repeats the call, as a host does.
fn until_resident<T>(
    remote: &Arc<Remote>,
    mut call: impl FnMut(Arc<dyn ByteSource>) -> Result<T, hdf5::Error>,
) -> T {
    for _ in 0..MAX_ROUNDS {
        match call(Arc::clone(remote) as _) {
            Ok(value) => return value,
            Err(error) => remote.fetch(error.not_resident().expect("no other error ends a call")),
        }
    }
    panic!("the same call was repeated {MAX_ROUNDS} times");
}

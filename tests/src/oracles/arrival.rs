//! The same file by other ways.

use std::sync::{Arc, LazyLock};

use hdf5::{ByteSource, File};
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

/// Reads the file that `data` describes ([`edited`]) from memory, from a source whose bytes arrive late, and on one thread
/// and two: content, errors and verdict are the same.
pub fn arrival(data: &[u8]) {
    let Some(file) = edited(data) else { return };
    let bytes: Arc<dyn ByteSource> = Arc::new(file.clone());
    let here = read(open::source(Arc::clone(&bytes))).expect("bytes in memory are never missing");
    let remote = Arc::new(Remote::new(file));
    let late = until_resident(&remote, |source| read(open::source(source)));
    assert_eq!(here, late, "bytes that arrive late");
    for pool in POOLS.iter() {
        let found = pool.install(|| read(open::source(Arc::clone(&bytes))));
        assert_eq!(found.as_ref(), Ok(&here), "{} threads", pool.current_num_threads());
    }
    let options = Options::new(Level::Integrity);
    let verdict = judge("file", bytes, &options).expect("bytes in memory are never missing");
    let judge_late = |source| match judge("file", source, &options) {
        Err(ReadError::File(error)) => Err(error),
        Err(error) => panic!("no verdict: {error}"),
        Ok(verdict) => Ok(verdict),
    };
    let late = until_resident(&remote, judge_late);
    assert_eq!(verdict, late, "the verdict on bytes that arrive late");
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

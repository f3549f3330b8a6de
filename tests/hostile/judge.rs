//! What every hostile input must get.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hdf5::{Class, Error};
use oracles::{open, walk};

/// The longest that one small file may take, in an unoptimised build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most address space that this process may ever have used.
const MEMORY_BYTES: u64 = 2 << 30;

/// The most that one read may give here: elements of 4 GiB are legal, and reading one is what a caller asks for.
const READ_BYTES: u64 = 8 << 20;

/// Opens and reads everything; gives all errors. Panics when a promise is broken.
pub(crate) fn judge(name: &str, bytes: Vec<u8>) -> Vec<Error> {
    let mut options = open::options();
    options.limits.max_read_bytes = READ_BYTES;
    let start = Instant::now();
    let result =
        catch_unwind(AssertUnwindSafe(|| match hdf5::File::open_with(Arc::new(bytes), options) {
            Ok(file) => walk::everything(&file).errors,
            Err(error) => vec![error],
        }));
    let errors = result.unwrap_or_else(|_| panic!("{name}: the reader panicked"));
    assert!(start.elapsed() < PATIENCE, "{name}: took {:?}", start.elapsed());
    for error in &errors {
        speaks(name, error);
    }
    errors
}

/// An error names a structure and an offset, and blames the file, not the caller.
fn speaks(name: &str, error: &Error) {
    let text = error.to_string();
    assert!(
        text.contains(" at byte 0x") || text.contains("bytes 0x"),
        "{name}: no offset in: {text}"
    );
    assert_ne!(error.class(), Class::Request, "{name}: blames the caller: {text}");
    assert!(text.len() < 600, "{name}: {} bytes of message: {text}", text.len());
}

/// Nothing that was read so far needed memory out of proportion.
pub(crate) fn memory_stayed_small() {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return };
    let peak = status.lines().find_map(|line| line.strip_prefix("VmPeak:"));
    let kib = peak
        .and_then(|text| text.trim().split(' ').next())
        .and_then(|text| text.parse::<u64>().ok());
    let bytes = kib.expect("Linux says VmPeak in KiB") << 10;
    assert!(bytes < MEMORY_BYTES, "address space grew to {} MiB", bytes >> 20);
}

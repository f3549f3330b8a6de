//! Who follows a write.

use core::fmt;

use crate::error::Error;

/// Follows a write while it goes on. Asked from several threads.
pub trait Watch: Sync {
    /// So many bytes of elements are about to be read and encoded, or copied; whether to go on.
    fn go_on(&self, bytes: u64) -> bool;
}

impl fmt::Debug for dyn Watch + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// Asks whoever follows the write, if anybody does.
pub(super) fn ask(watch: Option<&dyn Watch>, bytes: u64) -> Result<(), Error> {
    if watch.is_none_or(|watch| watch.go_on(bytes)) { Ok(()) } else { Err(Error::Stopped) }
}

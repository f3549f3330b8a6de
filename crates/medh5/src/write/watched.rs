//! An observer of what is written.

use hdf5::{Watch, WriteOptions};

use crate::validate::Observer;

/// Tells an observer of chunks as they are written, and asks it whether to go on.
pub(super) struct Watched<'a>(pub(super) &'a dyn Observer);

impl Watch for Watched<'_> {
    fn go_on(&self, bytes: u64) -> bool {
        self.0.progress(bytes);
        !self.0.should_stop()
    }
}

impl Watched<'_> {
    /// How to write a file of ours.
    pub(super) fn options(&self) -> WriteOptions<'_> {
        WriteOptions { watch: Some(self), ..WriteOptions::default() }
    }
}

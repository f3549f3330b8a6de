//! The one lock of this crate, with and without `std`. Held for a lookup or an insertion, never while bytes are read.

/// A value that one thread at a time may see.
#[derive(Debug, Default)]
pub(crate) struct Lock<T> {
    #[cfg(feature = "std")]
    inner: std::sync::Mutex<T>,
    #[cfg(not(feature = "std"))]
    inner: spin::Mutex<T>,
}

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { inner: value.into() }
    }

    /// Runs `work` on the value.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        // What is kept behind these locks is complete after every statement, so a panic elsewhere leaves it usable.
        #[cfg(feature = "std")]
        let mut guard = self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        #[cfg(not(feature = "std"))]
        let mut guard = self.inner.lock();
        work(&mut guard)
    }
}

//! Work on independent items, on as many threads as the host gives.

use crate::ReadError;

/// Runs `step` on each item; the results have the order of the items. Of several failures the first item's is given.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    step: impl Fn(&T) -> Result<R, ReadError> + Send + Sync,
) -> Result<Vec<R>, ReadError> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        let results: Vec<_> = items.par_iter().map(step).collect();
        results.into_iter().collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        items.iter().map(step).collect()
    }
}

/// Runs `step` for every number below `count`, each thread with a value of its own, and gives what the threads have then.
///
/// How the numbers are dealt out differs from run to run: the sum of what is left behind must not depend on it.
pub(crate) fn gather<S: Send>(
    count: usize,
    new: impl Fn() -> S + Send + Sync,
    step: impl Fn(&mut S, usize) -> Result<(), ReadError> + Send + Sync,
) -> Result<Vec<S>, ReadError> {
    #[cfg(feature = "parallel")]
    {
        use std::sync::atomic::{AtomicUsize, Ordering};

        use rayon::prelude::*;

        let next = AtomicUsize::new(0);
        let worker = |_| {
            let mut own = new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= count {
                    return Ok(own);
                }
                step(&mut own, index).inspect_err(|_| next.store(count, Ordering::Relaxed))?;
            }
        };
        let workers = rayon::current_num_threads().min(count.max(1));
        (0..workers).into_par_iter().map(worker).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        let mut own = new();
        (0..count).try_for_each(|index| step(&mut own, index))?;
        Ok(vec![own])
    }
}

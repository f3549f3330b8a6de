//! Work on independent items, on as many threads as the host gives, with results in order.

use crate::ReadError;

/// Runs `step` on each item; the results have the order of the items. Of several failures the first item's is given.
pub(super) fn in_order<T: Sync, R: Send>(
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

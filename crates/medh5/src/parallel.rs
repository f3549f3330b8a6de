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
        if items.len() < 2 {
            return items.iter().map(step).collect();
        }
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
        use rayon::prelude::*;

        let numbers = Numbers::below(count);
        let worker = |_| {
            let mut own = new();
            while let Some(number) = numbers.take() {
                step(&mut own, number).inspect_err(|_| numbers.end())?;
            }
            Ok(own)
        };
        let workers = rayon::current_num_threads().min(count.max(1));
        (0..workers).into_par_iter().map(worker).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        let mut own = new();
        (0..count).try_for_each(|number| step(&mut own, number))?;
        Ok(vec![own])
    }
}

/// The result of `step` for the first number below `count` that has one, each thread with a scratch value of its own.
///
/// Numbers are dealt out in their order, and none is once a lower one has a result.
pub(crate) fn first<S: Default, R: Send>(
    count: usize,
    step: impl Fn(&mut S, usize) -> Option<R> + Send + Sync,
) -> Option<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;

        let numbers = Numbers::below(count);
        let worker = |_| {
            let mut own = S::default();
            while let Some(number) = numbers.take() {
                if let Some(result) = step(&mut own, number) {
                    numbers.end();
                    return Some((number, result));
                }
            }
            None
        };
        if count == 1 {
            return step(&mut S::default(), 0);
        }
        let workers = rayon::current_num_threads().min(count.max(1));
        let found = (0..workers).into_par_iter().filter_map(worker);
        found.min_by_key(|(number, _)| *number).map(|(_, result)| result)
    }
    #[cfg(not(feature = "parallel"))]
    {
        let mut own = S::default();
        (0..count).find_map(|number| step(&mut own, number))
    }
}

/// Numbers that threads take, each once and in their order.
#[cfg(feature = "parallel")]
struct Numbers {
    next: std::sync::atomic::AtomicUsize,
    count: usize,
}

#[cfg(feature = "parallel")]
impl Numbers {
    fn below(count: usize) -> Self {
        Self { next: 0.into(), count }
    }

    fn take(&self) -> Option<usize> {
        use std::sync::atomic::Ordering::Relaxed;
        let after = |next: usize| (next < self.count).then(|| next + 1);
        self.next.fetch_update(Relaxed, Relaxed, after).ok()
    }

    /// Leaves nothing more to take.
    fn end(&self) {
        self.next.store(self.count, std::sync::atomic::Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_result_is_that_of_the_lowest_number() {
        for last in [0, 1, 7, 999] {
            let found = first(1000, |(): &mut (), number| (number >= last).then_some(number));
            assert_eq!(found, Some(last));
        }
        assert_eq!(first(1000, |(): &mut (), _| None::<u8>), None);
        assert_eq!(first(0, |(): &mut (), number| Some(number)), None);
        // What cannot be counted ends all the same.
        assert_eq!(first(usize::MAX, |(): &mut (), number| Some(number)), Some(0));
    }

    #[test]
    fn every_number_is_seen_once() {
        let sums = gather(
            1000,
            || 0,
            |sum, number| {
                *sum += number;
                Ok(())
            },
        );
        assert_eq!(sums.unwrap().into_iter().sum::<usize>(), 499_500);
    }
}

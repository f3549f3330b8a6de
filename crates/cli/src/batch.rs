//! Many inputs: several at a time, results in the order of the inputs.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use medh5::validate::Observer;

use crate::exit::Failure;
use crate::inputs::Input;
use crate::progress::Progress;

/// How many threads may be asked for.
pub(crate) const JOBS: std::ops::RangeInclusive<i64> = 1..=1024;

/// Sets how many threads a run may use, over all files together.
///
/// # Errors
/// [`Failure::Failed`] when the threads cannot be started.
pub(crate) fn set_jobs(jobs: Option<usize>) -> Result<(), Failure> {
    let Some(jobs) = jobs else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build_global()
        .map_err(|error| Failure::Failed(format!("cannot start {jobs} threads: {error}")))
}

/// Runs `work`; should it panic, that is said instead, so that a bug met in one file costs no other file its result.
pub(crate) fn isolate<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        format!("internal error: {said} (this is a bug of medh5-lite, please report it)")
    })
}

/// Results of small files are collected for this long and handed on together. Whoever waits for a result must be woken by the
/// thread that has it, which for each small file would cost as much as judging it.
const BURST: Duration = Duration::from_millis(1);
/// The last ones are not waited for.
const FEW: usize = 16;

/// Runs `work` on every input and `emit` on the results, in the order of the inputs.
///
/// `work` gives nothing when it was asked to stop. What is finished by then is still emitted.
///
/// # Errors
/// The first error of `emit`; the rest of the work is then abandoned.
pub(crate) fn run<T: Send>(
    inputs: &[Input],
    progress: &Progress,
    work: impl Fn(&Input) -> Option<T> + Sync,
    mut emit: impl FnMut(Vec<T>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let one = |input: &Input| {
        progress.start_file(&input.to_string());
        let result = work(input);
        progress.finish_file();
        result
    };
    if let [input] = inputs {
        // No thread for a single file: starting one costs as much as judging a small sample.
        return one(input).map_or(Ok(()), |result| progress.suspend(|| emit(vec![result])));
    }
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    let worker = |sender: mpsc::Sender<(usize, Option<T>)>| {
        while !progress.should_stop() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(input) = inputs.get(index) else { break };
            if sender.send((index, one(input))).is_err() {
                break;
            }
        }
    };
    std::thread::scope(|threads| {
        threads.spawn(|| {
            // The workers are tasks of the pool that also runs the parts of one file, so that threads are not counted twice.
            rayon::scope(|tasks| {
                for _ in 0..rayon::current_num_threads().min(inputs.len()) {
                    let sender = sender.clone();
                    tasks.spawn(|_| worker(sender));
                }
                drop(sender);
            });
        });
        let bursts = bursts(&results, inputs.len());
        let emitted = in_order(bursts, |results| progress.suspend(|| emit(results)));
        if emitted.is_err() {
            progress.abandon();
        }
        emitted
    })
}

/// The results as they come; those of small files in bursts.
fn bursts<T>(results: &Receiver<T>, mut left: usize) -> impl Iterator<Item = Vec<T>> {
    std::iter::from_fn(move || {
        if left > FEW {
            std::thread::sleep(BURST);
        }
        let mut burst: Vec<T> = results.try_iter().collect();
        if burst.is_empty() {
            burst.push(results.recv().ok()?);
        }
        left = left.saturating_sub(burst.len());
        Some(burst)
    })
}

/// Hands on the results in the order of their indices; after the last one, also those behind a gap.
fn in_order<T>(
    bursts: impl IntoIterator<Item = Vec<(usize, Option<T>)>>,
    mut emit: impl FnMut(Vec<T>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for burst in bursts {
        waiting.extend(burst);
        let mut ready = Vec::new();
        while let Some(result) = waiting.remove(&next) {
            next += 1;
            ready.extend(result);
        }
        if !ready.is_empty() {
            emit(ready)?;
        }
    }
    match waiting.into_values().flatten().collect::<Vec<T>>() {
        none if none.is_empty() => Ok(()),
        behind => emit(behind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::{Color, Terminal};

    #[test]
    fn results_come_in_the_order_of_the_inputs() {
        let inputs: Vec<_> = (0..50).map(|number| Input::parse(number.to_string())).collect();
        let progress = Progress::new(inputs.len(), Terminal::new(Color::Never, true));
        let mut seen = Vec::new();
        run(
            &inputs,
            &progress,
            |input| Some(input.to_string()),
            |names| {
                seen.extend(names);
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(seen, (0..50).map(|number| number.to_string()).collect::<Vec<_>>());
    }

    #[test]
    fn a_bug_costs_only_its_file() {
        let failed = isolate(|| "seven".parse::<u8>().expect("a number"));
        let said = failed.unwrap_err();
        assert!(
            said.starts_with("internal error: a number: ") && said.ends_with("please report it)")
        );
        assert_eq!(isolate(|| 7), Ok(7));
    }

    #[test]
    fn what_is_finished_behind_a_gap_is_not_lost() {
        let mut seen = Vec::new();
        let bursts = [vec![(2, Some('c'))], vec![(0, Some('a')), (3, None)]];
        in_order(bursts, |results| {
            seen.push(results);
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, [['a'], ['c']]);
    }

    #[test]
    fn a_closed_pipe_ends_the_run() {
        let inputs: Vec<_> = (0..50).map(|number| Input::parse(number.to_string())).collect();
        let progress = Progress::new(inputs.len(), Terminal::new(Color::Never, true));
        let result = run(&inputs, &progress, |_| Some(()), |_| Err(Failure::ClosedPipe));
        assert!(matches!(result, Err(Failure::ClosedPipe)));
    }
}

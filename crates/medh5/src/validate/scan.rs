//! Looks at stored elements, in windows of bounded size, each question about a dataset answered once.

mod class_sums;
mod element_test;
mod overlaps;
mod stack;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use hdf5::{Address, Dataset, Window};

pub(crate) use class_sums::first_sum_off;
pub(crate) use element_test::ElementTest;
#[cfg(feature = "encode")]
pub(crate) use overlaps::LabelSets;
pub(crate) use overlaps::overlapping_pairs;

use super::{Context, Memo, Question, What, pause};
use crate::ReadError;
use crate::parallel::first;
use crate::plausible::require_plausible_scan;
use crate::tiles::Tiles;
use crate::values::dtype_name;

/// What was found out about the elements of datasets so far.
#[derive(Debug, Default)]
pub struct Scans {
    answers: Mutex<HashMap<(Address, ElementTest), bool>>,
}

impl Scans {
    /// Whether some element of `dataset` passes `test`. Looks no further than the first that does.
    ///
    /// # Errors
    /// [`ReadError::Value`] for elements that are no numbers, [`ReadError::File`] when some before the answer cannot be read.
    pub(crate) fn any(
        &self,
        context: &Context<'_>,
        dataset: &Dataset,
        test: ElementTest,
    ) -> Result<bool, ReadError> {
        let question = (dataset.address(), test);
        let lock = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&question).copied();
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = scan(context, dataset, test)?;
        lock().insert(question, answer);
        Ok(answer)
    }

    /// Keeps the answer of [`Scans::any`] that someone found who looked at every element for another reason.
    pub(crate) fn know(&self, dataset: &Dataset, test: ElementTest, answer: bool) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.insert((dataset.address(), test), answer);
    }
}

fn scan(context: &Context<'_>, dataset: &Dataset, test: ElementTest) -> Result<bool, ReadError> {
    let Some(number) = dataset.datatype().number() else {
        let found = dtype_name(dataset.datatype());
        return Err(ReadError::value(format!("{}: {found} elements, not numbers", dataset.path())));
    };
    require_plausible_scan(dataset)?;
    let element_bytes = u64::from(dataset.datatype().size);
    let tiles = Tiles::new(dataset.shape(), dataset.chunk_dims(), element_bytes);
    let question = Question { address: dataset.address(), what: What::Elements(test) };
    let look = |buffer: &mut Vec<u8>, place: Place| -> Result<Option<()>, ReadError> {
        let window = tiles.window(place.tile);
        let bytes = read_bytes(dataset, &window, buffer)?;
        context.checkpoint(bytes.len() as u64)?;
        Ok(test.any(number, bytes).then_some(()))
    };
    let steps = Steps { tiles: tiles.count(), parts: 1 };
    Ok(first_in_order(context, question, steps, look)?.is_some())
}

/// Reads a window into `buffer`, which keeps its memory between calls.
fn read_bytes<'b>(
    dataset: &Dataset,
    window: &Window,
    buffer: &'b mut Vec<u8>,
) -> Result<&'b [u8], ReadError> {
    let elements = window.shape.iter().fold(1_u64, |n, dim| n.saturating_mul(*dim));
    let bytes = elements.saturating_mul(u64::from(dataset.datatype().size));
    buffer.resize(usize::try_from(bytes).unwrap_or(usize::MAX), 0);
    dataset.read_bytes(window, buffer)?;
    Ok(buffer)
}

/// How a look at a dataset goes step by step: tile by tile, each in so many parts, at least one.
#[derive(Debug, Clone, Copy)]
struct Steps {
    tiles: usize,
    parts: usize,
}

/// One step.
#[derive(Debug, Clone, Copy)]
struct Place {
    tile: usize,
    part: usize,
}

/// The first step that gives something or fails, as if they ran one after the other.
///
/// Each thread has a scratch value of its own, which sees the parts of a tile in their order. A step that fails to read must
/// leave it as it was.
fn first_in_order<S, T>(
    context: &Context<'_>,
    question: Question,
    steps: Steps,
    step: impl Fn(&mut S, Place) -> Result<Option<T>, ReadError> + Sync,
) -> Result<Option<T>, ReadError>
where
    S: Default + Send + 'static,
    T: Clone + Send + 'static,
{
    if let Some(memo) = context.observer.memo() {
        return resumed(context, memo, question, steps, step);
    }
    let tile = |scratch: &mut S, tile: usize| {
        (0..steps.parts).find_map(|part| step(scratch, Place { tile, part }).transpose())
    };
    first(steps.tiles, tile).transpose()
}

/// How far a look has come.
enum Progress<S, T> {
    /// The next step, and what the steps before it left.
    At(usize, S),
    Done(Option<T>),
}

/// Goes on where the last call was interrupted, and ends early when the host asks.
fn resumed<S, T>(
    context: &Context<'_>,
    memo: &Memo,
    question: Question,
    steps: Steps,
    step: impl Fn(&mut S, Place) -> Result<Option<T>, ReadError>,
) -> Result<Option<T>, ReadError>
where
    S: Default + Send + 'static,
    T: Clone + Send + 'static,
{
    let (mut at, mut scratch) = match memo.take(&question) {
        Some(Progress::Done(answer)) => {
            memo.keep(question, Progress::<S, T>::Done(answer.clone()));
            return Ok(answer);
        }
        Some(Progress::At(at, scratch)) => (at, scratch),
        None => (0, S::default()),
    };
    let outcome = loop {
        let place = Place { tile: at / steps.parts, part: at % steps.parts };
        if place.tile >= steps.tiles {
            break Ok(None);
        }
        match step(&mut scratch, place) {
            Ok(None) => at += 1,
            outcome => break outcome,
        }
        if let Err(stopped) = pause(context.observer) {
            break Err(stopped);
        }
    };
    let progress = match &outcome {
        Ok(answer) => Progress::Done(answer.clone()),
        Err(_) => Progress::At(at, scratch),
    };
    memo.keep::<Progress<S, T>>(question, progress);
    outcome
}

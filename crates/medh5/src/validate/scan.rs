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
pub(crate) use overlaps::{LabelSets, overlapping_pairs};

use super::Context;
use crate::ReadError;
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
}

fn scan(context: &Context<'_>, dataset: &Dataset, test: ElementTest) -> Result<bool, ReadError> {
    let Some(number) = dataset.datatype().number() else {
        let found = dtype_name(dataset.datatype());
        return Err(ReadError::value(format!("{}: {found} elements, not numbers", dataset.path())));
    };
    require_plausible_scan(dataset)?;
    let element_bytes = u64::from(dataset.datatype().size);
    let tiles = Tiles::new(dataset.shape(), dataset.chunk_dims(), element_bytes);
    let look = |buffer: &mut Vec<u8>, index: usize| -> Result<Option<()>, ReadError> {
        let window = tiles.window(index);
        let bytes = read_bytes(dataset, &window, buffer)?;
        context.checkpoint(bytes.len() as u64)?;
        Ok(test.any(number, bytes).then_some(()))
    };
    Ok(first_in_order(tiles.count(), look)?.is_some())
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

/// The first of `count` steps that gives something or fails, as if they ran one after the other.
///
/// Each thread has a scratch value of its own.
fn first_in_order<S, T, E>(
    count: usize,
    step: impl Fn(&mut S, usize) -> Result<Option<T>, E> + Sync,
) -> Result<Option<T>, E>
where
    S: Default + Send,
    T: Send,
    E: Send,
{
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        let steps = (0..count).into_par_iter();
        let first = steps
            .map_init(S::default, |scratch, index| step(scratch, index).transpose())
            .find_first(Option::is_some);
        first.flatten().transpose()
    }
    #[cfg(not(feature = "parallel"))]
    {
        let mut scratch = S::default();
        (0..count).find_map(|index| step(&mut scratch, index).transpose()).transpose()
    }
}

//! A box of elements inside a dataset.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use crate::error::Error;

/// A box of elements: per axis a start, a number of elements and a step, slowest axis first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// First element of each axis.
    pub start: Vec<u64>,
    /// Number of elements taken of each axis; the shape of the result.
    pub shape: Vec<u64>,
    /// Distance between neighbours that are taken, at least 1.
    pub step: Vec<u64>,
}

impl Window {
    /// Every element of `shape`.
    pub fn all(shape: &[u64]) -> Self {
        Self { start: vec![0; shape.len()], shape: shape.to_vec(), step: vec![1; shape.len()] }
    }

    /// The box of `shape` that starts at `start`.
    pub fn new(start: &[u64], shape: &[u64]) -> Self {
        Self { start: start.to_vec(), shape: shape.to_vec(), step: vec![1; start.len()] }
    }

    /// The same start and number of elements, taking every `step`-th.
    #[must_use]
    pub fn with_step(mut self, step: &[u64]) -> Self {
        self.step = step.to_vec();
        self
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Refuses a window that is not inside a dataset of `dims`.
    pub(super) fn check(&self, dims: &[u64]) -> Result<(), Error> {
        let rank = dims.len();
        if [&self.start, &self.shape, &self.step].iter().any(|axes| axes.len() != rank) {
            let found = self.shape.len();
            return Err(Error::Request {
                reason: format!("a window of {found} axes in a dataset of {rank}"),
            });
        }
        for (axis, dim) in dims.iter().enumerate() {
            if self.end(axis).is_none_or(|end| end > *dim) {
                let Self { start, shape, step } = self;
                return Err(Error::Request {
                    reason: format!(
                        "the window from {start:?} of shape {shape:?} and step {step:?} is not inside {dims:?}"
                    ),
                });
            }
        }
        Ok(())
    }

    /// One more than the last element along `axis`; `None` for a step of 0 and for more than 64 bits hold.
    fn end(&self, axis: usize) -> Option<u64> {
        let (start, n, step) =
            (*self.start.get(axis)?, *self.shape.get(axis)?, *self.step.get(axis)?);
        if step == 0 {
            return None;
        }
        match n.checked_sub(1) {
            Some(gaps) => start.checked_add(gaps.checked_mul(step)?)?.checked_add(1),
            None => Some(start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_is_inside() {
        let dims = [4, 6];
        assert!(Window::all(&dims).check(&dims).is_ok());
        assert!(Window::new(&[4, 6], &[0, 0]).check(&dims).is_ok());
        assert!(Window::new(&[1, 0], &[2, 2]).with_step(&[2, 5]).check(&dims).is_ok());
        for outside in [
            Window::new(&[0, 0], &[5, 1]),
            Window::new(&[1, 1], &[2, 2]).with_step(&[2, 5]),
            Window::new(&[0, 0], &[1, 1]).with_step(&[0, 1]),
            Window::new(&[u64::MAX, 0], &[2, 1]),
            Window::new(&[0, 0], &[u64::MAX, 1]).with_step(&[u64::MAX, 1]),
            Window::new(&[0], &[1]),
        ] {
            assert!(outside.check(&dims).is_err(), "{outside:?}");
        }
    }
}

//! A box of elements inside a dataset.

use alloc::vec;
use alloc::vec::Vec;

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
}

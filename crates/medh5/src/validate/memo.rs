//! What is known of a file so far, so that a call that is repeated goes on where it was interrupted.
//!
//! A host whose bytes come late repeats a call until nothing is missing; one that must stay responsive ends a call early and
//! repeats it. With a memo, finished rules and finished parts of scans are not done again. A memo holds what follows from the
//! file's bytes alone, so that it never changes a result.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hdf5::Address;

use super::scan::ElementTest;
use crate::integrity::Algorithm;

/// What is known of one file so far. It must not be used for another, nor for other options of a validation.
#[derive(Default)]
pub struct Memo {
    decoded: AtomicU64,
    kept: Mutex<HashMap<Question, Box<dyn Any + Send>>>,
}

/// What was asked, and of which object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    pub(crate) address: Address,
    pub(crate) what: What,
}

/// What was asked of an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum What {
    /// The judgement of a sample whose locations start with a prefix.
    Sample(String),
    /// The findings of a rule about such a sample.
    Rule(&'static str, String),
    /// Whether some element passes.
    Elements(ElementTest),
    /// Which classes overlap, but for the ignored one.
    Overlaps(i64),
    /// The pairs of overlapping classes that were met so far.
    Pairs,
    /// Whether sums over classes are 1.
    Sums,
    /// Its digest, as the object at a path.
    Digest(Algorithm, String),
}

impl Memo {
    /// A memo of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes of stored values that were looked at so far, over all calls.
    pub(super) fn decoded(&self) -> u64 {
        self.decoded.load(Ordering::Relaxed)
    }

    pub(super) fn count(&self, bytes: u64) {
        self.decoded.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Takes out what is kept for a question.
    pub(crate) fn take<T: 'static>(&self, question: &Question) -> Option<T> {
        let kept = self.lock().remove(question)?;
        kept.downcast().ok().map(|value| *value)
    }

    /// A copy of what is kept for a question.
    pub(crate) fn get<T: Clone + 'static>(&self, question: &Question) -> Option<T> {
        self.lock().get(question)?.downcast_ref().cloned()
    }

    /// Whether something is kept for a question.
    pub(crate) fn has(&self, question: &Question) -> bool {
        self.lock().contains_key(question)
    }

    /// Keeps something for a question, in place of what was kept.
    pub(crate) fn keep<T: Send + 'static>(&self, question: Question, value: T) {
        self.lock().insert(question, Box::new(value));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Question, Box<dyn Any + Send>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Memo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Memo of {} answers", self.lock().len())
    }
}

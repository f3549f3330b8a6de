//! What is wrong between files: one pass over each gives an entry, a pure function over entries gives the audit.
//!
//! Only metadata and the sampling index are read, never a voxel. A question that does not arise is answered so, with the
//! reason, and what could not be read stays in every denominator.

mod audit;
mod check;
mod checks;
mod classes;
mod entry;
mod geometry;
mod labels;
mod members;
mod survey;

pub use audit::{Audit, SampleLine, Totals, audit};
pub use check::{Check, Group, Outcome, Weight};
pub use classes::{Cell, ClassMatrix, ClassRow, Column};
pub use entry::{
    AnnotationEntry, ClassEntry, CohortEntry, GridEntry, ImageEntry, IndexState, LabelSetEntry,
    Problem, SplitEntry,
};
pub use geometry::{GeometryGroup, Property};
pub use labels::{LabelDifference, LabelSetUse, MovedClass, RenamedClass};
pub use survey::FileSurvey;

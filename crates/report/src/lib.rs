//! Verdicts and audits in the forms that people and other programs read. None judges anything, none knows a terminal.

pub mod cohort;
mod forms;
mod markup;
pub mod page;
mod selection;
mod verdict;

pub use forms::{Folded, Form, Report, fold};
pub use selection::{Selection, UnknownPrefix, codes_with};
pub use verdict::{Counts, Summary, Verdict, plural};

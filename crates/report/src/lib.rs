//! Verdicts and audits in the forms that people and other programs read. None judges anything, none knows a terminal.

pub mod cohort;
mod markup;

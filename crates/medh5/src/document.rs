//! The sample document: `/meta`, one JSON text about the subject, the timepoints, the classes and the curation.
//! Spec: MEDH5 1.0 §11.

mod curation;
mod flaw;
mod identity;
mod load;
pub(crate) mod members;
mod of_sample;
mod parse;
mod structure;
mod time;
mod timepoints;
pub(crate) mod vocabulary;

pub use curation::{
    Activity, Agent, Agreement, Deidentification, Issue, Provenance, QualityRecord, SplitClaim,
};
pub use flaw::Flaw;
pub use identity::{Cohort, Identity};
pub use load::{Judged, judge_text, load};
pub use parse::Document;
pub use timepoints::Timepoint;

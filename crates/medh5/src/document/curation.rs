//! Who made the sample, how good it is, which split it belongs to, and how it was de-identified.

mod deidentification;
mod provenance;
mod quality;
mod splits;

pub use deidentification::Deidentification;
pub use provenance::{Activity, Agent, Provenance};
pub(super) use quality::parse as parse_quality;
pub use quality::{Agreement, Issue, QualityRecord};
pub use splits::SplitClaim;

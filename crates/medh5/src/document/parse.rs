//! The document as a whole.

use std::collections::BTreeMap;

use super::curation::parse_quality;
use super::members::Members;
use super::{
    Cohort, Deidentification, Flaw, Identity, Provenance, QualityRecord, SplitClaim, Timepoint,
    timepoints,
};
use crate::json::{Map, Value};
use crate::labels::LabelSet;

/// The sample document.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Whom the sample is about.
    pub identity: Identity,
    /// The visits, in order of time; at least one.
    pub timepoints: Vec<Timepoint>,
    /// The data set it belongs to.
    pub cohort: Option<Cohort>,
    /// The classes that annotations use.
    pub label_set: Option<LabelSet>,
    /// Who made it.
    pub provenance: Provenance,
    /// Judgements, by the name that objects refer to.
    pub quality: BTreeMap<String, QualityRecord>,
    /// The splits it claims to be in.
    pub splits: Vec<SplitClaim>,
    /// How images were acquired, by image.
    pub acquisition: Map,
    /// How it was de-identified.
    pub deidentification: Option<Deidentification>,
    /// What the format does not define.
    pub extra: Map,
}

impl Document {
    /// Reads a document, whether or not it has the structure that the format asks for.
    ///
    /// # Errors
    /// The first [`Flaw`] that keeps it from being used.
    pub fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "the document")?;
        let given = |name: &str| members.optional(name).filter(|value| !value.is_falsy());
        let empty = Value::Object(Map::default());
        Ok(Self {
            identity: Identity::parse(members.required("identity")?)?,
            timepoints: timepoints::parse(members.required("timepoints")?)?,
            cohort: given("cohort").map(Cohort::parse).transpose()?,
            label_set: given("label_set").map(LabelSet::parse).transpose()?,
            provenance: Provenance::parse(given("provenance").unwrap_or(&empty))?,
            quality: parse_quality(&members.object("quality"))?,
            splits: members
                .items("splits")
                .iter()
                .map(SplitClaim::parse)
                .collect::<Result<_, _>>()?,
            acquisition: members.object("acquisition"),
            deidentification: given("deidentification").map(Deidentification::parse).transpose()?,
            extra: members.object("extra"),
        })
    }

    /// The timepoint of this id.
    pub fn timepoint(&self, id: &str) -> Option<&Timepoint> {
        self.timepoints.iter().find(|timepoint| timepoint.id == id)
    }
}

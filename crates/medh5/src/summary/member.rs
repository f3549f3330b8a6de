//! One sample of a collection, on one line.

use serde::Serialize;

use crate::sample::Chapter;
use crate::{ReadError, Sample};

/// What tells the samples of a collection apart.
#[derive(Debug, Clone, Serialize)]
pub struct MemberSummary {
    /// Its key.
    pub key: String,
    /// Identifier of the sample, if the document is usable.
    pub sample_id: Option<String>,
    /// Identifier of the subject, if the document is usable.
    pub subject_id: Option<String>,
    /// Declared profiles.
    pub profiles: Vec<String>,
    /// Merkle root as stored.
    pub content_id: Option<String>,
    /// Identifiers of the timepoints.
    pub timepoints: Vec<String>,
    /// Names of the images.
    pub images: Vec<String>,
    /// Names of the annotations.
    pub annotations: Vec<String>,
}

impl MemberSummary {
    /// Summarises the member `key`.
    ///
    /// # Errors
    /// [`ReadError::File`] when something that is named here cannot be read.
    pub fn of(key: String, sample: &Sample) -> Result<Self, ReadError> {
        let document = sample.document()?;
        let names = |chapter| -> Result<Vec<String>, ReadError> {
            Ok(sample.children(chapter)?.iter().map(|child| child.name().to_owned()).collect())
        };
        let timepoints = document.iter().flat_map(|document| &document.timepoints);
        Ok(Self {
            key,
            timepoints: timepoints.map(|timepoint| timepoint.id.clone()).collect(),
            sample_id: document.as_ref().map(|document| document.identity.sample_id.clone()),
            subject_id: document.as_ref().map(|document| document.identity.subject_id.clone()),
            images: names(Chapter::Images)?,
            annotations: names(Chapter::Annotations)?,
            profiles: sample.attributes().strings("medh5_profiles")?.unwrap_or_default(),
            content_id: sample.attributes().text("content_id")?,
        })
    }
}

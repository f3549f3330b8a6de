//! What an audit keeps of one sample: a few kilobytes, whatever the size of the file.

use serde::{Deserialize, Serialize};

/// One sample, as far as an audit looks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CohortEntry {
    /// The file as the caller named it, and `::KEY` for a member of a collection.
    pub path: String,
    /// Whether the sample could be opened; if not, everything below but `problems` is empty.
    pub is_open: bool,
    /// What could not be read of it, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// Whether the document could be used.
    pub has_document: bool,
    /// Name of the sample in its data set.
    pub sample_id: Option<String>,
    /// Pseudonym of the subject.
    pub subject_id: Option<String>,
    /// The site that acquired the data.
    pub site_id: Option<String>,
    /// The group of subjects that must stay together.
    pub group_id: Option<String>,
    /// Merkle root as stored.
    pub content_id: Option<String>,
    /// Whether there is a record of de-identification.
    pub is_deidentified: bool,
    /// The vocabulary.
    pub label_set: Option<LabelSetEntry>,
    /// Its claims to be in splits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<SplitEntry>,
    /// Its images, sorted by the bytes of their names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<ImageEntry>,
    /// Its annotations, sorted likewise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<AnnotationEntry>,
    /// Datasets of images and annotations without a digest, as paths without a leading slash.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undigested: Vec<String>,
}

/// A part of a sample that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Where, from the root of the sample.
    pub location: String,
    /// Why, as a sentence.
    pub message: String,
}

/// A vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelSetEntry {
    /// Its name.
    pub id: String,
    /// Its version.
    pub version: String,
    /// SHA-256 of its meaning, bare hexadecimal: computed, or for a reference as stated.
    pub digest: String,
    /// Whether its classes are at an address, so that none is known here.
    pub is_reference: bool,
    /// Its classes, by id.
    pub classes: Vec<ClassEntry>,
}

/// One class of a vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassEntry {
    /// What is stored in voxels.
    pub id: i64,
    /// A short name for programs.
    pub key: String,
    /// A name for people.
    pub name: String,
    /// Red, green, blue and opacity, 0 to 255 each; empty if not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub color: Vec<i64>,
}

/// A claim to be in a part of a split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitEntry {
    /// The split.
    pub set_id: String,
    /// `train`, `val`, `test`, `holdout` or `unassigned`.
    pub partition: String,
    /// The fold of a cross-validation.
    pub fold: Option<i64>,
}

/// An image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImageEntry {
    /// Its name.
    pub id: String,
    /// How it was made, such as `CT`.
    pub modality: Option<String>,
    /// The stored digest of its values at full resolution; it also covers their type, their shape and the image's name.
    pub digest: Option<String>,
    /// The grid it names, if that can be read.
    pub grid: Option<GridEntry>,
}

/// Where the voxels of an image are. Lists over spatial axes are slowest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GridEntry {
    /// Extents of the spatial axes, in voxels.
    pub shape: Vec<i64>,
    /// Distance between neighbours, in `units`.
    pub spacing: Vec<f64>,
    /// Unit of the spacing.
    pub units: String,
    /// Towards which side of the body each axis grows, such as `SPL`; `None` for a grid without a place in a body.
    pub orientation: Option<String>,
    /// The largest angle between an axis and the body axis it is named after, in degrees.
    pub tilt_degrees: f64,
}

/// An annotation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnnotationEntry {
    /// Its name.
    pub id: String,
    /// Its kind as spelled.
    pub kind: Option<String>,
    /// The classes that it can express.
    pub declared: Vec<i64>,
    /// The classes that were looked for, so that their absence means something.
    pub examined: Vec<i64>,
    /// What the sampling index says of it.
    pub index: IndexState,
    /// Voxels by class, from an index that is current; nothing otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub voxels: Vec<(i64, u64)>,
}

/// What the sampling index says of an annotation, as far as stored digests tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IndexState {
    /// It needs no entry: a mask, or no voxels.
    NotNeeded,
    /// It has none.
    Missing,
    /// Its entry was made from other contents.
    Stale,
    /// Whether its entry is current cannot be told without reading voxels: digests are missing.
    Unchecked,
    /// Its entry was made from these contents.
    Current,
}

//! The words that members of the document may hold.

pub(super) const SEX: &[&str] = &["F", "M", "O", "unknown"];
pub(crate) const LATERALITY: &[&str] = &["left", "right", "bilateral"];
pub(super) const AGENT_TYPE: &[&str] = &["person", "software", "organization"];
pub(super) const AGENT_ROLE: &[&str] =
    &["annotator", "reviewer", "arbiter", "converter", "predictor", "curator", "other"];
pub(super) const ACTIVITY_TYPE: &[&str] = &[
    "import",
    "annotate",
    "review",
    "predict",
    "resample",
    "register",
    "derive",
    "deidentify",
    "transcode",
    "other",
];
pub(super) const QUALITY_STATUS: &[&str] =
    &["draft", "submitted", "reviewed", "approved", "rejected", "deprecated"];
pub(super) const ISSUE_SEVERITY: &[&str] = &["info", "warning", "error"];
pub(super) const PARTITION: &[&str] = &["train", "val", "test", "holdout", "unassigned"];
pub(super) const ID_MAPPING: &[&str] = &["external", "irreversible", "none"];
pub(crate) const LABEL_SET_FORM: &[&str] = &["inline", "ref"];

//! The structure of the sample document, stated in our schema language. Spec: MEDH5 1.0 §11 and its document schema.

use super::vocabulary as words;
use crate::json::schema::{
    Kind, Pattern, Schema, array, condition, object, object_of, object_of_named, of, one_of,
    one_of_or_null, optional, required, text,
};
use crate::labels::{FIRST_CLASS_ID, LAST_CLASS_ID};

/// The whole document.
pub(super) static DOCUMENT: Schema = object(&[
    required("identity", &IDENTITY),
    required("timepoints", &TIMEPOINTS),
    optional("cohort", &COHORT),
    optional("label_set", &LABEL_SET),
    optional("provenance", &PROVENANCE),
    optional("quality", &QUALITY),
    optional("splits", &SPLITS),
    optional("acquisition", &ACQUISITION),
    optional("deidentification", &DEIDENTIFICATION),
    optional("extra", &OBJECT),
])
.closed();

static OBJECT: Schema = object(&[]);
static ARRAY_OF_STRINGS: Schema = array(&STRING);
static STRING: Schema = of(&[Kind::String]);
static FILLED_STRING: Schema = of(&[Kind::String]).min_chars(1);
static NUMBER: Schema = of(&[Kind::Number]);
static NUMBER_FROM_0: Schema = of(&[Kind::Number]).minimum(0.0);
static INTEGER: Schema = of(&[Kind::Integer]);
static INTEGER_FROM_0: Schema = of(&[Kind::Integer]).minimum(0.0);
static BOOLEAN: Schema = of(&[Kind::Boolean]);
static ID: Schema = text(Pattern::Identifier);
static ARRAY_OF_IDS: Schema = array(&ID);
static HEX64: Schema = text(Pattern::Hex64);
/// The date-time form is not a matter of structure: parsing the document judges it.
static TIMESTAMP: Schema = of(&[Kind::String]);
static CLASS_ID: Schema =
    of(&[Kind::Integer]).minimum(FIRST_CLASS_ID as f64).maximum(LAST_CLASS_ID as f64);
static ARRAY_OF_CLASS_IDS: Schema = array(&CLASS_ID);

static IDENTITY: Schema = object(&[
    required("sample_id", &FILLED_STRING),
    required("subject_id", &FILLED_STRING),
    optional("sex", &SEX),
    optional("laterality", &LATERALITY),
    optional("bodypart", &STRING),
]);
static SEX: Schema = one_of_or_null(words::SEX);
static LATERALITY: Schema = one_of_or_null(words::LATERALITY);

static TIMEPOINTS: Schema = array(&TIMEPOINT).items_between(1, usize::MAX);
static TIMEPOINT: Schema = object(&[
    required("id", &ID),
    required("index", &INTEGER_FROM_0),
    optional("label", &STRING),
    optional("date", &STRING),
    optional("study_uid", &STRING),
    optional("description", &STRING),
    optional("days_from_baseline", &NUMBER),
    optional("series_uids", &SERIES_UIDS),
    optional("subject_age_years", &NUMBER_FROM_0),
])
.closed();
static SERIES_UIDS: Schema = object_of(&STRING);

static COHORT: Schema = object(&[
    optional("dataset_id", &STRING),
    optional("site_id", &STRING),
    optional("scanner_id", &STRING),
    optional("group_id", &STRING),
    optional("acquisition_protocol", &STRING),
]);

static LABEL_SET: Schema = object(&[
    required("id", &FILLED_STRING),
    required("version", &FILLED_STRING),
    required("form", &LABEL_SET_FORM),
    optional("sha256", &HEX64),
    optional("uri", &STRING),
    optional("classes", &CLASSES),
    optional("relations", &RELATIONS),
    optional("skeletons", &SKELETONS),
])
.closed()
.when(&[condition("form", "inline", &["classes"]), condition("form", "ref", &["uri", "sha256"])]);
static LABEL_SET_FORM: Schema = one_of(words::LABEL_SET_FORM);
static CLASSES: Schema = array(&CLASS);
static CLASS: Schema = object(&[
    required("id", &CLASS_ID),
    required("key", &CLASS_KEY),
    required("name", &FILLED_STRING),
    optional("parents", &ARRAY_OF_CLASS_IDS),
    optional("category", &STRING),
    optional("laterality", &LATERALITY),
    optional("color", &COLOR),
    optional("codes", &CODES),
    optional("properties", &OBJECT),
])
.closed();
static CLASS_KEY: Schema = text(Pattern::ClassKey);
static COLOR: Schema = array(&COLOR_PART).items_between(4, 4);
static COLOR_PART: Schema = of(&[Kind::Integer]).minimum(0.0).maximum(255.0);
static CODES: Schema = array(&CODE);
static CODE: Schema =
    object(&[required("system", &STRING), required("code", &STRING), optional("name", &STRING)])
        .closed();
static RELATIONS: Schema = array(&RELATION);
static RELATION: Schema = object(&[
    required("subject", &CLASS_ID),
    required("predicate", &STRING),
    required("object", &CLASS_ID),
])
.closed();
static SKELETONS: Schema = array(&SKELETON);
static SKELETON: Schema = object(&[
    required("id", &ID),
    required("keypoints", &ARRAY_OF_CLASS_IDS),
    required("edges", &EDGES),
])
.closed();
static EDGES: Schema = array(&EDGE);
static EDGE: Schema = array(&CLASS_ID).items_between(2, 2);

static PROVENANCE: Schema =
    object(&[required("agents", &AGENTS), required("activities", &ACTIVITIES)]).closed();
static AGENTS: Schema = array(&AGENT);
static AGENT: Schema = object(&[
    required("id", &ID),
    required("type", &AGENT_TYPE),
    required("name", &FILLED_STRING),
    optional("version", &STRING),
    optional("role", &AGENT_ROLE),
    optional("qualification", &STRING),
    optional("organization", &ID),
])
.closed();
static AGENT_TYPE: Schema = one_of(words::AGENT_TYPE);
static AGENT_ROLE: Schema = one_of(words::AGENT_ROLE);
static ACTIVITIES: Schema = array(&ACTIVITY);
static ACTIVITY: Schema = object(&[
    required("id", &ID),
    required("type", &ACTIVITY_TYPE),
    required("agent", &ID),
    optional("started", &TIMESTAMP),
    optional("ended", &TIMESTAMP),
    optional("tool", &STRING),
    optional("inputs", &ARRAY_OF_STRINGS),
    optional("outputs", &ARRAY_OF_STRINGS),
    optional("params", &OBJECT),
])
.closed();
static ACTIVITY_TYPE: Schema = one_of(words::ACTIVITY_TYPE);

static QUALITY: Schema = object_of(&QUALITY_RECORD);
static QUALITY_RECORD: Schema = object(&[
    required("status", &QUALITY_STATUS),
    optional("confidence", &CONFIDENCE),
    optional("reviewed_by", &ARRAY_OF_IDS),
    optional("agreement", &AGREEMENTS),
    optional("issues", &ISSUES),
    optional("edit_effort_s", &NUMBER_FROM_0),
])
.closed();
static QUALITY_STATUS: Schema = one_of(words::QUALITY_STATUS);
static CONFIDENCE: Schema = of(&[Kind::Number]).minimum(0.0).maximum(1.0);
static AGREEMENTS: Schema = array(&AGREEMENT);
static AGREEMENT: Schema = object(&[
    required("metric", &STRING),
    required("value", &NUMBER),
    required("against", &STRING),
    optional("per_class", &PER_CLASS),
])
.closed();
static PER_CLASS: Schema = object_of_named(Pattern::ClassNumber, &NUMBER);
static ISSUES: Schema = array(&ISSUE);
static ISSUE: Schema = object(&[
    required("code", &STRING),
    required("severity", &ISSUE_SEVERITY),
    optional("note", &STRING),
    optional("class_ids", &ARRAY_OF_CLASS_IDS),
])
.closed();
static ISSUE_SEVERITY: Schema = one_of(words::ISSUE_SEVERITY);

static SPLITS: Schema = array(&SPLIT);
static SPLIT: Schema = object(&[
    required("set_id", &FILLED_STRING),
    // The partitions are no matter of structure: a later minor version may not add to them.
    required("partition", &STRING),
    optional("fold", &INTEGER_FROM_0),
    optional("assigned_by", &STRING),
    optional("assigned_at", &TIMESTAMP),
    optional("manifest_sha256", &HEX64),
])
.closed();

static ACQUISITION: Schema = object_of(&OBJECT);

static DEIDENTIFICATION: Schema = object(&[
    required("method", &STRING),
    optional("profile", &STRING),
    optional("date_shift_days", &INTEGER),
    optional("id_mapping", &ID_MAPPING),
    optional("performed_by", &ID),
    optional("date", &TIMESTAMP),
    optional("burned_in_annotation_checked", &BOOLEAN),
])
.closed();
static ID_MAPPING: Schema = one_of(words::ID_MAPPING);

//! The words that clinical columns may hold. Spec: MEDH5 1.1 §5.

/// Kinds of event.
pub const EVENT_KINDS: &[&str] = &[
    "imaging",
    "document",
    "observation",
    "diagnosis",
    "medication_order",
    "medication_administration",
    "procedure",
    "assessment",
    "other",
];

/// How an event lies in time.
pub const TEMPORAL_TYPES: &[&str] = &["point", "interval", "static", "unknown"];

/// How far an event has come.
pub const STATUSES: &[&str] = &[
    "unknown",
    "preliminary",
    "final",
    "amended",
    "entered_in_error",
    "planned",
    "in_progress",
    "completed",
    "cancelled",
];

/// How a numeric value is to be taken: equal, below, above.
pub const COMPARATORS: &[&str] = &["eq", "lt", "le", "gt", "ge"];

/// What a document's text is.
pub const MEDIA_TYPES: &[&str] = &["text/plain"];

/// What a link may lead from and to.
pub const ENDPOINT_TYPES: &[&str] =
    &["event", "document", "image", "grid", "annotation", "transform", "timepoint", "instance"];

/// What a link states.
pub const RELATIONS: &[&str] =
    &["describes", "compares_with", "measures", "derived_from", "supersedes", "assesses"];

/// The code system and the code of a statement on one lesion.
pub const LESION_PRESENCE: (&str, &str) = ("org.medh5.assessment", "lesion_presence");

/// What such a statement may say.
pub const LESION_VALUES: &[&str] =
    &["present", "absent", "not_assessed", "outside_fov", "uncertain", "resolved"];

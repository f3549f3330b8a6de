//! The label set: which classes annotations may use, what they mean, and how they relate. Spec: MEDH5 1.0 §5.

mod class;
mod digest;
mod label_set;

pub use class::{LabelClass, OntologyCode};
pub use label_set::{Form, LabelSet, Relation, Skeleton};

/// The smallest class id; 0 is background and padding.
pub const FIRST_CLASS_ID: u16 = 1;
/// The largest class id; 65535 marks what is to be ignored.
pub const LAST_CLASS_ID: u16 = 65_534;

/// Whether this id is reserved: background, or to be ignored.
pub fn is_reserved_class_id(id: i64) -> bool {
    id == 0 || id == i64::from(u16::MAX)
}

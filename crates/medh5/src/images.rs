//! Images: values on a grid. Spec: MEDH5 1.0 §5.

mod plane;
mod view;

pub use plane::PlaneIndex;
pub use view::{ImageView, VALUE_TYPES};

//! Images: values on a grid. Spec: MEDH5 1.0 §5.

mod view;

pub use view::{ImageView, VALUE_TYPES};

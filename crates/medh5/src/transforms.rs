//! Transforms: maps from one frame of reference to another. Spec: MEDH5 1.0 §10.

mod affine;
mod chain;
mod kind;
mod view;

pub(crate) use affine::affine_of;
pub(crate) use chain::on_cycles;
pub use kind::{Field, TransformKind, VectorSpace};
pub use view::TransformView;

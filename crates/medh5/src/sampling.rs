//! Where a training loop reads: patches drawn from a sample, around voxels of its classes or anywhere. Spec: MEDH5 1.0 §14.3.
//!
//! # The numbers of a seed
//!
//! Draw `i` (from 0) of seed `s` takes its numbers from [`SplitMix64`](crate::index::SplitMix64), started at `nth(s, i)`, in
//! this order, and depends on nothing else but the options, the voxels and the index:
//!
//! 1. strategy `balanced`: a fraction; below the foreground probability, the draw is of the foreground;
//! 2. of the foreground, the class: with equal weights `below(n)` of the `n` classes that have voxels, otherwise a fraction
//!    of the sum of their weights, in the order in which the annotation declares them;
//! 3. of the foreground, the voxel: `below(n)` of the `n` stored coordinates, or of all voxels of the class in C order when
//!    there is no index to use;
//! 4. of the volume: per axis, slowest first, where the patch starts, `below(extent - patch + 1)`.
//!
//! So the same seed gives the same patches on every machine and in every release, and draws may be taken in any order.

mod choice;
mod foreground;
mod options;
mod padding;
mod patch;
mod sampler;
mod scanned;
mod window;

pub use options::{ClassWeights, Edge, SamplingError, SamplingOptions, Strategy};
pub use patch::Patch;
pub use sampler::PatchSampler;
pub use window::PatchAxis;

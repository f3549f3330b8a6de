//! Digests: what a file says about its own content, and whether that holds. Spec: MEDH5 1.0 §13.

mod canonical_json;
mod dataset_digest;
mod digest;
mod fingerprint;

pub use canonical_json::{canonical_attribute, canonical_json};
pub use dataset_digest::dataset_digest;
pub use digest::{Algorithm, Digest, Hasher};
pub use fingerprint::{Fingerprint, fingerprint};

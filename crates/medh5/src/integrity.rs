//! Digests: what a file says about its own content, and whether that holds. Spec: MEDH5 1.0 §13.

mod canonical_json;
mod content_id;
mod dataset_digest;
mod digest;
mod fingerprint;
mod lines;
mod path_binding;
mod source_digest;
mod verdict;
mod verification;

pub use canonical_json::{canonical_attribute, canonical_json};
pub use content_id::content_id;
pub(crate) use content_id::content_id_of;
pub use dataset_digest::dataset_digest;
#[cfg(feature = "encode")]
pub(crate) use dataset_digest::{DatasetHasher, hash_in_slabs};
pub use digest::{Algorithm, Digest, Hasher};
pub use fingerprint::{Fingerprint, fingerprint};
pub(crate) use lines::{DigestLines, stored_digest};
pub(crate) use path_binding::{UnboundKind, unbound_paths};
pub use source_digest::source_digest;
pub(crate) use verdict::{DigestVerdict, judge_digests};
pub use verification::{ObjectStatus, Verification, verify};

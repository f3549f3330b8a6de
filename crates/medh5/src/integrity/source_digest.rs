//! The digest of an annotation as a sampling index names its source. Spec: MEDH5 1.0 §14.3.

use hdf5::{Group, Object};

use super::lines::stored_digest;
use super::{Algorithm, Digest, Hasher, dataset_digest};
use crate::ReadError;
use crate::validate::Observer;

/// The digest over the datasets directly in `annotation`, the group at `path` (from the sample's root, without a leading
/// slash). A stored digest is taken as it stands; a dataset without one is hashed now.
///
/// # Errors
/// [`ReadError::File`] when a link, a stored digest, or the elements of an undigested dataset cannot be read.
pub fn source_digest(
    algorithm: Algorithm,
    path: &str,
    annotation: &Group,
    observer: &dyn Observer,
) -> Result<Digest, ReadError> {
    let mut hasher = Hasher::new(algorithm);
    for link in annotation.links()?.iter() {
        let name = link.name();
        let Some(Object::Dataset(dataset)) = annotation.get(&name)? else { continue };
        let digest = match stored_digest(&dataset)? {
            Some(text) => Some(text),
            None => dataset_digest(algorithm, &format!("{path}/{name}"), &dataset, observer)?
                .map(|digest| digest.to_string()),
        };
        if let Some(digest) = digest {
            hasher.update(format!("{name}\t{digest}\n").as_bytes());
        }
    }
    Ok(hasher.finish())
}

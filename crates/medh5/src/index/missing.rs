//! Which annotations the sampling index leaves out.

use crate::ReadError;
use crate::sample::Sample;

/// Annotations of voxels without an entry, in a sample that has a sampling index at all; masks need none.
///
/// # Errors
/// [`ReadError::File`] when the index or an annotation cannot be read.
pub fn missing_entries(sample: &Sample) -> Result<Vec<String>, ReadError> {
    let indexed = sample.indexed_annotations()?;
    let mut missing = Vec::new();
    for annotation in sample.annotations()? {
        let has_entry = indexed.iter().any(|name| name == annotation.name());
        if !indexed.is_empty() && !has_entry && annotation.is_of_classes_of_voxels()? {
            missing.push(annotation.name().to_owned());
        }
    }
    Ok(missing)
}

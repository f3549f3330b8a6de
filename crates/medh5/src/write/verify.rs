//! Whether a rewritten file says what the old one said.

use std::collections::BTreeMap;

use hdf5::Dataset;

use super::WriteError;
use crate::ReadError;
use crate::integrity::{ObjectStatus, verify};
use crate::sample::Sample;
use crate::validate::{Observer, checkpoint};

/// Bytes that are compared at a time.
const SLAB_BYTES: u64 = 32 << 20;

/// Verifies the samples `after`, which were `before`: every stored digest, every `content_id`; and where no digest
/// vouches for a dataset of which `changed` has the path from the root of the file, all its values.
///
/// Returns the paths of what a `content_id` should cover and does not.
///
/// # Errors
/// [`WriteError::Unverified`] when something differs; [`WriteError::Read`] when something cannot be read, or the
/// observer wants to stop.
pub(super) fn verify_against(
    before: &[Sample],
    after: &[Sample],
    changed: &[&str],
    observer: &dyn Observer,
) -> Result<Vec<String>, WriteError> {
    if before.len() != after.len() {
        return Err(unverified("", format!("{} samples for {}", after.len(), before.len())));
    }
    let mut unsigned = Vec::new();
    for (old, new) in before.iter().zip(after) {
        let prefix = new.key().map(|key| format!("samples/{key}/")).unwrap_or_default();
        let identity = |sample: &Sample| sample.attributes().text("content_id");
        if identity(old)? != identity(new)? {
            return Err(unverified(&prefix, "another `content_id`".into()));
        }
        let found = verify(new, None, observer)?;
        for status in [ObjectStatus::Mismatch, ObjectStatus::Malformed] {
            if let Some(path) = found.with_status(status).next() {
                let reason = format!(
                    "the digest of {path} does not match; `verify` tells about the old file"
                );
                return Err(unverified(&prefix, reason));
            }
        }
        if found.content_id_ok == Some(false) {
            return Err(unverified(
                &prefix,
                "`content_id` does not match; `verify` tells about the old file".into(),
            ));
        }
        unsigned.extend(found.unsigned.iter().map(|path| format!("{prefix}{path}")));
        compare_unsigned((old, new), &prefix, changed, observer)?;
    }
    Ok(unsigned)
}

/// Compares the values of changed datasets that have no digest of their own.
fn compare_unsigned(
    (old, new): (&Sample, &Sample),
    prefix: &str,
    changed: &[&str],
    observer: &dyn Observer,
) -> Result<(), WriteError> {
    let known: BTreeMap<&str, &Dataset> = old.walk()?.datasets().collect();
    for (path, dataset) in new.walk()?.datasets() {
        let full_path = format!("/{prefix}{path}");
        if !changed.contains(&full_path.as_str()) || dataset.attribute("digest")?.is_some() {
            continue;
        }
        let same = match known.get(path) {
            Some(old) => same_values(old, dataset, observer)?,
            None => false,
        };
        if !same {
            return Err(unverified(prefix, format!("{path} has other values")));
        }
    }
    Ok(())
}

/// Whether two datasets hold the same values.
pub(super) fn same_values(
    old: &Dataset,
    new: &Dataset,
    observer: &dyn Observer,
) -> Result<bool, ReadError> {
    if old.shape() != new.shape() || old.datatype() != new.datatype() {
        return Ok(false);
    }
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for window in new.slabs(SLAB_BYTES) {
        let elements: u64 = window.shape.iter().product();
        let bytes = elements.saturating_mul(u64::from(new.datatype().size));
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        before.resize(bytes, 0);
        after.resize(bytes, 0);
        old.read_bytes(&window, &mut before)?;
        new.read_bytes(&window, &mut after)?;
        if before != after {
            return Ok(false);
        }
        checkpoint(observer, bytes as u64)?;
    }
    Ok(true)
}

fn unverified(prefix: &str, reason: String) -> WriteError {
    let reason = if prefix.is_empty() { reason } else { format!("/{prefix}: {reason}") };
    WriteError::Unverified { reason }
}

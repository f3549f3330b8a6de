//! Chains of composite transforms.

use std::collections::HashSet;

use super::{TransformKind, TransformView};
use crate::ReadError;
use crate::sample::Sample;

/// Whether `composite` is, through composites, a component of itself. One that merely leads to such a chain is not.
///
/// # Errors
/// As [`Sample::resolve`].
pub(crate) fn is_on_cycle(sample: &Sample, composite: &TransformView) -> Result<bool, ReadError> {
    let start = address(composite);
    let mut seen = HashSet::new();
    let mut open = vec![composite.clone()];
    while let Some(next) = open.pop() {
        for name in next.components()?.unwrap_or_default() {
            let Some(component) = sample.transform(&name)? else { continue };
            if component.kind()? != Some(TransformKind::Composite) {
                continue;
            }
            if address(&component) == start {
                return Ok(true);
            }
            if seen.insert(address(&component)) {
                open.push(component);
            }
        }
    }
    Ok(false)
}

/// What makes two names the same transform.
fn address(transform: &TransformView) -> Option<hdf5::Address> {
    transform.child().group().map(hdf5::Group::address)
}
